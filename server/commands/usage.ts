/** The command cannot be done as it was typed; the message says why, and what can be done. */
export class UsageError extends Error {}

export const spanSyntax = /^(\d{1,6})([smhd])$/;
const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A span of time as people write it: 90s, 15m, 24h, 30d. */
export function parseSpan(option: string, text: string): number {
  const match = spanSyntax.exec(text);
  if (match === null) throw new UsageError(`${option} takes a number and a unit: 90s, 15m, 24h or 30d`);
  return Number(match[1]) * unitSeconds[match[2]!]!;
}

const isoSyntax = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * An ISO time; a date is one of UTC. Undefined for anything else, of which `Date` would make something: of 5 the May of 2001, of the
 * 31st of April the 1st of May.
 */
export function isoMoment(text: string): number | undefined {
  const day = isoSyntax.exec(text)?.[1];
  const moment = new Date(text).getTime();
  if (day === undefined || Number.isNaN(moment)) return undefined;
  return new Date(day).toISOString().startsWith(day) ? moment : undefined;
}

/** A moment to come, in epoch milliseconds: an ISO time, or a span from now. */
export function parseMoment(option: string, text: string, now: number): number {
  const moment = spanSyntax.test(text) ? now + parseSpan(option, text) * 1_000 : isoMoment(text);
  if (moment === undefined)
    throw new UsageError(`${option} takes a time such as 2027-01-31T00:00:00Z, or a span such as 30d`);
  if (moment <= now) throw new UsageError(`${option} lies in the past`);
  return moment;
}

/** Words that are separated by commas or spaces. */
export function parseList(option: string, text: string): string[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) throw new UsageError(`${option} needs at least one value`);
  return words;
}
