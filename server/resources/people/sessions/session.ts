import { crc32 } from 'node:zlib';
import { base62, type Id, randomBase62 } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import { Secret } from '../../../base/secret.ts';
import type { UserId } from '../users/user.ts';

export type SessionId = Id<'ses'>;

export type Session = {
  id: SessionId;
  version: number;
  /** A keyed hash of the token, which only the browser has. */
  hash: Buffer;
  user_id: UserId;
  address: string;
  /** The User-Agent, so that people can tell their sessions apart. */
  browser: string | null;
  /** That of the user when it began: with another password it is over. */
  generation: number;
  expires_at: Date;
  ended_at: Date | null;
};

export const sessionDaysMax = 7;
export const idleHoursMax = 12;

const tokenChars = 40; // 238 random bits
const checksumChars = 6;

/** A token for a cookie or a link. Like an API key it ends in a checksum, so that a made-up one needs no read. */
export function newToken(): Secret {
  const start = randomBase62(tokenChars);
  return new Secret(start + checksum(start));
}

export function looksLikeToken(text: string): boolean {
  const body = text.slice(0, tokenChars);
  return /^[0-9A-Za-z]{46}$/.test(text) && text === body + checksum(body);
}

function checksum(text: string): string {
  return base62(crc32(text), checksumChars);
}

export function tokenHash(keyring: Keyring, token: string): Buffer {
  return keyring.hmac('session', token);
}

/** Another site can make a browser send the cookie, but cannot read this. */
export function csrfTokenOf(keyring: Keyring, token: string): string {
  return keyring.hmac('csrf', token).toString('base64url');
}
