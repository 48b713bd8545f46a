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

  test('inexpressible and too small amounts are refused beforehand', () => {
    for (const [currency, { multipleOf = 1, smallest = multipleOf }] of Object.entries(amounts)) {
      expect(toStripe({ amount: smallest, currency })).toBeGreaterThan(0);
      if (multipleOf > 1) expect(toStripe({ amount: multipleOf + 1, currency })).toBeUndefined();
    }
    expect(amounts).toMatchObject({ mga: { multipleOf: 100 }, bhd: { multipleOf: 10 } });
  });

  // In whole units of the currency, as Stripe's documentation lists them.
  test.each(
    Object.entries({
      ...{ usd: 0.5, aed: 2, ars: 0.5, aud: 0.5, brl: 0.5, cad: 0.5, chf: 0.5, cop: 0.5, czk: 15, dkk: 2.5, eur: 0.5 },
      ...{ gbp: 0.3, hkd: 4, huf: 175, idr: 0.5, ils: 0.5, inr: 0.5, jpy: 50, krw: 50, mxn: 10, myr: 2, nok: 3 },
      ...{ nzd: 0.5, php: 0.5, pln: 2, ron: 2, rub: 0.5, sek: 3, sgd: 0.5, thb: 10, zar: 0.5 },
    }),
  )('the smallest amount in %s is %d', (currency, least) =>
    expect(amounts[currency]?.smallest).toBe(Math.round(['jpy', 'krw'].includes(currency) ? least : least * 100)),
  );

  test('HUF and TWD are charged with two decimals', () =>
    expect([toStripe({ amount: 17_545, currency: 'huf' }), toStripe({ amount: 80_045, currency: 'twd' })]).toEqual([
      17_545, 80_045,
    ]));

  test('every currency is one of ISO 4217', () =>
    expect(currencies.filter((code) => currencyOf(code) !== code)).toEqual([]));
});
