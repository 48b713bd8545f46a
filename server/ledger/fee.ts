import type { Money } from '../base/money.ts';

/** What an account pays for a payment, and how long it waits for its money. */
export type Terms = {
  /** Of the amount, in millionths. */
  feePpm: number;
  /** Beside it, by currency, in its smallest unit. */
  feeFixed: Readonly<Record<string, number>>;
  settlementDays: number;
};

const million = 1_000_000n;

/** The percentage rounds half to even, so that many payments together are neither favoured nor harmed. */
export function feeOf({ feePpm, feeFixed }: Terms, { amount, currency }: Money): number {
  const millionths = BigInt(amount) * BigInt(feePpm); // beyond what a double holds exactly
  const whole = millionths / million;
  const twice = (millionths % million) * 2n;
  const isUp = twice > million || (twice === million && whole % 2n === 1n);
  const fixed = Object.hasOwn(feeFixed, currency) ? feeFixed[currency]! : 0;
  return Number(whole) + (isUp ? 1 : 0) + fixed;
}
