let lastSecond = Number.NaN;
let lastSecondText = '';

/** A moment as `toISOString` writes it, which is slow: most moments are in the second of the one before. */
export function isoTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000);
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  return `${lastSecondText}${String(milliseconds - second * 1_000).padStart(3, '0')}Z`;
}
