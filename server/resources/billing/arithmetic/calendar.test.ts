import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMostThreeYears, boundary, boundaryAfter, monthsAfter, periodAt, type Recurring } from './calendar.ts';

const every = (interval: Recurring['interval'], interval_count = 1): Recurring => ({ interval, interval_count });
const daily = every('day');
const weekly = every('week');
const monthly = every('month');
const quarterly = every('month', 3);
const halfYearly = every('month', 6);
const yearly = every('year');

/** Unix seconds of a date, at midnight unless it names a time. A number is unix seconds already. */
const at = (when: string | number) =>
  typeof when === 'number' ? when : Date.parse(when.includes('T') ? `${when}Z` : `${when}T00:00:00Z`) / 1_000;

// Where a number comes from. What has no publisher is `rule`: it follows from the rules of the calendar alone.
const stripe = 'Stripe, documentation of the billing cycle';
const stripeSeconds = 'Stripe, list api-discuss, a subscription since 4 March 2016';
const stripeEvent = 'Stripe, recorded event invoiceitem.created in the fixtures of stripe-ruby-mock';
const stripeRecorded = 'Stripe, recorded answer in the fixtures of CodeCombat';
const killBill = (name: string) => `Kill Bill, ${name}`;
const lago = (name: string) => `Lago, ${name}_service_spec`;
const rule = 'rule';

describe('boundary', () => {
  test.each<[string, Recurring, string | number, number, string | number]>([
    [stripe, monthly, '2023-01-31', 1, '2023-02-28'],
    [stripe, monthly, '2023-01-31', 2, '2023-03-31'],
    [stripe, monthly, '2023-01-31', 3, '2023-04-30'],
    [stripe, monthly, '2024-01-31', 1, '2024-02-29'],
    [stripe, monthly, '2022-09-02', 1, '2022-10-02'],
    [stripe, weekly, '2022-06-03', 1, '2022-06-10'],
    [stripeSeconds, monthly, 1_457_120_383, 1, 1_459_798_783],
    [stripeSeconds, every('day', 30), 1_454_528_383, 1, 1_457_120_383],
    [stripeEvent, monthly, 1_648_320_096, 1, 1_650_998_496],
    [stripeRecorded, monthly, 1_450_207_098, 1, 1_452_885_498],
    [killBill('TestIntegration, billing day in the past'), monthly, '2012-03-31', 1, '2012-04-30'],
    [killBill('TestIntegration, billing day in the past'), monthly, '2012-03-31', 2, '2012-05-31'],
    [killBill('TestIntegration, billing day in the past'), monthly, '2012-03-31', 3, '2012-06-30'],
    [killBill('TestIntegration, billing day in the past'), monthly, '2012-03-31', 4, '2012-07-31'],
    [killBill('TestInAdvanceBillingIntervalDetail, issue 127'), monthly, '2017-01-31', 2, '2017-03-31'],
    [killBill('TestInAdvanceBillingIntervalDetail, issue 127'), monthly, '2017-01-31', 3, '2017-04-30'],
    [killBill('TestProRation, all of February'), monthly, '2012-01-30', 1, '2012-02-29'],
    [killBill('TestProRation, crossing a year'), monthly, '2010-12-15', 1, '2011-01-15'],
    [killBill('TestIntegration, thirty days'), every('day', 30), '2015-05-01', 1, '2015-05-31'],
    [killBill('TestIntegration, thirty days'), every('day', 30), '2015-05-01', 12, '2016-04-25'],
    [killBill('TestIntegration, annual'), yearly, '2015-10-01', 1, '2016-10-01'],
    [killBill('TestBillCycleDayCalculator'), weekly, '2022-02-02T17:28:00', 3, '2022-02-23T17:28:00'],
    [killBill('TestBillCycleDayCalculator'), every('week', 2), '2022-02-02T17:28:00', 2, '2022-03-02T17:28:00'],
    [lago('monthly'), monthly, '2021-03-31', 1, '2021-04-30'],
    [lago('monthly'), monthly, '2021-03-31', 11, '2022-02-28'],
    [lago('monthly'), monthly, '2020-01-31', 1, '2020-02-29'],
    [lago('monthly'), monthly, '2019-04-30', 10, '2020-02-29'],
    [lago('monthly'), monthly, '2022-01-30', 1, '2022-02-28'],
    [lago('quarterly'), quarterly, '2021-01-31', 1, '2021-04-30'],
    [lago('quarterly'), quarterly, '2021-05-30', 3, '2022-02-28'],
    [lago('quarterly'), quarterly, '2021-11-30', 1, '2022-02-28'],
    [lago('quarterly'), quarterly, '2021-02-28', 3, '2021-11-28'],
    [lago('semiannual'), halfYearly, '2021-05-30', 1, '2021-11-30'],
    [lago('semiannual'), halfYearly, '2021-02-28', 1, '2021-08-28'],
    [lago('yearly'), yearly, '2020-02-29', 2, '2022-02-28'],
    [lago('yearly'), yearly, '2020-02-29', 4, '2024-02-29'],
    [lago('yearly'), yearly, '2020-02-29', 5, '2025-02-28'],
    [rule, monthly, '2000-01-31', 1, '2000-02-29'],
    [rule, monthly, '2100-01-31', 1, '2100-02-28'],
    [rule, yearly, '2096-02-29', 4, '2100-02-28'],
    [rule, yearly, '2096-02-29', 8, '2104-02-29'],
    [rule, yearly, '2000-02-29', 400, '2400-02-29'],
    [rule, every('year', 3), '2024-02-29', 1, '2027-02-28'],
    [rule, every('month', 36), '2024-02-29', 1, '2027-02-28'],
    [rule, every('month', 5), '2023-08-31', 1, '2024-01-31'],
    [rule, every('month', 5), '2023-08-31', 2, '2024-06-30'],
    [rule, monthly, '2023-12-31T23:59:59', 2, '2024-02-29T23:59:59'],
    [rule, monthly, '2024-01-29T12:34:56', 1, '2024-02-29T12:34:56'],
    [rule, monthly, '2024-01-31T00:00:01', 0, '2024-01-31T00:00:01'],
    [rule, monthly, '2024-03-31', -1, '2024-02-29'],
    [rule, monthly, '2024-03-31', -13, '2023-02-28'],
    [rule, yearly, '2024-02-29', -1, '2023-02-28'],
    [rule, weekly, '2022-06-03', -1, '2022-05-27'],
    [rule, monthly, '1969-12-31T23:59:59', 2, '1970-02-28T23:59:59'],
    [
      'rule: days are 86,400 s, also where clocks are put forward',
      daily,
      '2024-03-31T00:30:00',
      1,
      '2024-04-01T00:30:00',
    ],
    ['rule: five years of days', daily, '2020-03-01', 1_826, '2025-03-01'],
  ])('%s: every %j from %s, number %s: %s', (_, recurring, anchor, n, expected) => {
    expect(boundary(at(anchor), recurring, n)).toBe(at(expected));
  });
});

