import type { KeyObject } from 'node:crypto';
import { seal, unseal } from '../base/aes_gcm.ts';
import type { Tenant } from '../base/reads.ts';

/** What is sealed: a card's number, its security code, or any other secret. */
export type Field = 'number' | 'cvc' | 'secret';

/** Where a sealed field belongs. */
export type SealedField = { tenant: Tenant; id: string; field: Field; keyVersion: number };

/**
 * What an envelope belongs to. The context is not stored in the envelope but bound as associated data, so that bytes that were moved to
 * another row or field do not open there.
 */
type SealContext = readonly (string | number)[];

export function fieldContext({ tenant, id, field, keyVersion }: SealedField): SealContext {
  return ['field', tenant, id, field, keyVersion];
}

const format = 1;

/**
 * An envelope is one byte of format and the output of AES-256-GCM. Nonces are random: 96 bits are safe for 2^32 envelopes under one key,
 * and a data key serves one tenant between two rotations.
 */
export function sealBytes(key: KeyObject, context: SealContext, plain: Buffer): Buffer {
  return Buffer.concat([Buffer.of(format), seal(key, associated(context), plain)]);
}

/** Undefined when the envelope was not sealed by this key for this context, or was changed since. */
export function openBytes(key: KeyObject, context: SealContext, sealed: Buffer): Buffer | undefined {
  if (sealed[0] !== format) return undefined;
  try {
    return unseal(key, associated(context), sealed.subarray(1));
  } catch {
    return undefined;
  }
}

/** JSON keeps the parts apart: two contexts never give the same text. */
function associated(context: SealContext): string {
  return JSON.stringify([`tollgate/vault/v${format}`, ...context]);
}
