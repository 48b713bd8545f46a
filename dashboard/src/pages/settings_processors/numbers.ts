/** `98.5%`, rounded down, so that a failure is never shown as 100%. */
export function percentOf(rate: number | undefined): string | undefined {
  if (rate === undefined) return undefined;
  const tenths = Math.floor(rate * 1_000 + 1e-6);
  return `${tenths / 10}%`;
}

/** `84 ms`, `1.2 s`. */
export function durationOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