describe('periodAt', () => {
  test.each<[string, Recurring, string, string, string, string]>([
    [lago('monthly'), monthly, '2021-03-31', '2022-03-29', '2022-02-28', '2022-03-31'],
    [lago('weekly'), weekly, '2021-02-02', '2022-03-09', '2022-03-08', '2022-03-15'],
    [lago('quarterly'), quarterly, '2023-04-06', '2023-08-08', '2023-07-06', '2023-10-06'],
    [lago('quarterly'), quarterly, '2023-04-06', '2023-08-04', '2023-07-06', '2023-10-06'],
    [lago('semiannual'), halfYearly, '2023-01-06', '2023-08-08', '2023-07-06', '2024-01-06'],
    [lago('yearly'), yearly, '2023-03-29', '2024-03-15', '2023-03-29', '2024-03-29'],
    [lago('yearly'), yearly, '2020-02-29', '2022-03-28', '2022-02-28', '2023-02-28'],
    ['rule: the anchor itself', monthly, '2024-01-31', '2024-01-31', '2024-01-31', '2024-02-29'],
    ['rule: a second before the anchor', monthly, '2024-01-31', '2024-01-30T23:59:59', '2023-12-31', '2024-01-31'],
    ['rule: on a boundary', monthly, '2024-01-31', '2024-02-29', '2024-02-29', '2024-03-31'],
    ['rule: a second before a boundary', monthly, '2024-01-31', '2024-02-28T23:59:59', '2024-01-31', '2024-02-29'],
    ['rule: years before the anchor', yearly, '2024-02-29', '2021-02-28', '2021-02-28', '2022-02-28'],
    ['rule: days before the anchor', every('day', 10), '2024-01-11', '2023-12-31', '2023-12-22', '2024-01-01'],
  ])('%s: every %j from %s, at %s: %s to %s', (_, recurring, anchor, time, start, end) => {
    expect(periodAt(at(anchor), recurring, at(time))).toEqual({ start: at(start), end: at(end) });
  });
});

