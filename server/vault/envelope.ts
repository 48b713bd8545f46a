import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM. The envelope is one byte of format, the nonce, the ciphertext and the tag. What the ciphertext belongs to is not in it:
 * it is bound as associated data, so that bytes which were moved to another row or field do not open there.
 * Nonces are random: 96 bits are safe for 2^32 envelopes under one key, and a data key serves one tenant between two rotations.
 */
export type SealContext = readonly (string | number)[];

const format = 1;
const nonceBytes = 12;
const tagBytes = 16;
const bytesMin = 1 + nonceBytes + tagBytes;
const algorithm = 'aes-256-gcm';
const options = { authTagLength: tagBytes };

export function sealBytes(key: KeyObject, context: SealContext, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(associated(context));
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when it was not sealed by this key for this context, or was changed since. */
export function openBytes(key: KeyObject, context: SealContext, sealed: Buffer): Buffer | undefined {
  if (sealed.length < bytesMin || sealed[0] !== format) return undefined;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const body = sealed.subarray(1 + nonceBytes, sealed.length - tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, options)
    .setAAD(associated(context))
    .setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const plain = decipher.update(body);
  try {
    decipher.final(); // GCM holds nothing back: this only checks the tag
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}

/** JSON keeps the parts apart: no two contexts are written alike. */
function associated(context: SealContext): Buffer {
  return Buffer.from(JSON.stringify([`tollgate/vault/v${format}`, ...context]));
}
