import { randomByte } from './random.ts';

/** Every kind of object has its own type of id: a refund's id cannot be passed for a payment's. */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

// In ASCII order, so that ids sort by time under `collate "C"`.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeChars = 8; // 62^8 ms reach past the year 8000
const randomChars = 14; // 14 × 5.95 bits = 83 random bits: ids of the same millisecond do not collide
const bodyChars = timeChars + randomChars;

const digitOf = new Map([...alphabet].map((char, value) => [char, value]));

/** Uniform base62 characters from the system's random source. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const value = randomByte() & 63;
    // 62 and 63 are discarded: the remainder would make some characters more likely than others.
    if (value < 62) text += alphabet[value];
  }
  return text;
}

/** Big-endian base62 of a non-negative integer, padded with zeros on the left. */
export function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text;
  return text;
}

/** The integer that base62 characters stand for; at most the largest that a double holds exactly. */
export function base62Value(text: string): number {
  let value = 0;
  for (const char of text) value = value * 62 + (digitOf.get(char) ?? 0);
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Ids made in the same millisecond share their time part, so it is cached. */
let lastTime = -1;
let lastTimePart = '';

function timePart(milliseconds: number): string {
  if (milliseconds !== lastTime) {
    if (!Number.isSafeInteger(milliseconds)) throw new RangeError(`${milliseconds} is not a valid time for an id`);
    lastTime = milliseconds;
    lastTimePart = base62(milliseconds, timeChars);
  }
  return lastTimePart;
}

/** An id that sorts by its creation: the time in milliseconds, then random characters. */
export function newId<Prefix extends string>(prefix: Prefix, milliseconds: number): Id<Prefix> {
  return `${prefix}_${timePart(milliseconds)}${randomBase62(randomChars)}`;
}

let lastMoment = -1;
let lastTail = '';

/** An id that sorts after those that this function has made for the same millisecond: rows of one change keep their order. */
export function laterId<Prefix extends string>(prefix: Prefix, milliseconds: number): Id<Prefix> {
  lastTail = milliseconds === lastMoment ? textAfter(lastTail) : randomBase62(randomChars);
  lastMoment = milliseconds;
  return `${prefix}_${timePart(milliseconds)}${lastTail}`;
}

/** The next text in order; the first one again after the last. */
function textAfter(text: string): string {
  let at = text.length - 1;
  while (at >= 0 && text[at] === alphabet.at(-1)) at--;
  const zeros = '0'.repeat(text.length - 1 - at);
  return at < 0 ? zeros : `${text.slice(0, at)}${alphabet[digitOf.get(text[at]!)! + 1]}${zeros}`;
}

/** Since when numbers are made: they reach for 139 years. */
const numbersSince = Date.UTC(2020, 0, 1);
const numbersPerMs = 2_048;
/** Those that a database has counted are below. */
const numberMin = 2 ** 40;
let numberedMoment = Number.NEGATIVE_INFINITY;
let lastNumber = 0;

/**
 * A number that sorts by the time, and after those that this process has made, also where its time stands still or goes back. Two processes make
 * the same one within a millisecond once in a thousand times: the second that is stored is refused, and made again.
 */
export function newNumber(milliseconds: number): number {
  if (milliseconds <= numberedMoment) return ++lastNumber;
  const random = ((randomByte() << 8) | randomByte()) % (numbersPerMs / 2);
  numberedMoment = milliseconds;
  const first = numberMin + Math.max(0, Math.floor(milliseconds) - numbersSince) * numbersPerMs + random;
  lastNumber = Math.max(first, lastNumber + 1);
  return lastNumber;
}

/** The id of a row that has a number instead: it sorts by the time, then by the number. */
export function numberedId<Prefix extends string>(prefix: Prefix, milliseconds: number, number: number): Id<Prefix> {
  return `${prefix}_${base62(milliseconds, timeChars)}${base62(number, randomChars)}`;
}

export function idNumber(id: string): number {
  return base62Value(id.slice(-randomChars));
}

/** Ids of one millisecond that sort in the order in which they are returned. */
export function newIds<Prefix extends string>(prefix: Prefix, milliseconds: number, count: number): Id<Prefix>[] {
  return Array.from({ length: count }, () => newId(prefix, milliseconds)).sort();
}

export function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  if (text.length !== prefix.length + 1 + bodyChars) return false;
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1));
}

/** Whether a text looks like an id of any kind, and can therefore be no personal data. */
export function isAnyId(text: string): boolean {
  return /^[a-z]{2,8}_[0-9A-Za-z]{22}$/.test(text);
}

/** The time in an id, in epoch milliseconds. It is the row's `created`, which therefore needs no column. */
export function idTime(id: string): number {
  const start = id.lastIndexOf('_') + 1;
  let time = 0;
  for (let at = start; at < start + timeChars; at++) time = time * 62 + (digitOf.get(id[at]!) ?? 0);
  return time;
}

/** `created` as the API shows it: whole seconds. */
export function createdSeconds(id: string): number {
  return Math.floor(idTime(id) / 1_000);
}

/** The smallest id of a millisecond: ids made then or later sort at or above it. It turns a time filter into a key range. */
export function firstIdAt(prefix: string, milliseconds: number): string {
  return `${prefix}_${base62(milliseconds, timeChars)}${'0'.repeat(randomChars)}`;
}
