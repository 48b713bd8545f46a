import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '../../../base/errors.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Secret } from '../../../base/secret.ts';
import { apiError } from '../../../operations/errors.ts';
import { commonPasswords } from './common_passwords.ts';
import { knownTurns } from './hash_turns.ts';

const hashOf = promisify(argon2);

/** What OWASP recommends for argon2id: 19 MiB, two passes. About 50 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

export const passwordCharsMin = 12;

/** For every password that somebody chooses. `param` is where it was sent. */
export function checkChosenPassword(password: Secret, param: string): void {
  const text = password.open().normalize('NFC');
  const refused = (reason: string) => apiError('parameter_invalid', { param, reason });
  if ([...text].length < passwordCharsMin) throw refused(`it must have ${passwordCharsMin} characters or more`);
  if (commonPasswords.has(text.toLowerCase())) throw refused('it is one of the commonest passwords; choose another');
}

/**
 * The salt of an email. All its users have one, so that a single hash tells which of them has a password: how long it takes says nothing
 * about how many there are. `other` is the stored hash of one of them.
 */
export function saltOf(email: string, keyring: Keyring, other: string | undefined): Buffer {
  return other === undefined ? keyring.hmac('password_salt', email).subarray(0, saltBytes) : parse(other).nonce;
}

export async function hashPassword(password: Secret, nonce: Buffer = randomBytes(saltBytes)): Promise<string> {
  const tag = await knownTurns.run('chosen', () => digest(password, nonce, cost));
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

export function isPassword(password: Secret, stored: string | undefined): Promise<boolean> {
  return knownTurns.run('compared', () => comparePassword(password, stored));
}

/** Without a stored hash it takes the same time, and is false: the time does not reveal whether an email has a user. */
async function comparePassword(password: Secret, stored: string | undefined): Promise<boolean> {
  const { nonce, tag, ...parameters } = parse(stored ?? impossible);
  const same = timingSafeEqual(await digest(password, nonce, { ...parameters, tagLength: tag.length }), tag);
  return same && stored !== undefined;
}

/**
 * Which of the users of an email have this password, by their stored hashes, for a caller who has a turn. They have one salt, so it takes
 * one hash, however many they are and where there is none.
 */
export async function matchPasswords(password: Secret, stored: readonly string[]): Promise<boolean[]> {
  if (stored.length === 0) await comparePassword(password, undefined);
  const startOf = (hash: string) => hash.slice(0, hash.lastIndexOf('$'));
  const tags = new Map<string, Buffer>();
  for (const hash of stored) {
    const { nonce, tag, ...parameters } = parse(hash);
    if (!tags.has(startOf(hash)))
      tags.set(startOf(hash), await digest(password, nonce, { ...parameters, tagLength: tag.length }));
  }
  return stored.map((hash) => timingSafeEqual(parse(hash).tag, tags.get(startOf(hash))!));
}

function digest(password: Secret, nonce: Buffer, parameters: typeof cost): Promise<Buffer> {
  const message = password.open().normalize('NFC'); // the same text can reach us in two spellings from two keyboards
  return hashOf('argon2id', { message, nonce, ...parameters });
}

const impossible = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function parse(stored: string) {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  assert(found, 'a stored password is an argon2id hash');
  const [, memory, passes, parallelism, nonce, tag] = found;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce!, 'base64'),
    tag: Buffer.from(tag!, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
