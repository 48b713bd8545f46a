/** A part of a whole, to four digits; undefined when the whole is nothing. */
export function rateOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : Math.round((part / whole) * 10_000) / 10_000;
}