describe('boundaryAfter', () => {
  const detail = killBill('TestInAdvanceBillingIntervalDetail');
  const calculator = killBill('TestBillCycleDayCalculator');
  test.each<[string, Recurring, string, string, string]>([
    [detail, monthly, '2011-12-17', '2012-01-16', '2012-01-17'],
    [detail, monthly, '2011-12-30', '2012-02-16', '2012-02-29'],
    [detail, monthly, '2011-12-30', '2012-01-31', '2012-02-29'],
    [detail, yearly, '2012-01-30', '2012-01-31', '2013-01-30'],
    [detail, yearly, '2012-02-14', '2012-02-16', '2013-02-14'],
    [detail, monthly, '2012-01-15', '2012-07-16', '2012-08-15'],
    [detail, monthly, '2012-01-03', '2012-03-02', '2012-03-03'],
    [detail, monthly, '2012-01-03', '2012-03-04', '2012-04-03'],
    [calculator, monthly, '2022-01-23', '2022-07-19', '2022-07-23'],
    [calculator, monthly, '2022-01-17', '2022-07-19', '2022-08-17'],
    [calculator, monthly, '2022-01-31', '2022-02-19', '2022-02-28'],
    ['rule: strictly after', monthly, '2012-01-03', '2012-03-03', '2012-04-03'],
    ['rule: an anchor in the future', monthly, '2024-03-31', '2024-02-29', '2024-03-31'],
  ])('%s: every %j from %s, after %s: %s', (_, recurring, anchor, time, expected) => {
    expect(boundaryAfter(at(anchor), recurring, at(time))).toBe(at(expected));
  });
});

test.each<[string, number, string]>([
  ['2024-11-30T08:00:00', 3, '2025-02-28T08:00:00'],
  ['2023-11-30T08:00:00', 3, '2024-02-29T08:00:00'],
  ['2024-02-29', 36, '2027-02-28'],
  ['2024-12-31', 1, '2025-01-31'],
])('monthsAfter: %s and %s months: %s', (time, months, expected) => {
  expect(monthsAfter(at(time), months)).toBe(at(expected));
});

test.each<[Recurring['interval'], number]>([
  ['day', 1_095],
  ['week', 156], // Stripe, recurring.interval_count: "3 years, 36 months, or 156 weeks"
  ['month', 36],
  ['year', 3],
])('at most three years: in the interval %s, %s of them', (interval, most) => {
  expect(atMostThreeYears(every(interval, 1))).toBe(true);
  expect(atMostThreeYears(every(interval, most))).toBe(true);
  expect(atMostThreeYears(every(interval, most + 1))).toBe(false);
});

// ── Against a calendar that counts in another way: Julian day numbers, one month after the other, no Date ────────────

type Civil = { year: number; month: number; day: number; second: number };

const isLeap = (year: number) => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
const daysIn = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** The Julian day number of a Gregorian date; 1 January 1970 is 2,440,588. */
function julianDay({ year, month, day }: Civil): number {
  const fromMarch = (month + 9) % 12;
  const y = year + 4_800 - (month <= 2 ? 1 : 0);
  return (
    day +
    Math.floor((153 * fromMarch + 2) / 5) +
    365 * y +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) -
    32_045
  );
}

const secondsOf = (civil: Civil) => (julianDay(civil) - 2_440_588) * 86_400 + civil.second;

