import type { RoutingCondition, RoutingRule } from '@tollgate/node';

/** What a rule is for: `EUR or USD · Visa · amount from 100 to below 5000`. Amounts are in the smallest unit, as rules have them. */
export function conditionInWords({ currency, brand, country, amount }: RoutingCondition = {}): string {
  const parts = [
    currency?.map((code) => code.toUpperCase()).join(' or '),
    brand?.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1)).join(' or '),
    country && `billed in ${country.join(' or ')}`,
    amountInWords(amount),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Every payment' : parts.join(' · ');
}

function amountInWords({ gte, lt }: RoutingCondition['amount'] & {} = {}): string | undefined {
  const number = (value: number) => value.toLocaleString('en');
  if (gte !== undefined && lt !== undefined) return `amount from ${number(gte)} to below ${number(lt)}`;
  if (gte !== undefined) return `amount from ${number(gte)}`;
  return lt === undefined ? undefined : `amount below ${number(lt)}`;
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
  currency: string;
  brand: string[];
  country: string;
  gte: string;
  lt: string;
  use: (string | null)[];
};

export function draftOf({
  when: { currency = [], brand = [], country = [], amount = {} } = {},
  use,
}: RoutingRule): Draft {
  return {
    currency: currency.join(', '),
    brand: [...brand],
    country: country.join(', '),
    gte: amount.gte === undefined ? '' : String(amount.gte),
    lt: amount.lt === undefined ? '' : String(amount.lt),
    use: [...use],
  };
}

const codesOf = (text: string) => text.split(/[\s,;]+/).filter((code) => code !== '');

/** The rule of a draft; undefined while no processor is chosen, or an amount is no whole number. The API checks the rest. */
export function ruleOf({ currency, brand, country, gte, lt, use }: Draft): RoutingRule | undefined {
  const accounts = use.filter((id) => id !== null);
  const amounts = [gte, lt].map((text) => text.trim());
  if (accounts.length === 0 || amounts.some((text) => !/^\d{0,15}$/.test(text))) return undefined;
  const [from = '', below = ''] = amounts;
  const amount = { ...(from !== '' && { gte: Number(from) }), ...(below !== '' && { lt: Number(below) }) };
  const when = {
    ...(codesOf(currency).length > 0 && { currency: codesOf(currency) }),
    ...(brand.length > 0 && { brand }),
    ...(codesOf(country).length > 0 && { country: codesOf(country) }),
    ...(Object.keys(amount).length > 0 && { amount }),
  };
  return { ...(Object.keys(when).length > 0 && { when }), use: accounts };
}
