import type { Change, Statistics } from '@tollgate/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf } from '../src/kit/days.ts';
import { paramsOf, shownValue } from '../src/kit/filters.ts';
import { actionOf, byUrgency, countOf } from '../src/nouns/urgency.ts';
import { gathered, shownRate } from '../src/pages/home/figures.ts';
import { filtersOf, questionsOf, rangeOf, rangeProblem, spanOf } from '../src/pages/home/range.ts';
import { compactMoney, roundAbove } from '../src/pages/home/scale.ts';
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
    expect(rangeProblem('', '2026-11-16')).toBe('Select two days');
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

  test('and each part of it has the filters of a list with the same bounds', () => {
    for (const search of [{}, { range: '30d' }, { range: '24h' }, { from: '2026-10-25', to: '2026-10-25' }]) {
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

test('a scale ends with a round number', () => {
  expect([0, 1, 12, 35, 501, 0.07, 9_999].map(roundAbove).map((top) => Math.round(top * 100) / 100)).toEqual([
    1, 1, 20, 40, 600, 0.08, 10_000,
  ]);
  expect([compactMoney(0, 'eur'), compactMoney(1_250, 'eur'), compactMoney(0.5, 'eur')]).toEqual([
    '€0',
    '€1.3K',
    '€0.5',
  ]);
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

test('what needs a person: the command of the operator stands apart; the most urgent comes first', () => {
  expect(actionOf({ action: 'Submit evidence, or close the dispute.' })).toEqual({
    sentence: 'Submit evidence, or close the dispute.',
  });
  expect(actionOf({ action: 'The operator records it: tollgate payments settle py_1 --as <status>' })).toEqual({
    sentence: 'The operator records it.',
    command: 'npx tollgate payments settle py_1 --as <status>',
  });
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
