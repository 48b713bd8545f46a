import { crc32 } from 'node:zlib';
import type { Id } from '../../base/id.ts';
import { base62, randomBase62 } from '../../base/id.ts';
import type { Mode, Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';

export type ApiKeyId = Id<'key'>;

export type ApiKey = {
  id: ApiKeyId;
  tenant: Tenant;
  account: Id<'acct'>;
  mode: Mode;
  name: string;
  /** The last characters, so that people can tell keys apart. */
  hint: string;
  /** Null: may do everything. */
  scopes: string[] | null;
  /** Addresses or ranges; null: from anywhere. */
  allowed_ips: string[] | null;
  signature_required: boolean;
  expires_at: Date | null;
  revoked_at: Date | null;
  rolled_to: ApiKeyId | null;
  last_used: Date | null;
};

/** What authentication needs to know: the key and its account. */
export type KeyWithAccount = ApiKey & {
  tier: string;
  rate_limit: number | null;
  account_status: 'active' | 'suspended';
  /** Told by the database's clock. */
  expired: boolean;
  revoked: boolean;
};

const randomChars = 32;
const checksumChars = 6; // 62^6 > 2^32
const pattern = /^[sr]k_(?:test|live)_tg_[0-9A-Za-z]{38}$/;

export function makeKey(kind: 'secret' | 'restricted', mode: Mode): Secret {
  const start = `${kind === 'secret' ? 'sk' : 'rk'}_${mode}_tg_${randomBase62(randomChars)}`;
  return new Secret(start + checksum(start));
}

/** Whether a text can be a key at all. Mistyped and made-up ones fail here, without a look into the database. */
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
