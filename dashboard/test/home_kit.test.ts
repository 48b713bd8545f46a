import type { Change, Statistics, StatisticsSubscriptions } from '@tollgate/node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf } from '../src/kit/days.ts';
import { paramsOf, shownValue } from '../src/kit/filters.ts';
import { actionOf, byUrgency, countOf, sharedSentence } from '../src/nouns/urgency.ts';
import { rowsOf } from '../src/pages/home/breakdown_rows.ts';
import { changeOf, rateChangeOf } from '../src/pages/home/change.ts';
import { gathered, shownRate } from '../src/pages/home/figures.ts';
import {
  filtersOf,
  questionsOf,
  rangeOf,
  rangeProblem,
  spanBefore,
  spanName,
  spanOf,
} from '../src/pages/home/range.ts';
import { daysAround, recurringOf } from '../src/pages/home/recurring.ts';
import { compactMoney, scaleBetween } from '../src/pages/home/scale.ts';
import { barsOf, linesOf, type Series, scaleOf } from '../src/pages/home/series.ts';
import { shortReason } from '../src/pages/needs_attention/kinds.ts';
import { isConcerned } from '../src/shell/live/concern.ts';

const created = { kind: 'days', name: 'created', title: 'Created' } as const;
const [hour, day] = [3_600, 86_400];
const at = (text: string) => new Date(text).getTime() / 1_000;

