import { describe, expect, test } from 'vitest';
import { currenciesWith, moneyText } from './currency.ts';

describe('amounts have the decimals of ISO 4217', () => {
  test.each([
    [123_456, 'eur', 'EUR 1,234.56'],
    [5, 'usd', 'USD 0.05'],
    [-5, 'usd', '-USD 0.05'],
    [0, 'usd', 'USD 0.00'],
    [500, 'jpy', 'JPY 500'],
    [-1_500, 'jpy', '-JPY 1,500'],
    [1_234, 'kwd', 'KWD 1.234'],
    [999_999_999_999, 'eur', 'EUR 9,999,999,999.99'],
    [9_007_199_254_740_991, 'eur', 'EUR 90,071,992,547,409.91'],
  ])('%i %s is %s', (amount, currency, text) => expect(moneyText({ amount, currency })).toBe(text));

  // ICU gives most of them no decimals: by custom, their smallest unit is no longer used.
  test.each('afn all cop huf idr irr kpw lak lbp mga mmk pkr sos syp yer'.split(' '))('%s has two', (currency) => {
    expect(moneyText({ amount: 17_545, currency })).toBe(`${currency.toUpperCase()} 175.45`);
    expect(currenciesWith(2)).toContain(currency);
  });

  test('iqd has three', () => {
    expect(moneyText({ amount: 17_545, currency: 'iqd' })).toBe('IQD 17.545');
    expect(currenciesWith(3)).toEqual(['bhd', 'iqd', 'jod', 'kwd', 'lyd', 'omr', 'tnd']);
  });

  test('every currency has 0, 2 or 3', () =>
    expect([0, 2, 3].map((decimals) => currenciesWith(decimals).length)).toEqual([16, 132, 7]));
});
