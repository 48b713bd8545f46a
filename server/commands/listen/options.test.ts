import { describe, expect, test } from 'vitest';
import { UsageError } from '../usage.ts';
import { startOf, typesWanted } from './options.ts';

const now = Date.UTC(2026, 10, 14, 12);

describe('the moment of --since', () => {
  const taken: [string | undefined, string][] = [
    [undefined, '2026-11-14T12:00:00.000Z'],
    ['90s', '2026-11-14T11:58:30.000Z'],
    ['10m', '2026-11-14T11:50:00.000Z'],
    ['2h', '2026-11-14T10:00:00.000Z'],
    ['30d', '2026-10-15T12:00:00.000Z'],
    ['0s', '2026-11-14T12:00:00.000Z'],
    ['2026-11-14', '2026-11-14T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-14T12:00:00Z', '2026-11-14T12:00:00.000Z'],
    ['2026-11-14T11:59Z', '2026-11-14T11:59:00.000Z'],
    ['2026-11-14T11:59:58.123Z', '2026-11-14T11:59:58.123Z'],
    ['2026-11-14T12:30:00+01:00', '2026-11-14T11:30:00.000Z'],
  ];
  test.each(taken)('%s is %s', (since, moment) => {
    expect(new Date(startOf(since, now)).toISOString()).toBe(moment);
  });

  test.each([
    ...['', ' ', '5', '2026', '1794657600', '-5m', '5M', '5 m', '1.5h', '1234567d', '2w', 'm', 'soon', 'yesterday'],
    ...['2026-11', '2026-1-4', '14.11.2026', '11/14/2026', 'Nov 14 2026', '2026-11-14 10:00:00Z', '2026-11-14Z'],
    ...['2026-11-14T10:00:00', '2026-11-14T10Z', '2026-11-14T25:00:00Z', '2026-13-01', '2026-02-29', '2026-04-31'],
    ...['2026-04-31T10:00:00Z', '2026-11-00', '+002026-11-14', '2026-11-14\n'],
  ])('%j is refused with examples of valid values', (since) => {
    const refused = () => startOf(since, now);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(/^--since takes a span such as 15m, .*, or a time such as 2026-11-14 or 2026-11-14T12:/);
  });

  test.each(['2026-11-15', '2026-11-14T12:00:01Z', '2026-11-14T12:00:00-01:00', '9999-12-31'])(
    '%s lies in the future',
    (since) => expect(() => startOf(since, now)).toThrow('--since lies in the future'),
  );
});

describe('the test event of an endpoint', () => {
  const choices: [string | undefined, boolean][] = [
    [undefined, true],
    ['*', true],
    ['webhook_endpoint.*', true],
    ['webhook_endpoint.test,customer.created', true],
    ['customer.*', false],
    ['payment.*, customer.deleted', false],
  ];
  test.each(choices)('with --events %s is forwarded: %s', (events, isForwarded) => {
    expect(typesWanted(events).has('webhook_endpoint.test')).toBe(isForwarded);
  });
});
