import { expect, test } from 'vitest';
import { amountFrom, quantityFrom } from './numbers.ts';

test.each<[text: string, currency: string, amount: number | undefined]>([
  ['12', 'eur', 1_200],
  ['12.5', 'eur', 1_250],
  ['12,50', 'eur', 1_250],
  [' 0.01 ', 'usd', 1],
  ['١٢٫٥', 'eur', 1_250],
  ['1000', 'jpy', 1_000],
  ['1.000', 'kwd', 1_000],
  ['1.250', 'eur', undefined],
  ['1,250.00', 'eur', undefined],
  ['10.5', 'jpy', undefined],
  ['-5', 'eur', undefined],
  ['1e3', 'eur', undefined],
  ['12.', 'eur', undefined],
  ['', 'eur', undefined],
  ['9999999999999', 'eur', undefined],
])('%j in %s is %s', (text, currency, amount) => {
  expect(amountFrom(text, currency)).toBe(amount);
});

test.each([
  ['1', 1],
  ['٣', 3],
  ['999', 999],
  ['1000', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['', undefined],
])('%j is a quantity of %s', (text, quantity) => {
  expect(quantityFrom(text)).toBe(quantity);
});
