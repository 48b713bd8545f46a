import type { IntervalModel } from './days.ts';
import type { CouponModel, PriceModel } from './state.ts';

/** What the merchant of the simulation sells: awkward amounts, because round ones hide errors of rounding. */
const groups: { currency: string; interval: IntervalModel; amounts: number[] }[] = [
  { currency: 'eur', interval: { unit: 'month', count: 1 }, amounts: [999, 2_501, 10_007, 333] },
  { currency: 'eur', interval: { unit: 'month', count: 3 }, amounts: [2_999, 8_051] },
  { currency: 'eur', interval: { unit: 'year', count: 1 }, amounts: [11_999, 29_993] },
  // No shorter ones: a boundary would fall on the second of a retry, and the order of the two is nobody's promise.
  { currency: 'eur', interval: { unit: 'week', count: 2 }, amounts: [701, 1_303] },
  { currency: 'eur', interval: { unit: 'day', count: 10 }, amounts: [151, 457] },
  { currency: 'usd', interval: { unit: 'month', count: 1 }, amounts: [1_501, 777] },
];

export const priceGroups: PriceModel[][] = groups.map(({ currency, interval, amounts }) =>
  amounts.map((unitAmount) => ({ key: `${currency} ${unitAmount}`, currency, unitAmount, interval })),
);

export const couponsOffered: CouponModel[] = [
  { key: '10%', off: { percent: 10 }, duration: 'forever' },
  { key: '33.33% once', off: { percent: 33.33 }, duration: 'once' },
  { key: '50% for 3 months', off: { percent: 50 }, duration: { months: 3 } },
  { key: '100% once', off: { percent: 100 }, duration: 'once' },
  { key: '5 off', off: { amount: 500, currency: 'eur' }, duration: 'once' },
  { key: '1.51 off', off: { amount: 151, currency: 'eur' }, duration: 'forever' },
  { key: '2 off for 2 months', off: { amount: 200, currency: 'eur' }, duration: { months: 2 } },
];
