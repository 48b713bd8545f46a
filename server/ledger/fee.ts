import type { Money } from '../base/money.ts';

/** The fee of an account for a payment, and the day when its money becomes available. */
export type Terms = {
  /** The share of the amount, in millionths. */
  feePpm: number;
  /** The fixed part, by currency, in its smallest unit. */
  feeFixed: Readonly<Record<string, number>>;
  settlementDays: number;
};

const million = 1_000_000n;

/** The percentage rounds half to even, so that rounding favours neither side over many payments. */
export function feeOf({ feePpm, feeFixed }: Terms, { amount, currency }: Money): number {
  const millionths = BigInt(amount) * BigInt(feePpm); // may exceed what a double holds exactly
  const whole = millionths / million;
  const twice = (millionths % million) * 2n;
  const isUp = twice > million || (twice === million && whole % 2n === 1n);
  const fixed = Object.hasOwn(feeFixed, currency) ? feeFixed[currency]! : 0;
  return Number(whole) + (isUp ? 1 : 0) + fixed;
}
