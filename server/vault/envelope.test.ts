import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fieldContext, openBytes, type SealedField, sealBytes } from './envelope.ts';
import { asTenant } from './vault.fixture.ts';

const key = createSecretKey(randomBytes(32));
const place: SealedField = { tenant: asTenant(1), id: 'pm_1', field: 'number', keyVersion: 1 };
const plain = Buffer.from('4242424242424242');
const open = (at: SealedField, bytes: Buffer, by = key) => openBytes(by, fieldContext(at), bytes);

describe('a sealed field', () => {
  const sealed = sealBytes(key, fieldContext(place), plain);

  test('opens in its place', () => expect(open(place, sealed)).toEqual(plain));

  const elsewhere: [string, Partial<SealedField>][] = [
    ['tenant', { tenant: asTenant(11) }],
    ['payment method', { id: 'pm_11' }],
    ['field', { field: 'cvc' }],
    ['kind of secret', { field: 'secret' }],
    ['key version', { keyVersion: 11 }],
  ];
  test.each(elsewhere)('does not open for another %s, even under the same key', (_, other) => {
    expect(open({ ...place, ...other }, sealed)).toBeUndefined();
  });

  test('does not open under another key, nor with any of its bits changed', () => {
    expect(open(place, sealed, createSecretKey(randomBytes(32)))).toBeUndefined();
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(open(place, changed)).toBeUndefined();
    }
  });
});
