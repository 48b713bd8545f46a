import { expect, test } from 'vitest';
import { feeOf } from './fee.ts';

const terms = { feePpm: 29_000, feeFixed: { usd: 30, jpy: 5 }, settlementDays: 2 };

test.each([
  [1_000, 'usd', 29 + 30],
  [1, 'usd', 0 + 30], // 0.029
  [1_000, 'eur', 29],
  [500, 'jpy', 14 + 5], // 14.5: to the even one
  [1_500, 'jpy', 44 + 5], // 43.5
  [2_500, 'jpy', 72 + 5], // 72.5
  [999_999_999_999, 'usd', 29_000_000_000 + 30], // 28,999,999,999.971
])('of %i %s it is %i', (amount, currency, fee) => {
  expect(feeOf(terms, { amount, currency })).toBe(fee);
});

test.each([
  ['nothing', 0, 999_999_999_999, 0],
  ['everything', 1_000_000, 999_999_999_999, 999_999_999_999],
  ['exact to the last unit where a double is not', 333_333, 999_999_999_997, 333_332_999_999],
])('can be %s', (_, feePpm, amount, fee) => {
  expect(feeOf({ ...terms, feePpm, feeFixed: {} }, { amount, currency: 'usd' })).toBe(fee);
});

test('a fixed part applies to its own currency only, and inherited names are not currencies', () => {
  expect(feeOf({ ...terms, feePpm: 0 }, { amount: 100, currency: 'constructor' })).toBe(0);
});
