import { createHash } from 'node:crypto';
import { base62, idTime } from '../../base/id.ts';

const id = /\b([a-z]+)_([0-9A-Za-z]{22})\b/g;
/** How far what happens in the story is from its beginning. Constants, such as those of sample mails, are further away, and stay. */
const quarterSeconds = 92 * 86_400;
const timeInText = /\b\d{10}\b/g;
/** Times by the clock of the database, which is not that of the story. The times of audit entries are too. */
const byDatabase = new Set(['last_used', 'last_seen', 'revoked_at', 'next_attempt_at']);

/** What differs from run to run, and how it is written down. */
export type Accidents = {
  /** When the story began, and when it is said to have begun, in epoch seconds: both at the same time of day. */
  began: number;
  shownBeginning: number;
  /** Texts by what stands for them. */
  texts: readonly [found: RegExp, shown: string][];
};

/**
 * The same recording for the same story: ids are replaced by others of the same form, in the order in which they appear, and times
 * are counted from a fixed beginning. A new recording then differs only in what has changed.
 */
export function stabilized<T>(recorded: T, { began, shownBeginning, texts }: Accidents): T {
  const known = new Map<string, string>();
  const shift = shownBeginning - began;
  const shifted = (seconds: number) => (Math.abs(seconds - began) < quarterSeconds ? seconds + shift : seconds);
  const stableId = (real: string, prefix: string) => {
    const time = prefix === 'aud' ? shownBeginning * 1_000 : Math.round(shifted(idTime(real) / 1_000) * 1_000);
    const stable = known.get(real) ?? stableIdOf(prefix, time, known.size);
    known.set(real, stable);
    return stable;
  };
  const stable = (value: unknown, name?: string): unknown => {
    if (name === 'duration_ms') return 45;
    if (byDatabase.has(name ?? '')) return shownBeginning;
    if (name === 'hint') return 'E123';
    if (name === 'date') return new Date(Date.parse(String(value)) + shift * 1_000).toISOString().slice(0, 10);
    if (name === 'position') return 7_310;
    if (name === 'address' && typeof value === 'string') return '203.0.113.7';
    if (name === 'created_ms' || name === 'at_ms') return Number(value) + shift * 1_000;
    if (typeof value === 'number') return shifted(value);
    if (typeof value === 'string') {
      const timed = value.replaceAll(timeInText, (seconds) => String(shifted(Number(seconds))));
      return texts.reduce((text, [found, shown]) => text.replace(found, shown), timed).replaceAll(id, stableId);
    }
    if (Array.isArray(value)) return value.map((one) => stable(one));
    if (value === null || typeof value !== 'object') return value;
    const shown = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, stable(member, key)]));
    return shown.object === 'audit_entry' ? { ...shown, created: shownBeginning } : shown;
  };
  return stable(recorded) as T;
}

function stableIdOf(prefix: string, milliseconds: number, ordinal: number): string {
  const digest = createHash('sha256').update(`${prefix} ${ordinal}`).digest();
  const tail = [...digest.subarray(0, 14)].map((byte) => base62(byte % 62, 1)).join('');
  return `${prefix}_${base62(milliseconds, 8)}${tail}`;
}
