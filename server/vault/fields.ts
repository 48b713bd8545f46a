import type { KeyObject } from 'node:crypto';
import type { Tenant } from '../base/reads.ts';
import { openBytes, sealBytes } from './envelope.ts';

/** What is sealed: of a card, and of whatever else has a secret. */
export type Field = 'number' | 'cvc' | 'secret';

/** Where a sealed field belongs: the ciphertext is bound to all of it and opens nowhere else. */
export type Place = { tenant: Tenant; id: string; field: Field; keyVersion: number };

export function sealField(key: KeyObject, place: Place, plain: Buffer): Buffer {
  return sealBytes(key, contextOf(place), plain);
}

export function openField(key: KeyObject, place: Place, sealed: Buffer): Buffer | undefined {
  return openBytes(key, contextOf(place), sealed);
}

function contextOf({ tenant, id, field, keyVersion }: Place) {
  return ['field', tenant, id, field, keyVersion];
}
