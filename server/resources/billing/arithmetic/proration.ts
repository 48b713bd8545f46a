/** Parts of amounts, in whole minor units. Each line is rounded once, half away from zero, after an exact multiplication. */

/** amount × part ÷ whole. */
export function share(amount: number, part: number, whole: number): number {
  return divideRounded(BigInt(amount) * BigInt(part), BigInt(whole));
}

/** The charge for the seconds that are left of a period. */
export function chargeFor(unitAmount: number, quantity: number, secondsLeft: number, secondsWhole: number): number {
  return divideRounded(BigInt(unitAmount) * BigInt(quantity) * BigInt(secondsLeft), BigInt(secondsWhole));
}

/**
 * The credit for a line from this time on: 0 or negative, and never more than the line's net, also when the time
 * is before the line begins.
 */
export function creditFor(line: { net: number; start: number; end: number }, from: number): number {
  const secondsLeft = line.end - Math.max(from, line.start);
  return secondsLeft > 0 ? share(-line.net, secondsLeft, line.end - line.start) : 0;
}

/** The quotient, half away from zero. A wrong amount would be worse than none: what a number cannot hold is an error. */
function divideRounded(product: bigint, whole: bigint): number {
  if (whole <= 0n) throw new RangeError(`A share of ${whole} is not defined.`);
  const half = product < 0n ? -whole : whole;
  // BigInt division drops the fraction, which is towards zero for both signs.
  const result = Number((2n * product + half) / (2n * whole));
  if (!Number.isSafeInteger(result)) throw new RangeError(`${product} ÷ ${whole} is too large for an amount.`);
  return result;
}
