import { expect, test } from 'vitest';
import { bucketsOf, netOf, pivoted, successRate, totalsOf } from './figures.ts';

test.each([
  [
    'even',
    { from: 100, to: 300, seconds: 100 },
    [
      [100, 200],
      [200, 300],
    ],
  ],
  [
    'with a rest',
    { from: 50, to: 180, seconds: 100 },
    [
      [50, 150],
      [150, 180],
    ],
  ],
  ['shorter than a bucket', { from: 7, to: 8, seconds: 100 }, [[7, 8]]],
])('the buckets of a range that is %s begin where it does, and end where it does', (_, range, buckets) => {
  expect(bucketsOf(range).map(({ start, end }) => [start, end])).toEqual(buckets);
});

const figure = (at: number, currency: string, value: string, count: number, amount: number) => ({
  ...{ at, currency, value, count },
  amount: String(amount),
});
const found = [
  {
    of: 'payments',
    figures: [
      figure(2, 'eur', 'succeeded', 3, 70),
      figure(2, 'eur', 'canceled', 1, 0),
      figure(1, 'usd', 'failed', 2, 0),
    ],
  },
  { of: 'refunds', figures: [figure(2, 'eur', 'succeeded', 1, 5), figure(2, 'jpy', 'pending', 9, 9)] },
  {
    of: 'disputes',
    figures: [
      figure(1, 'eur', 'lost', 1, 20),
      figure(1, 'eur', 'needs_response', 1, 30),
      figure(1, 'eur', 'won', 2, 5),
    ],
  },
  {
    of: 'fees',
    figures: [figure(2, 'eur', 'fee', 3, 9), figure(2, 'eur', 'fee_correction', 1, 2), figure(3, 'chf', 'fee', 1, 4)],
  },
] as const;
const zero = {
  ...{ payments: 0, succeeded: 0, failed: 0, volume: 0, refunds: 0, refunded: 0 },
  ...{ disputes: 0, disputed: 0, withdrawn: 0, fees: 0 },
};

test('a row has what was found in a bucket, in one currency; what counts nowhere makes no row', () => {
  expect(pivoted(found)).toEqual([
    { at: 1, currency: 'eur', counts: { ...zero, disputes: 4, disputed: 55, withdrawn: 50 } },
    { at: 1, currency: 'usd', counts: { ...zero, payments: 2, failed: 2 } },
    {
      at: 2,
      currency: 'eur',
      counts: { ...zero, payments: 4, succeeded: 3, volume: 70, refunds: 1, refunded: 5, fees: 7 },
    },
    { at: 3, currency: 'chf', counts: { ...zero, fees: 4 } },
  ]);
});

test('the totals are the sums of the rows, by currency', () => {
  expect(totalsOf(pivoted(found))).toEqual([
    { currency: 'chf', counts: { ...zero, fees: 4 } },
    {
      currency: 'eur',
      counts: {
        ...{ ...zero, payments: 4, succeeded: 3, volume: 70, refunds: 1, refunded: 5 },
        ...{ disputes: 4, disputed: 55, withdrawn: 50, fees: 7 },
      },
    },
    { currency: 'usd', counts: { ...zero, payments: 2, failed: 2 } },
  ]);
});

test.each([
  [0, 0, undefined],
  [0, 4, 0],
  [1, 2, 0.3333],
  [5, 0, 1],
])('of %i succeeded and %i failed, the rate is %s', (succeeded, failed, rate) => {
  expect(successRate({ succeeded, failed })).toBe(rate);
});

test.each([
  ['refunds, disputes that are not won, and fees', { volume: 100, refunded: 20, withdrawn: 30, fees: 4 }, 46],
  ['more than came in', { volume: 10, refunded: 0, disputed: 25, withdrawn: 25 }, -15],
])('the net volume is what %s leave', (_, counts, net) => {
  expect(netOf({ ...zero, ...counts })).toBe(net);
});