// Where clocks go back on 25 October 2026, and forward on 29 March 2026.
const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('a range', () => {
  const now = new Date('2026-11-16T13:20:00+01:00');

  test.each([
    [{}, 'day', 7, '2026-11-10T00:00+01:00', '2026-11-17T00:00+01:00'],
    [{ range: '30d' }, 'day', 30, '2026-10-18T00:00+02:00', '2026-11-17T00:00+01:00'],
    [{ range: '24h' }, 'hour', 24, '2026-11-15T14:00+01:00', '2026-11-16T14:00+01:00'],
    [{ range: '90d' }, 'day', 90, '2026-08-19T00:00+02:00', '2026-11-17T00:00+01:00'],
    [{ range: '12m' }, 'month', 12, '2025-12-01T00:00+01:00', '2026-11-17T00:00+01:00'],
    [{ from: '2026-01-15', to: '2026-11-03' }, 'month', 11, '2026-01-15T00:00+01:00', '2026-11-04T00:00+01:00'],
    [{ range: 'nonsense' }, 'day', 7, '2026-11-10T00:00+01:00', '2026-11-17T00:00+01:00'],
    [{ from: '2026-11-01', to: '2026-11-03' }, 'day', 3, '2026-11-01T00:00+01:00', '2026-11-04T00:00+01:00'],
    [{ from: '2026-10-25', to: '2026-10-25' }, 'hour', 25, '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'],
    [{ from: '2026-11-03', to: '2026-11-01' }, 'day', 7, '2026-11-10T00:00+01:00', '2026-11-17T00:00+01:00'],
  ] as const)('%j is by the %s, in %i parts', (search, unit, count, from, to) => {
    const span = spanOf(search, now);
    expect([span.unit, span.edges.length - 1]).toEqual([unit, count]);
    expect([span.edges[0], span.edges.at(-1)]).toEqual([at(from), at(to)]);
  });

  test('that is chosen has an order, and an end', () => {
    expect(rangeProblem('2026-11-02', '2026-11-01')).toMatch('must not be before');
    expect(rangeProblem('2025-11-16', '2026-11-16')).toBeUndefined();
    expect(rangeProblem('2025-11-15', '2026-11-16')).toBe('At most 366 days');
    for (const from of ['', '2026-02-30', '2026-11-01T00:00Z'])
      expect(rangeProblem(from, '2026-11-16')).toBe('Select two days');
    expect(rangeOf({ from: '2026-11-01', to: '2026-11-03' })).toEqual({ from: '2026-11-01', to: '2026-11-03' });
  });

  test('asks for days that begin at midnight, also around the day on which clocks change', () => {
    const span = spanOf({ range: '30d' }, now);
    expect(questionsOf(span)).toEqual([
      { from: at('2026-10-18T00:00+02:00'), to: at('2026-10-25T00:00+02:00') },
      { from: at('2026-10-25T00:00+02:00'), to: at('2026-10-26T00:00+01:00') },
      { from: at('2026-10-26T00:00+01:00'), to: at('2026-11-17T00:00+01:00') },
    ]);
    expect(questionsOf(spanOf({}, now))).toHaveLength(1);
    expect(questionsOf(spanOf({ range: '24h' }, now))).toHaveLength(1);
  });

  test('of months asks for days as well', () => {
    const questions = questionsOf(spanOf({ range: '12m' }, now));
    expect(questions.map(({ from, to }) => (to - from) / hour)).toEqual([118 * 24, 23, 209 * 24, 25, 22 * 24]);
  });

  test.each([
    [{}, '2026-11-03T00:00+01:00', '2026-11-09T14:00+01:00'],
    [{ range: '30d' }, '2026-09-18T00:00+02:00', '2026-10-17T14:00+02:00'],
    [{ range: '24h' }, '2026-11-14T14:00+01:00', '2026-11-15T14:00+01:00'],
    [{ range: '12m' }, '2024-12-01T00:00+01:00', '2025-11-16T14:00+01:00'],
    [{ from: '2026-11-01', to: '2026-11-03' }, '2026-10-29T00:00+01:00', '2026-11-01T00:00+01:00'],
    [{ from: '2026-11-30', to: '2026-12-02' }, '2026-11-27T00:00+01:00', '2026-11-30T00:00+01:00'],
    [{ from: '2026-08-31', to: '2027-01-15' }, '2026-02-28T00:00+01:00', '2026-07-16T00:00+02:00'],
  ] as const)('%j is compared with as much time before it, until the same hour', (search, from, to) => {
    const span = spanOf(search, now);
    const before = spanBefore(span, now);
    expect([before.edges[0], before.edges.at(-1)]).toEqual([at(from), at(to)]);
    expect([before.unit, before.edges.length]).toEqual([span.unit, span.edges.length]);
    expect(before.edges).toEqual(before.edges.toSorted((one, other) => one - other));
  });

  test('has a name, with years unless all of it is in this one', () => {
    const year = new Date().getFullYear();
    // Noon is on the same day in every zone.
    const days = (from: string, to: string) =>
      spanName({ unit: 'day', edges: [at(`${from}T12:00Z`), at(`${to}T12:00Z`)] });
    const names = [days(`${year}-11-03`, `${year}-11-09`), days(`${year - 1}-12-01`, `${year}-01-02`)];
    expect(names.map((name) => name.replaceAll(/\s/g, ' '))).toEqual([
      'Nov 3 – 9',
      `Dec 1, ${year - 1} – Jan 2, ${year}`,
    ]);
  });

  test('and each part of it has the filters of a list with the same bounds', () => {
    for (const search of [
      {},
      { range: '30d' },
      { range: '12m' },
      { range: '24h' },
      { from: '2026-10-25', to: '2026-10-25' },
    ]) {
      const span = spanOf(search, now);
      const bounds = (part?: number) => paramsOf([created], filtersOf(span, part)).created;
      expect(bounds()).toEqual({ gte: span.edges[0], lt: span.edges.at(-1) });
      for (const [part, from] of span.edges.slice(0, -1).entries())
        expect(bounds(part)).toEqual({ gte: from, lt: span.edges[part + 1] });
    }
  });

  test('instants in an address are shown in the zone of the browser', () => {
    const search = { created_from: instantOf(at('2026-11-15T14:00+01:00')), created_to: '2026-11-16T13:00Z' };
    expect(search.created_from).toBe('2026-11-15T13:00Z');
    expect(shownValue(created, search)).toBe('2026-11-15 14:00 to 2026-11-16 14:00');
    expect(paramsOf([created], { created_from: '2026-99-99T99:00Z' })).toEqual({});
  });
});

