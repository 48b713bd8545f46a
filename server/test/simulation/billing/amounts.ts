/** Exact arithmetic on fractions. A half is rounded away from zero. */
export function rounded(numerator: bigint, denominator: bigint): number {
  const isBelow = numerator < 0n;
  const twice = 2n * (isBelow ? -numerator : numerator);
  const size = (twice + denominator) / (2n * denominator);
  return Number(isBelow ? -size : size);
}

/** The part of an amount that falls on some of all seconds. */
export function partOf(amount: bigint | number, seconds: number, all: number): number {
  return rounded(BigInt(amount) * BigInt(seconds), BigInt(all));
}

/** A percentage with two decimals. */
export function percentOf(amount: number, percent: number): number {
  return rounded(BigInt(amount) * BigInt(Math.round(percent * 100)), 10_000n);
}

/** Gives out `amount` one unit at a time in effect: the whole parts first, then one each by the largest remainder, the first among equals. */
export function spread(amount: number, over: number[]): number[] {
  const all = over.reduce((sum, one) => sum + one, 0);
  if (all === 0) return over.map(() => 0);
  const given = Math.min(amount, all);
  const wholes = over.map((one) => Number((BigInt(given) * BigInt(one)) / BigInt(all)));
  const rests = over.map((one, index) => ({ index, rest: (BigInt(given) * BigInt(one)) % BigInt(all) }));
  rests.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1));
  const left = given - wholes.reduce((sum, one) => sum + one, 0);
  for (const { index } of rests.slice(0, left)) wholes[index]!++;
  return wholes;
}
