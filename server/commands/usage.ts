import { readFileSync } from 'node:fs';

/** What a command tells the program that ran it. docs/commands.md has the table. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, declined: 4, unavailable: 5 } as const;

/** The command line is wrong. The message says why, and how to fix it. */
export class UsageError extends Error {}

/** What the command line names does not exist. */
export class MissingError extends Error {}

/** The text of a file that the command line names. `option` is what names it. */
export function readNamedFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${option}: ${file} ${fileTroubles[code ?? ''] ?? `cannot be read (${message})`}`);
  }
}

const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory, not a file',
  EACCES: 'may not be read by this user',
};

const spanSyntax = /^(\d{1,6})([smhd])$/;
const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A span of time in seconds: 90s, 15m, 24h, 30d. */
export function parseSpan(option: string, text: string): number {
  const match = spanSyntax.exec(text);
  if (match === null) throw new UsageError(`${option} takes a number and a unit: 90s, 15m, 24h or 30d`);
  return Number(match[1]) * unitSeconds[match[2]!]!;
}

const isoSyntax = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** An ISO time, or a date in UTC; otherwise undefined. `Date` alone would read 5 as May 2001, and April 31 as May 1. */
export function isoMoment(text: string): number | undefined {
  const day = isoSyntax.exec(text)?.[1];
  const moment = new Date(text).getTime();
  if (day === undefined || Number.isNaN(moment)) return undefined;
  return new Date(day).toISOString().startsWith(day) ? moment : undefined;
}

/** A future moment in epoch milliseconds: an ISO time, or a span from now. */
export function parseMoment(option: string, text: string, now: number): number {
  const moment = spanSyntax.test(text) ? now + parseSpan(option, text) * 1_000 : isoMoment(text);
  if (moment === undefined)
    throw new UsageError(`${option} takes a time such as 2027-01-31T00:00:00Z, or a span such as 30d`);
  if (moment <= now) throw new UsageError(`${option} lies in the past`);
  return moment;
}

/** A past moment in epoch milliseconds: an ISO time, or a span before now. */
export function parsePast(option: string, text: string, now: number): number {
  const moment = spanSyntax.test(text) ? now - parseSpan(option, text) * 1_000 : isoMoment(text);
  if (moment === undefined)
    throw new UsageError(
      `${option} takes a span such as 15m, 2h or 7d, or a time such as 2026-11-14 or 2026-11-14T12:00:00Z (a date is in UTC)`,
    );
  if (moment > now) throw new UsageError(`${option} lies in the future`);
  return moment;
}

/** Values that are separated by commas or white space. */
export function parseList(option: string, text: string): string[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) throw new UsageError(`${option} needs at least one value`);
  return words;
}

/** `The parameter card.exp_month is invalid: it must …` becomes `--card.exp-month must …`. */
export function inFlags(message: string, param: string, flag: string): string {
  return message
    .replace(`The parameter ${param} is invalid: it `, `${flag} `)
    .replace(`The parameter ${param} is invalid: `, `${flag}: `)
    .replace(`The parameter ${param} is`, `${flag} is`);
}
