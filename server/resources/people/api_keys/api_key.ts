import { crc32 } from 'node:zlib';
import { base62, type Id, randomBase62 } from '../../../base/id.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { KeyRights } from '../../../operations/caller.ts';

export type ApiKeyId = Id<'key'>;

export const keyKinds = ['secret', 'restricted'] as const;
export type KeyKind = (typeof keyKinds)[number];

export type ApiKey = KeyRights & {
  tenant: Tenant;
  id: ApiKeyId;
  version: number;
  /** A keyed hash of the key, which itself is kept nowhere. */
  hash: Buffer;
  /** The last characters of the key, so that people can tell keys apart. */
  hint: string;
  /** The key works until this moment, which lies in the future while a key that was rolled overlaps with its successor. */
  revoked_at: Date | null;
  rolled_to: ApiKeyId | null;
  /** Since when it is noted which scopes the key uses. */
  scope_uses_since: Date;
};

/** `last_used` is written beside the commits, every few seconds for all keys together. */
export type UsedApiKey = ApiKey & { last_used: Date | null };

/** Which scopes a key has needed lately. */
export type ScopeUse = { scopes: readonly string[]; since: number };

const usesShownMs = 30 * 86_400_000;

/** The time from which on the uses of a key are shown: 30 days back, or as far as they are known. */
export function usesFrom({ scope_uses_since }: Pick<ApiKey, 'scope_uses_since'>, now: number): number {
  return Math.max(now - usesShownMs, scope_uses_since.getTime());
}

export const keyStatuses = ['active', 'expired', 'revoked'] as const;

export function statusOf({ revoked_at, expires_at }: ApiKey, now: number): (typeof keyStatuses)[number] {
  if (revoked_at !== null && revoked_at.getTime() <= now) return 'revoked';
  return expires_at !== null && expires_at.getTime() <= now ? 'expired' : 'active';
}

/** The key with an end. An end that is earlier is kept. */
export function endKey<Key extends ApiKey>(key: Key, end: number, rolled_to = key.rolled_to): Key {
  const revoked_at = new Date(Math.min(end, key.revoked_at?.getTime() ?? end));
  return { ...key, version: key.version + 1, revoked_at, rolled_to };
}

export function kindOf({ scopes }: Pick<KeyRights, 'scopes'>): KeyKind {
  return scopes === null ? 'secret' : 'restricted';
}

const randomChars = 32;
const checksumChars = 6; // 62^6 > 2^32
const pattern = /^[sr]k_(?:test|live)_tg_[0-9A-Za-z]{38}$/;

export function makeKey(kind: KeyKind, mode: Mode): Secret {
  const start = `${kind === 'secret' ? 'sk' : 'rk'}_${mode}_tg_${randomBase62(randomChars)}`;
  return new Secret(start + checksum(start));
}

/** Whether a text can be a key. Mistyped and made-up keys fail here, without a database read. */
export function looksLikeKey(text: string): boolean {
  if (!pattern.test(text)) return false;
  const body = text.slice(0, -checksumChars);
  return text.endsWith(checksum(body));
}

function checksum(text: string): string {
  return base62(crc32(text), checksumChars);
}

export function hintOf(key: Secret): string {
  return key.open().slice(-4);
}
