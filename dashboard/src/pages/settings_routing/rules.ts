import type { RoutingCondition, RoutingRule } from '@tollgate/node';
import { brandNames } from '../../generated/catalog.ts';
import { amountOf, decimalOf, digitsOf, currencies as known } from '../../kit/money.ts';
import { brandName } from '../../nouns/payment_method_words.ts';

/** What a rule is for: `EUR · Visa · amount from 1.00 to below 50.00`. */
export function conditionInWords({ currency, brand, country, amount }: RoutingCondition = {}): string {
  const parts = [
    currency?.map((code) => code.toUpperCase()).join(' or '),
    brand?.map(brandName).join(' or '),
    country && `billed in ${country.join(' or ')}`,
    amountInWords(amount, unitOf(currency)),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Every payment' : parts.join(' · ');
}

function amountInWords({ gte, lt }: RoutingCondition['amount'] & {} = {}, unit: string): string | undefined {
  const number = (value: number) => numberOf(decimalOf(value, unit), digitsOf(unit));
  if (gte !== undefined && lt !== undefined) return `amount from ${number(gte)} to below ${number(lt)}`;
  if (gte !== undefined) return `amount from ${number(gte)}`;
  return lt === undefined ? undefined : `amount below ${number(lt)}`;
}

const names: Readonly<Record<string, string>> = brandNames;
const codes = new Set(known.map((code) => code.toLowerCase()));

/** Why a rule does not match, as the API says it, with the names of brands, and currencies as they are written elsewhere. */
export function withNames(reason: string): string {
  const nameOf = (word: string) =>
    reason.includes('the currency is') && codes.has(word) ? word.toUpperCase() : (names[word] ?? word);
  return reason.replace(/\b[a-z]+\b/g, nameOf);
}

/** With separators, and all decimals. As text, so that no digit of a large amount is lost. */
function numberOf(decimal: string, digits: number): string {
  return new Intl.NumberFormat('en', { minimumFractionDigits: digits }).format(decimal as never);
}

/** Any currency with two decimals. */
const usual = 'eur';

/** A currency with the decimals in which the amounts of a rule are written: those of its currencies, or two where these differ. */
export function unitOf(currencies: readonly string[] = []): string {
  const [first = usual] = currencies;
  return currencies.every((code) => digitsOf(code) === digitsOf(first)) ? first : usual;
}

/** Whether an amount of a rule means another one in some of its currencies: without any, it has all. */
export function isRough(currencies: readonly string[]): boolean {
  return currencies.length === 0 || currencies.some((code) => digitsOf(code) !== digitsOf(unitOf(currencies)));
}

/** The rules with one more, at a place. */
export function withRule(rules: readonly RoutingRule[], at: number, rule: RoutingRule): RoutingRule[] {
  return rules.toSpliced(at, 0, rule);
}

export function withoutRule(rules: readonly RoutingRule[], at: number): RoutingRule[] {
  return rules.toSpliced(at, 1);
}

export function moved(rules: readonly RoutingRule[], from: number, to: number): RoutingRule[] {
  return withRule(withoutRule(rules, from), to, rules[from]!);
}

/** Where a new rule can match: before the first one that takes every payment. */
export function positionForNew(rules: readonly RoutingRule[]): number {
  const takesAll = rules.findIndex(({ when = {} }) => Object.keys(when).length === 0);
  return takesAll === -1 ? rules.length : takesAll;
}

/** What is entered of a rule. */
export type Draft = {
  currency: string[];
  brand: string[];
  country: string[];
  /** In decimals. */
  gte: string;
  lt: string;
  use: (string | null)[];
};

export function draftOf({
  when: { currency = [], brand = [], country = [], amount = {} } = {},
  use,
}: RoutingRule): Draft {
  const text = (value: number | undefined) => (value === undefined ? '' : decimalOf(value, unitOf(currency)));
  return {
    currency: [...currency],
    brand: [...brand],
    country: [...country],
    gte: text(amount.gte),
    lt: text(amount.lt),
    use: [...use],
  };
}

/** Of an amount that is entered in a rule; null if nothing is, undefined if it is no amount. */
export function boundOf(text: string, currencies: readonly string[]): number | null | undefined {
  return text.trim() === '' ? null : amountOf(text, unitOf(currencies));
}

/** The rule of a draft; undefined while no processor is chosen, or an amount is none. The API checks the rest. */
export function ruleOf({ currency, brand, country, gte, lt, use }: Draft): RoutingRule | undefined {
  const accounts = use.filter((id) => id !== null);
  const [from, below] = [boundOf(gte, currency), boundOf(lt, currency)];
  if (accounts.length === 0 || from === undefined || below === undefined) return undefined;
  const amount = { ...(from !== null && { gte: from }), ...(below !== null && { lt: below }) };
  const when = {
    ...(currency.length > 0 && { currency }),
    ...(brand.length > 0 && { brand }),
    ...(country.length > 0 && { country }),
    ...(Object.keys(amount).length > 0 && { amount }),
  };
  return { ...(Object.keys(when).length > 0 && { when }), use: accounts };
}