/** The date that is this many months away, by walking there month by month; only then is the day cut to the month. */
function walkMonths({ year, month, day, second }: Civil, months: number): Civil {
  let [y, m] = [year, month];
  for (let left = Math.abs(months); left > 0; left -= 1) {
    m += Math.sign(months);
    if (m === 13) [y, m] = [y + 1, 1];
    if (m === 0) [y, m] = [y - 1, 12];
  }
  return { year: y, month: m, day: Math.min(day, daysIn(y, m)), second };
}

function countedBoundary(anchor: Civil, { interval, interval_count: count }: Recurring, n: number): number {
  if (interval === 'day') return secondsOf(anchor) + 86_400 * count * n;
  if (interval === 'week') return secondsOf(anchor) + 604_800 * count * n;
  return secondsOf(walkMonths(anchor, (interval === 'year' ? 12 : 1) * count * n));
}

const civil = fc
  .record({
    year: fc.integer({ min: 1_970, max: 2_110 }),
    month: fc.integer({ min: 1, max: 12 }),
    // The days that some months lack are the ones that matter.
    day: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 28, max: 31 })),
    second: fc.oneof(fc.constantFrom(0, 1, 86_399), fc.integer({ min: 0, max: 86_399 })),
  })
  .map((date): Civil => ({ ...date, day: Math.min(date.day, daysIn(date.year, date.month)) }));

const recurring = fc.oneof(
  fc.integer({ min: 1, max: 1_095 }).map((count) => every('day', count)),
  fc.integer({ min: 1, max: 156 }).map((count) => every('week', count)),
  fc.integer({ min: 1, max: 36 }).map((count) => every('month', count)),
  fc.constantFrom(1, 1, 3, 6, 12).map((count) => every('month', count)),
  fc.integer({ min: 1, max: 3 }).map((count) => every('year', count)),
);
const number = fc.integer({ min: -60, max: 60 });

describe('for every anchor and interval', () => {
  test('boundaries are those of the counted calendar, and each is later than the one before it', () => {
    fc.assert(
      fc.property(civil, recurring, number, (anchor, each, n) => {
        const time = boundary(secondsOf(anchor), each, n);
        expect(time).toBe(countedBoundary(anchor, each, n));
        expect(boundary(secondsOf(anchor), each, n + 1)).toBeGreaterThan(time);
      }),
      { numRuns: 500 },
    );
  });

  test('periods tile time: each period ends where the next begins, and every second is in one period', () => {
    fc.assert(
      fc.property(
        civil,
        recurring,
        number,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (anchor, each, n, part) => {
          const start = countedBoundary(anchor, each, n);
          const end = countedBoundary(anchor, each, n + 1);
          const within = start + Math.floor(part * (end - start));
          for (const time of [start, within, end - 1]) {
            expect(periodAt(secondsOf(anchor), each, time)).toEqual({ start, end });
            expect(boundaryAfter(secondsOf(anchor), each, time)).toBe(end);
          }
          expect(periodAt(secondsOf(anchor), each, end).start).toBe(end);
          expect(periodAt(secondsOf(anchor), each, start - 1).end).toBe(start);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('months after a time are those of the counted calendar', () => {
    fc.assert(
      fc.property(civil, fc.integer({ min: 0, max: 120 }), (time, months) => {
        expect(monthsAfter(secondsOf(time), months)).toBe(secondsOf(walkMonths(time, months)));
      }),
      { numRuns: 300 },
    );
  });

  test('no interval of at most three years makes a period of more than 1,096 days', () => {
    fc.assert(
      fc.property(civil, recurring, number, (anchor, each, n) => {
        fc.pre(atMostThreeYears(each));
        const { start, end } = periodAt(secondsOf(anchor), each, boundary(secondsOf(anchor), each, n));
        expect(end - start).toBeLessThanOrEqual(1_096 * 86_400);
      }),
    );
  });
});

test('a period a thousand years on is found without visiting the periods between', () => {
  const anchor = at('2024-01-31');
  const began = performance.now();
  for (let time = at('3024-01-31'), calls = 0; calls < 1_000; calls += 1)
    for (const each of [daily, weekly, monthly, yearly])
      expect(periodAt(anchor, each, time + calls).end).toBeGreaterThan(time);
  // Four thousand searches take milliseconds. Visiting each of 365,000 days four thousand times takes minutes.
  expect(performance.now() - began).toBeLessThan(5_000);
});
