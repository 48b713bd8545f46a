import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { seal, unseal } from './aes_gcm.ts';
import { getOrMake } from './get_or_make.ts';
import { Secret } from './secret.ts';

/**
 * The operator's master key seals one random root key, which lives in the database. Every other secret is derived from the root
 * by purpose. Rotating the master key therefore re-seals the root and changes nothing that is derived from it: API keys stay valid,
 * fingerprints stay comparable.
 */
export type KeyPurpose =
  | 'api_key'
  | 'card'
  | 'fingerprint'
  | 'idempotency_key'
  | 'redaction'
  | 'answer'
  | 'listen'
  | 'return'
  | 'checkout'
  | 'notice'
  | 'ledger'
  | 'session'
  | 'csrf'
  | 'sign_in'
  | 'totp'
  | 'recovery'
  | 'password_salt'
  | 'invitation'
  | 'card_testing'
  | 'payment_link'
  | 'invoice'
  | 'portal'
  | 'mail'
  | 'mail_page';

const keyBytes = 32;
const shortDigestChars = 12;

export class MasterKeyError extends Error {}

/** Reads a master key as operators write it: 32 bytes as base64 or hex. */
export function parseMasterKey(text: string): Secret<Buffer> {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/.test(trimmed);
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64'); // accepts both base64 alphabets, and skips other characters
  if ((!isHex && !isBase64) || bytes.length !== keyBytes)
    throw new MasterKeyError('it must be 32 random bytes as base64 or hex; make one with: openssl rand -base64 32');
  return new Secret(bytes);
}

export function newRootKey(): Buffer {
  return randomBytes(keyBytes);
}

export function sealRoot(master: Secret<Buffer>, version: number, root: Buffer): Buffer {
  return seal(master.open(), rootContext(version), root);
}

/** Opening the root is the canary: a master key other than the one that sealed the root fails here, before anything is served. */
export function openRoot(master: Secret<Buffer>, version: number, sealed: Buffer): Secret<Buffer> {
  try {
    return new Secret(unseal(master.open(), rootContext(version), sealed));
  } catch {
    throw new MasterKeyError(
      'it does not open what is stored in this database: it is not the key this database was set up with',
    );
  }
}

function rootContext(version: number): string {
  return `tollgate root key ${version}`;
}

export class Keyring {
  readonly #root: Secret<Buffer>;
  readonly #derived = new Map<KeyPurpose, KeyObject>();
  readonly #prefixes = new Map<KeyPurpose, string>();

  constructor(root: Secret<Buffer>) {
    this.#root = root;
  }

  /** A keyed hash for one purpose. KeyObjects are cached: an HMAC with one costs an eighth of an HMAC with a Buffer. */
  hmac(purpose: KeyPurpose, text: string | Buffer): Buffer {
    return createHmac('sha256', this.#key(purpose)).update(text).digest();
  }

  /**
   * A short keyed digest, to tell whether two texts are equal without keeping them. It is cheaper than an HMAC. An HMAC would add
   * protection against length extension alone, and a digest cut to 48 bits cannot be extended.
   */
  shortDigest(purpose: KeyPurpose, text: string): string {
    const prefix = getOrMake(this.#prefixes, purpose, () => this.#key(purpose).export().toString('base64'));
    return hash('sha256', prefix + text, 'hex').slice(0, shortDigestChars);
  }

  /** For what is stored for a while and must be read again, such as an answer that contains a secret. `context` names its owner. */
  seal(purpose: KeyPurpose, context: string, plain: Buffer): Buffer {
    return seal(this.#key(purpose), context, plain);
  }

  unseal(purpose: KeyPurpose, context: string, sealed: Buffer): Buffer {
    return unseal(this.#key(purpose), context, sealed);
  }

  #key(purpose: KeyPurpose): KeyObject {
    return getOrMake(this.#derived, purpose, () =>
      createSecretKey(Buffer.from(hkdfSync('sha256', this.#root.open(), '', `tollgate/${purpose}/v1`, keyBytes))),
    );
  }
}