test('figures of a day of 25 hours are added up, and currencies are kept apart', () => {
  const span = spanOf({ from: '2026-10-24', to: '2026-10-26' }, new Date());
  const [first, second, third] = span.edges as [number, number, number];
  const row = (start: number, currency: string, payments: number) => ({
    start,
    end: start + hour,
    currency,
    payments,
    succeeded: payments,
    failed: 1,
    volume: payments * 100,
    refunds: 0,
    refunded: 0,
    disputes: 0,
    disputed: 0,
    withdrawn: 0,
    fees: payments,
    net: payments * 99,
  });
  const answer = (data: object[]) => ({ data }) as Statistics;
  const found = gathered(span, [
    answer([row(first, 'usd', 1)]),
    answer([row(second, 'eur', 2), row(second + day, 'eur', 3)]),
    answer([row(third, 'eur', 4)]),
  ]);
  expect(
    found.map(({ currency, total, parts }) => [currency, total.payments, parts.map((part) => part.volume)]),
  ).toEqual([
    ['eur', 9, [0, 500, 400]],
    ['usd', 1, [100, 0, 0]],
  ]);
  expect(shownRate(found[0]!.total)).toBe('75%');
  expect(shownRate({ ...found[0]!.total, succeeded: 9_999, failed: 1 })).toBe('99.9%');
  expect(shownRate({ ...found[0]!.total, succeeded: 0, failed: 0 })).toBe('–');
});

test.each([
  [0, 0, [0, 1], [0, 1]],
  [0, 1, [0, 1], [0, 0.25, 0.5, 0.75, 1]],
  [0, 930, [0, 1_000], [0, 250, 500, 750, 1_000]],
  [-130, 930, [-175.2, 1_000], [0, 500, 1_000]],
  [-9_000, 100, [-9_560, 5_000], [-5_000, 0, 5_000]],
  [-70, 0, [-72.8, 0], [-60, -40, -20, 0]],
])('a scale from %d to %d has round lines, zero among them', (low, high, range, lines) => {
  const scale = scaleBetween(low, high);
  const rounded = (values: number[]) => values.map((value) => Math.round(value * 100) / 100 + 0);
  expect([rounded(scale.range), rounded(scale.lines)]).toEqual([range, lines]);
});

