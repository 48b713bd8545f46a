const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });
const dayS = 86_400;

/** `now`, `5m ago`, `3h ago`; undefined of a day ago, and of what is still to come. */
export function agoWords(seconds: number, now: number): string | undefined {
  const past = now - seconds;
  // The clock of the gateway may be a little ahead of that of the browser.
  if (past < -60 || past >= dayS) return undefined;
  if (past < 60) return relative.format(0, 'second');
  return past < 3_600
    ? relative.format(-Math.floor(past / 60), 'minute')
    : relative.format(-Math.floor(past / 3_600), 'hour');
}
