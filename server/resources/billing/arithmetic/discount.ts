import { share } from './proration.ts';

/** The discount of a coupon: hundredths of a percent (1 to 10,000), or an amount in minor units. */
export type Discount = { percentOff: number } | { amountOff: number };

/** The discount of each amount, at its place. An amount of 0 or less has none, and none exceeds its amount. */
export function discountsOf(amounts: readonly number[], discount: Discount): number[] {
  const positive = amounts.map((amount) => Math.max(amount, 0));
  if ('percentOff' in discount) return positive.map((amount) => share(amount, discount.percentOff, 10_000));
  return spread(discount.amountOff, positive);
}

/**
 * Spreads an amount in proportion to the lines, by largest remainder: each line gets the whole units of its part, and the
 * units that are then left go to the largest fractions, of equal ones to the earlier line. The sum is exact.
 */
function spread(amountOff: number, lines: readonly number[]): number[] {
  const sum = lines.reduce((all, line) => all + BigInt(line), 0n);
  const taken = sum < BigInt(amountOff) ? sum : BigInt(amountOff);
  if (taken === 0n) return lines.map(() => 0);
  const parts = lines.map((line, at) => {
    const product = taken * BigInt(line);
    return { at, units: product / sum, fraction: product % sum };
  });
  const left = Number(taken - parts.reduce((all, { units }) => all + units, 0n));
  // The sort is stable: equal fractions stay in the order of the lines.
  const byFraction = parts.toSorted((one, other) =>
    one.fraction === other.fraction ? 0 : one.fraction > other.fraction ? -1 : 1,
  );
  const further = new Set(byFraction.slice(0, left).map(({ at }) => at));
  return parts.map(({ at, units }) => Number(units) + (further.has(at) ? 1 : 0));
}