test('a scale has room for all of it, and no more lines than can be read', () => {
  const values = fc.tuple(
    fc.double({ min: -1e9, max: 0, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(values, ([low, high]) => {
      const { range, lines } = scaleBetween(low, high);
      expect(range[0]).toBeLessThanOrEqual(low);
      expect(range[1]).toBeGreaterThanOrEqual(high * (1 - 1e-9));
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(lines.some((line) => line === 0)).toBe(true);
    }),
  );
});

test('bars below zero are stacked, and the scale has room for the stack', () => {
  const series: Series[] = [
    { name: 'Gross', tone: 'gross', values: [100, 0] },
    { name: 'Refunds', tone: 'refunds', values: [20, 0] },
    { name: 'Disputes', tone: 'disputes', values: [30, 40] },
    { name: 'Before', tone: 'before', values: [null, 210] },
  ];
  expect(barsOf(series)).toEqual([
    { tone: 'gross', part: 0, from: 0, to: 100 },
    { tone: 'refunds', part: 0, from: 0, to: -20 },
    { tone: 'disputes', part: 0, from: -20, to: -50 },
    { tone: 'disputes', part: 1, from: 0, to: -40 },
  ]);
  expect(linesOf(series)).toEqual([{ tone: 'before', points: [{ part: 1, value: 210 }] }]);
  const [low, high] = scaleOf(series).range;
  expect([low <= -50, high >= 210]).toEqual([true, true]);
});

test('amounts beside a scale are short', () => {
  const shown = [0, 1_250, 0.5, -500].map((units) => compactMoney(units, 'eur'));
  expect(shown).toEqual(['€0', '€1.3K', '€0.5', '-€500']);
  expect(compactMoney(1_250_000, 'jpy')).toBe('¥1.3M');
});

test.each([
  [110, 100, 'up', '10%'],
  [100, 110, 'down', '9.1%'],
  [100_001, 100_000, 'same', '0%'],
  [0, 0, 'same', '0%'],
  [0, 5, 'down', '100%'],
  [-5, 5, 'down', '200%'],
  [5_000, 1, 'up', '>1,000%'],
] as const)('%d after %d is %s by %s', (now, before, way, by) => {
  expect(changeOf(now, before)).toEqual({ way, by });
});

test('nothing, and what was below zero, is not compared; rates are compared in points', () => {
  expect([changeOf(5, 0), changeOf(5, -3), rateChangeOf(1, undefined), rateChangeOf(undefined, 1)]).toEqual(
    Array(4).fill(undefined),
  );
  expect(rateChangeOf(0.955, 0.94)).toEqual({ way: 'up', by: '1.5 points' });
  expect(rateChangeOf(0.93, 0.94)).toEqual({ way: 'down', by: '1 point' });
  expect(rateChangeOf(0.93, 0.93)).toEqual({ way: 'same', by: '0 points' });
});

describe('a change', () => {
  const paid: Change = { object: 'change', type: 'payment.succeeded', subject: 'py_1', event: 'evt_1' };
  const sent: Change = {
    object: 'change',
    type: 'webhook_delivery.attempted',
    subject: 'py_1',
    event: 'evt_1',
    webhook_endpoint: 'we_1',
  };

  const setUp: Change = { ...paid, type: 'setup.canceled', subject: 'set_1' };

  test.each([
    [paid, ['payments', 'list', {}], true],
    [paid, ['payments', 'py_1'], true],
    [paid, ['payments', 'py_1', 'attempts'], true],
    [paid, ['payments', 'py_2'], false],
    [paid, ['customers', 'cus_1', 'payments'], true],
    [paid, ['refunds', 'list', {}], false],
    [paid, ['prices', 'list', {}], false],
    [paid, ['api_keys', 'list', {}], false],
    [paid, ['statistics', 'day', 1, 2], true],
    [paid, ['needs_attention'], true],
    [paid, ['events', 'list', {}], true],
    [paid, ['timeline', 'py_1'], true],
    [paid, ['timeline', 'py_2'], false],
    [paid, ['something new'], true],
    [sent, ['webhook_endpoints', 'we_1', 'deliveries'], true],
    [sent, ['webhook_endpoints', 'we_2', 'deliveries'], false],
    [sent, ['payments', 'list', {}], false],
    [sent, ['needs_attention'], true],
    [setUp, ['payment_methods', 'pm_1', 'setups'], true],
    [setUp, ['setups', 'set_1'], true],
    [setUp, ['setups', 'set_2'], false],
  ] as const)('%j concerns %j: %s', (change, key, concerned) => expect(isConcerned(key, change)).toBe(concerned));
});

describe('recurring revenue', () => {
  const midnight = at('2026-11-10T00:00Z');
  const none = { new: 0, lost: 0, recovered: 0, recovered_amount: 0, lost_invoices: 0, lost_amount: 0 };
  const row = (days: number, mrr: number, more: object = {}) => ({
    start: midnight + days * day,
    end: midnight + (days + 1) * day,
    currency: 'eur',
    mrr,
    active: mrr / 100,
    ...none,
    ...more,
  });
  const answer = (data: object[], more: object = {}) =>
    ({ from: midnight, to: midnight + 4 * day, totals: [], data, ...more }) as unknown as StatisticsSubscriptions;

  test('is compared with the end of the day before the range; what happened on that day is not counted', () => {
    const [found] = recurringOf(
      answer([
        row(0, 500, { new: 5 }),
        row(1, 600, { new: 1 }),
        row(3, 300, { lost: 3, recovered: 1, recovered_amount: 70 }),
      ]),
    );
    expect(found!.mrr).toEqual({ now: 300, before: 500 });
    expect(found!.total).toEqual({ ...none, new: 1, lost: 3, recovered: 1, recovered_amount: 70 });
    // A day without a row had no subscriptions.
    expect(found!.days.map(({ mrr }) => mrr)).toEqual([600, 0, 300]);
  });

  test('is not known before its history', () => {
    const [found] = recurringOf(answer([row(2, 400), row(3, 400)], { since: midnight + 2 * day }));
    expect(found!.mrr).toEqual({ now: 400, before: undefined });
    expect(found!.days.map(({ mrr }) => mrr)).toEqual([null, 400, 400]);
  });

  test('is asked for by the days of UTC that a range touches, and one more, up to today', () => {
    const now = new Date('2026-11-16T23:30:00Z');
    const from = (search: Record<string, string>) => {
      const asked = daysAround(spanOf(search, now).edges, now);
      return [asked.from, asked.to].map((seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10));
    };
    // In Berlin it is the 17th already.
    expect(from({})).toEqual(['2026-11-09', '2026-11-17']);
    expect(from({ range: '24h' })).toEqual(['2026-11-15', '2026-11-17']);
    expect(from({ from: '2025-11-17', to: '2026-11-16' })).toEqual(['2025-11-16', '2026-11-17']);
  });
});

test('what is known by the kind of an item is not said again', () => {
  expect(shortReason({ kind: 'dispute', reason: 'The cardholder disputes the payment: product not received.' })).toBe(
    'Product not received.',
  );
  expect(shortReason({ kind: 'dispute', reason: 'The bank asks.' })).toBe('The bank asks.');
  expect(shortReason({ kind: 'invoice', reason: 'Declined: later.' })).toBe('Declined: later.');
});

test('a breakdown has five rows, the last of which is all that is left', () => {
  const row = (value: string | undefined, payments: number, currency = 'eur') => ({
    currency,
    ...(value !== undefined && { value }),
    payments,
    succeeded: payments - 1,
    failed: 1,
    volume: 0,
  });
  const few = [row('visa', 9), row(undefined, 4), row('visa', 3, 'usd')];
  expect(rowsOf({ data: few, other: [] }, 'eur').map(({ value, payments }) => [value, payments])).toEqual([
    ['visa', 9],
    [undefined, 4],
  ]);
  const many = ['DE', 'FR', 'GB', 'US', 'JP', 'KW'].map((value, at) => row(value, 20 - at));
  const other = [{ currency: 'eur', values: 30, payments: 60, succeeded: 50, failed: 10, volume: 0 }];
  const rows = rowsOf({ data: many, other }, 'eur');
  expect(rows.map(({ value, others }) => value ?? others)).toEqual(['DE', 'FR', 'GB', 'US', 32]);
  expect(rows.at(-1)).toMatchObject({ payments: 16 + 15 + 60, succeeded: 15 + 14 + 50, failed: 12 });
});

test('what needs a person: the command of the operator stands apart; the most urgent comes first', () => {
  expect(actionOf({ action: 'Submit evidence, or close the dispute.' })).toEqual({
    sentence: 'Submit evidence, or close the dispute.',
  });
  expect(actionOf({ action: 'The operator records it: tollgate payments settle py_1 --as <status>' })).toEqual({
    sentence: 'The operator records it.',
    command: 'payments settle py_1 --as <status>',
  });
  const difference = {
    action: 'Compare it. Accept it on the page, or with the command: tollgate reconcile --accept ch_1',
  };
  expect(actionOf(difference)).toEqual({
    sentence: 'Compare it. Accept it on the page, or with the command.',
    command: 'reconcile --accept ch_1',
  });
  // Who can accept it on the page needs no command.
  const accepted = actionOf(difference, true);
  expect(accepted).toEqual({ sentence: 'Compare it. Accept it on the page.' });
  expect(sharedSentence([accepted, accepted])).toBe('Compare it. Accept it on the page.');
  expect(sharedSentence([accepted])).toBe(undefined);
  expect(sharedSentence([accepted, actionOf(difference)])).toBe(undefined);
  const items = [
    { id: 'a', since: 5 },
    { id: 'b', since: 1, due_by: 9 },
    { id: 'c', since: 4 },
  ];
  expect(byUrgency(items as never).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  expect([
    countOf([]),
    countOf([
      { count: 100, has_more: true },
      { count: 2, has_more: false },
    ]),
  ]).toEqual(['0', '102+']);
});
