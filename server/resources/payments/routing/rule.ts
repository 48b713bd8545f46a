import type { ProcessorAccountId } from '../../../connectors/contract.ts';

/** Which payments a rule is for. A payment has to meet every condition that is there. */
export type Condition = {
  currency?: readonly string[];
  brand?: readonly string[];
  /** Of the billing address. A payment without a country meets no condition on it. */
  country?: readonly string[];
  amount?: { gte?: number; lt?: number };
};

/** The processors that are tried for a payment, in this order. */
export type RoutingRule = { when?: Condition; use: readonly ProcessorAccountId[] };

/** The facts of a payment when its processor is chosen. A setup has no money, and meets every condition on amount and currency. */
export type RoutedPayment = {
  amount?: number;
  currency?: string;
  /** Undefined: the cardholder has yet to choose the method. Then it meets no condition on the brand. */
  brand: string | undefined;
  country: string | undefined;
};

/** The first rule that matches, with its number, counted from 1. */
export function matchingRule(
  rules: readonly RoutingRule[],
  payment: RoutedPayment,
): { rule: RoutingRule; number: number } | undefined {
  const at = rules.findIndex(({ when = {} }) => isMet(when, payment));
  return at === -1 ? undefined : { rule: rules[at]!, number: at + 1 };
}

function isMet(when: Condition, payment: RoutedPayment): boolean {
  return unmet(when, payment).next().done === true;
}

/** The conditions that a payment does not meet. */
function* unmet({ amount = {}, ...sets }: Condition, payment: RoutedPayment): Generator<keyof Condition> {
  const { gte = 0, lt = Number.POSITIVE_INFINITY } = amount;
  if (payment.amount !== undefined && (payment.amount < gte || payment.amount >= lt)) yield 'amount';
  for (const name of ['currency', 'brand', 'country'] as const) {
    const [allowed, value] = [sets[name], payment[name]];
    const isSetup = name === 'currency' && value === undefined;
    if (allowed !== undefined && !isSetup && (value === undefined || !allowed.includes(value))) yield name;
  }
}

/** Why a rule does not match a payment, one reason for each condition; empty if it does. */
export function whyNot({ when = {} }: RoutingRule, payment: RoutedPayment): string[] {
  return [...unmet(when, payment)].map((name) => {
    const wanted = inWords({ [name]: when[name] });
    return `the rule takes ${wanted}, and the ${name} is ${payment[name] ?? 'not known'}`;
  });
}

/** Why a rule can never match: its range of amounts is empty, or an earlier rule takes everything that it could. */
export function whyNever(rules: readonly RoutingRule[], at: number): string | undefined {
  const { when = {} } = rules[at]!;
  const [from, to] = rangeOf(when);
  if (from >= to) return 'its amount can never match: gte must be below lt';
  const earlier = rules.slice(0, at).findIndex((rule) => covers(rule.when ?? {}, when));
  return earlier === -1
    ? undefined
    : `rule ${earlier + 1} takes everything that it could match; remove it or move it up`;
}

const rangeOf = ({ amount = {} }: Condition) => [amount.gte ?? 0, amount.lt ?? Number.POSITIVE_INFINITY] as const;

/** Whether every payment that meets the second condition meets the first. */
function covers(wide: Condition, narrow: Condition): boolean {
  const [[wideFrom, wideTo], [from, to]] = [rangeOf(wide), rangeOf(narrow)];
  const isWithin = (name: 'currency' | 'brand' | 'country') =>
    wide[name] === undefined || narrow[name]?.every((value) => wide[name]!.includes(value)) === true;
  return wideFrom <= from && to <= wideTo && isWithin('currency') && isWithin('brand') && isWithin('country');
}

/** A condition in a few words, for the reason that is stored with an attempt. */
export function inWords({ currency, brand, country, amount }: Condition): string {
  const { gte, lt } = amount ?? {};
  const parts = [
    ...[currency, brand, country].flatMap((list) => list?.join(' or ') ?? []),
    ...(gte === undefined ? [] : [`amount from ${gte}`]),
    ...(lt === undefined ? [] : [`amount below ${lt}`]),
  ];
  return parts.length === 0 ? 'every payment' : parts.join(', ');
}
