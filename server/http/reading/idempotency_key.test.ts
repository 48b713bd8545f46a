import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../base/errors.ts';
import { checkIdempotencyKey, looksSecret } from './idempotency_key.ts';

const refusedAmong = (keys: Iterable<string>): string[] => {
  const refused: string[] = [];
  for (const key of keys)
    try {
      checkIdempotencyKey(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push(key);
    }
  return refused;
};

/** Numbers that look random and are the same in every run. About one in 30 is the valid card number of a known brand. */
function* numericKeys(count: number): Generator<string> {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String(state).padStart(10, '0');
  };
  for (let at = 0; at < count; at++) {
    const digits = next() + next();
    yield at % 2 === 0 ? `k-0.${digits.slice(-16)}` : digits.slice(-12 - (at % 8));
  }
}

test('no number is refused by chance', () => {
  const keys = [...numericKeys(100_000)];
  expect(keys.slice(0, 10_000).filter(looksSecret).length).toBeGreaterThan(100);
  expect(refusedAmong(keys)).toEqual([]);
});

test('every text of 1 to 255 printable ASCII characters is a key, and no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(refusedAmong([text]).length === 0).toBe(/^[ -~]{1,255}$/.test(text));
    }),
  );
  for (const key of ['4242424242424242', '4242 4242 4242 4242', `sk_live_tg_${'a'.repeat(38)}`, 'x'.repeat(255)])
    expect(refusedAmong([key])).toEqual([]);
  for (const key of ['', 'x'.repeat(256), 'clé', 'a\tb']) expect(refusedAmong([key])).toEqual([key]);
});

describe('a key looks like a secret', () => {
  test.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    'order 378282246310005',
    '4242424242424242-2000',
    '2000-4242-4242-4242-4242-0001',
    'order 4242 4242 4242 4242',
    'order 3782-822463-10005 of 7',
    'x17942424242424242428',
    '6011.1111_1111/1117',
    '4242  4242 - 4242  4242',
    '4222222222222',
    'order 42424242-4242-4242-8000-0b6ff8a14c3e',
    '(6200000000000000003)',
    `${'7'.repeat(239)}4242424242424242`,
    'sk_test_tg_x',
    'my rk_live_tg_key',
  ])('if it is or holds a card number or an API key: %s', (key) => expect(looksSecret(key)).toBe(true));

  test.each([
    '4000000000000000',
    '4242-4242a4242-4242',
    '0b6ff8a1-4c3e-4f0a-9c39-7a5f3b0f2a11',
    '42424242-4242-4242-8000-0b6ff8a14c3e',
    '1794724203',
    'order-7',
    'sk_live',
  ])('and not otherwise: %s', (key) => expect(looksSecret(key)).toBe(false));
});
