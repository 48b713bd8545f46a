import { describe, expect, test } from 'vitest';
import { currencyOf } from '../../base/currency.ts';
import { amounts, currencies, fromStripe, toStripe } from './units.ts';

describe("amounts in Stripe's units", () => {
  test.each([
    ['eur', 1_050, 1_050],
    ['jpy', 500, 500],
    ['isk', 5, 500],
    ['ugx', 5, 500],
    ['mga', 500, 5],
    ['mga', 550, undefined],
    ['kwd', 5_120, 5_120],
    ['kwd', 5_123, undefined],
  ])('%s %i is %s', (currency, amount, expected) => {
    expect(toStripe({ amount, currency })).toBe(expected);
    if (expected !== undefined) expect(fromStripe(expected, currency)).toEqual({ amount, currency });
  });

  test('what cannot be expressed is told beforehand, and so are the smallest amounts', () => {
    for (const [currency, { multipleOf = 1, smallest = multipleOf }] of Object.entries(amounts)) {
      expect(toStripe({ amount: smallest, currency })).toBeGreaterThan(0);
      if (multipleOf > 1) expect(toStripe({ amount: multipleOf + 1, currency })).toBeUndefined();
    }
    expect(amounts).toMatchObject({ eur: { smallest: 50 }, huf: { smallest: 17_500 }, mga: { multipleOf: 100 } });
    expect(amounts.bhd).toEqual({ multipleOf: 10 });
  });

  test('every currency is one of ISO 4217', () =>
    expect(currencies.filter((code) => currencyOf(code) !== code)).toEqual([]));
});
