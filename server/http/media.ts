/** One range of an `Accept` header (RFC 9110, 12.5.1). */
type MediaRange = { type: string; quality: number };

const json = 'application/json';

/** The offered media type that a caller prefers to JSON; undefined for JSON. */
export function preferredMedia(accept: string | undefined, offered: readonly string[] = []): string | undefined {
  if (accept === undefined || offered.length === 0) return undefined;
  const ranges = accept.split(',').map(readRange);
  const forJson = qualityOf(ranges, json) ?? anyOf(ranges);
  // Programs that write `*/*` behind JSON expect JSON: another type must be named, unless JSON is refused.
  const wanted = (media: string) => qualityOf(ranges, media) ?? (forJson === 0 ? anyOf(ranges) : 0);
  const best = offered.reduce((first, other) => (wanted(other) > wanted(first) ? other : first));
  return wanted(best) > forJson ? best : undefined;
}

/** The most specific range that names a media type decides: `text/csv`, then `text/*`. */
function qualityOf(ranges: readonly MediaRange[], media: string): number | undefined {
  const kind = media.slice(0, media.indexOf('/'));
  return (ranges.find(({ type }) => type === media) ?? ranges.find(({ type }) => type === `${kind}/*`))?.quality;
}

function anyOf(ranges: readonly MediaRange[]): number {
  return ranges.find(({ type }) => type === '*/*')?.quality ?? 0;
}

/** Parameters other than `q` are ignored here: the version is read elsewhere, and all text is UTF-8. */
function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.map((parameter) => /^q=(\d(?:\.\d*)?)$/.exec(parameter)?.[1]).find(Boolean);
  return { type, quality: weight === undefined ? 1 : Number(weight) };
}
