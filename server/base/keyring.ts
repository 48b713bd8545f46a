import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Secret } from './secret.ts';

/**
 * The operator's master key seals one random root key, which lives in the database. Every other secret is derived from the root
 * by purpose and version. Rotating the master key therefore re-seals the root and changes nothing that hangs from it:
 * API keys stay valid, fingerprints stay comparable.
 */
export type KeyPurpose = 'api_key' | 'card' | 'fingerprint' | 'redaction' | 'answer' | 'listen' | 'ledger';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const shortDigestChars = 12;

export class MasterKeyError extends Error {}

/** Reads a master key as operators write it: 32 bytes as base64 or hex. */
export function parseMasterKey(text: string): Secret<Buffer> {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/.test(trimmed);
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64'); // reads both alphabets, and skips what is in neither
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

/** Opening the root is the canary: a master key that is not the one which sealed it fails here, before anything is served. */
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

/** AES-256-GCM: nonce, ciphertext, tag. What it belongs to is bound to it and must be said again to open it. */
function seal(key: Buffer | KeyObject, context: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unseal(key: Buffer | KeyObject, context: string, sealed: Buffer): Buffer {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
}

export class Keyring {
  readonly #root: Secret<Buffer>;
  readonly #derived = new Map<string, KeyObject>();
  readonly #prefixes = new Map<KeyPurpose, string>();

  constructor(root: Secret<Buffer>) {
    this.#root = root;
  }

  /** A keyed hash for one purpose. KeyObjects are kept: an HMAC with one costs an eighth of one with a Buffer. */
  hmac(purpose: KeyPurpose, text: string | Buffer): Buffer {
    return createHmac('sha256', this.#key(purpose, 1)).update(text).digest();
  }

  /**
   * A short keyed digest, to tell whether two texts are equal without keeping them. Cheaper than an HMAC; cut to 48 bits it gives
   * no state away that could be continued, which is all that an HMAC would add here.
   */
  shortDigest(purpose: KeyPurpose, text: string): string {
    let prefix = this.#prefixes.get(purpose);
    if (prefix === undefined) {
      prefix = this.#key(purpose, 1).export().toString('base64');
      this.#prefixes.set(purpose, prefix);
    }
    return hash('sha256', prefix + text, 'hex').slice(0, shortDigestChars);
  }

  /** For what is kept for a while and must be read again, such as an answer that holds a secret. `context` says whose it is. */
  seal(purpose: KeyPurpose, context: string, plain: Buffer): Buffer {
    return seal(this.#key(purpose, 1), context, plain);
  }

  unseal(purpose: KeyPurpose, context: string, sealed: Buffer): Buffer {
    return unseal(this.#key(purpose, 1), context, sealed);
  }

  #key(purpose: KeyPurpose, version: number): KeyObject {
    const name = `tollgate/${purpose}/v${version}`;
    let key = this.#derived.get(name);
    if (key === undefined) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#root.open(), '', name, keyBytes)));
      this.#derived.set(name, key);
    }
    return key;
  }
}
