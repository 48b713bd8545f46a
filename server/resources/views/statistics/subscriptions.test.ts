import { expect, test } from 'vitest';
import { daysOf, joined, totalsOfDays } from './subscriptions.ts';

const day = 86_400;

test.each([
  ['of whole days', { from: 2 * day, to: 4 * day }, [2, 3]],
  ['that begins and ends within days', { from: 2 * day + 7, to: 4 * day + 1 }, [2, 3, 4]],
  ['of a second', { from: 5 * day - 1, to: 5 * day }, [4]],
])('a range %s has the days that it touches', (_, range, starts) => {
  expect(daysOf(range)).toEqual(starts.map((start) => ({ start: start * day, end: (start + 1) * day })));
});

const none = {
  mrr: 0,
  active: 0,
  new: 0,
  lost: 0,
  recovered: 0,
  recovered_amount: 0,
  lost_invoices: 0,
  lost_amount: 0,
};
const counts = [
  { at: 2, currency: 'eur', mrr: 500, active: 2 },
  { at: 1, currency: 'eur', mrr: 300, active: 1 },
  { at: 2, currency: 'eur', new: 1, lost: 0 },
  { at: 1, currency: 'usd', new: 2, lost: 1 },
  { at: 1, currency: 'eur', new: 4 },
  { at: 2, currency: 'jpy', mrr: 0, active: 0 },
];

test('what several sources have of a day and currency is one row; where there is nothing, there is none', () => {
  expect(joined(counts)).toEqual([
    { at: 1, currency: 'eur', counts: { ...none, mrr: 300, active: 1, new: 4 } },
    { at: 1, currency: 'usd', counts: { ...none, new: 2, lost: 1 } },
    { at: 2, currency: 'eur', counts: { ...none, mrr: 500, active: 2, new: 1 } },
  ]);
});

test('totals add up what happened, and have the revenue of the last day', () => {
  expect(totalsOfDays(joined(counts), 2)).toEqual([
    { currency: 'eur', counts: { ...none, mrr: 500, active: 2, new: 5 } },
    { currency: 'usd', counts: { ...none, new: 2, lost: 1 } },
  ]);
});
