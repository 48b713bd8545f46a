import { expect, test } from 'vitest';
import { topOf, type ValueTally } from './breakdown.ts';

const tally = (currency: string, value: string | null, payments: number): ValueTally => ({
  ...{ currency, value, payments },
  ...{ succeeded: payments - 1, failed: 1, volume: payments * 10 },
});

test('the values with most payments of each currency are shown, and the others of a currency as one', () => {
  const many = [
    tally('eur', 'a', 5),
    tally('usd', 'b', 9),
    tally('eur', null, 7),
    tally('eur', 'c', 2),
    tally('eur', 'd', 3),
  ];
  expect(topOf(many, 2)).toEqual({
    top: [tally('usd', 'b', 9), tally('eur', null, 7), tally('eur', 'a', 5)],
    rest: [{ currency: 'eur', values: 2, payments: 5, succeeded: 3, failed: 2, volume: 50 }],
  });
});

test('values with as many payments are in the order of their currency and name', () => {
  const equal = [tally('usd', 'a', 1), tally('eur', 'b', 1), tally('eur', null, 1), tally('eur', 'a', 1)];
  const { top, rest } = topOf(equal);
  expect(top.map(({ currency, value }) => [currency, value])).toEqual([
    ['eur', null],
    ['eur', 'a'],
    ['eur', 'b'],
    ['usd', 'a'],
  ]);
  expect(rest).toEqual([]);
});
