import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openField, type Place, sealField } from './fields.ts';
import { asTenant } from './vault.fixture.ts';

const key = createSecretKey(randomBytes(32));
const place: Place = { tenant: asTenant(1), id: 'pm_1', field: 'number', keyVersion: 1 };
const plain = Buffer.from('4242424242424242');

describe('under one and the same key, a sealed field', () => {
  const sealed = sealField(key, place, plain);

  test('opens in its place', () => expect(openField(key, place, sealed)).toEqual(plain));

  const elsewhere: [string, Partial<Place>][] = [
    ['tenant', { tenant: asTenant(11) }],
    ['payment method', { id: 'pm_11' }],
    ['field', { field: 'cvc' }],
    ['kind of secret', { field: 'secret' }],
    ['key version', { keyVersion: 11 }],
  ];
  test.each(elsewhere)('does not open for another %s', (_, other) => {
    expect(openField(key, { ...place, ...other }, sealed)).toBeUndefined();
  });

  test('does not open by another key, nor with any of its bits changed', () => {
    expect(openField(createSecretKey(randomBytes(32)), place, sealed)).toBeUndefined();
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(openField(key, place, changed)).toBeUndefined();
    }
  });
});
