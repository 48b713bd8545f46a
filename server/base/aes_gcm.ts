import { type CipherKey, createCipheriv, createDecipheriv } from 'node:crypto';
import { fewRandomBytes } from './random.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const options = { authTagLength: tagBytes };

/** AES-256-GCM: nonce, ciphertext, tag. `context` is bound as associated data: the bytes open only under the same context. */
export function seal(key: CipherKey, context: string, plain: Buffer): Buffer {
  const nonce = fewRandomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(Buffer.from(context));
  const sealed = cipher.update(plain);
  cipher.final(); // GCM buffers nothing: this only makes the tag
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** Throws when the bytes were not sealed by this key for this context, or were changed since. */
export function unseal(key: CipherKey, context: string, sealed: Buffer): Buffer {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), options)
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(nonceBytes, end));
  try {
    decipher.final(); // GCM buffers no plaintext: this only checks the tag
    return plain;
  } catch (error) {
    plain.fill(0);
    throw error;
  }
}
