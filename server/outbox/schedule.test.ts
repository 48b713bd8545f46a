import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDelivered, nextAttempt } from './schedule.ts';

const hour = 3_600_000;
/** The pause after the first attempt, after the second, and so on, as documented for merchants. */
const gaps = [5_000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const day = 24 * hour;

const failed = (retryAfterSeconds?: number, status: number | null = 500) => ({ status, retryAfterSeconds });
const pauseOf = (made: number, tried = failed(), random = 0.5) => {
  const next = nextAttempt(made, tried, random);
  if (next.state !== 'pending') throw new Error(`attempt ${made} is followed by ${next.state}`);
  return next.inMs;
};

const made = fc.integer({ min: 1, max: gaps.length });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const failure = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 100, max: 199 }),
  fc.integer({ min: 300, max: 599 }),
) as fc.Arbitrary<number | null>;
const retryAfter = fc.option(fc.integer({ min: 0, max: 10 * 86_400 }), { nil: undefined });

describe('what counts as delivered', () => {
  const cases: [number | null, boolean][] = [
    ...[200, 201, 202, 204, 206, 299].map((status): [number, boolean] => [status, true]),
    ...[100, 199, 300, 301, 302, 307, 400, 404, 410, 429, 500, 503, 599].map((s): [number, boolean] => [s, false]),
    [null, false],
  ];
  test.each(cases)('%s: %s', (status, delivered) => expect(isDelivered(status)).toBe(delivered));

  test('ends the delivery, whichever attempt it was and whatever else the response said', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 200, max: 299 }),
        retryAfter,
        random,
        (n, status, retryAfterSeconds, chance) => {
          expect(nextAttempt(n, { status, retryAfterSeconds }, chance)).toEqual({ state: 'delivered' });
        },
      ),
    );
  });
});

describe('the pause after a failure', () => {
  test.each(gaps.map((gap, at): [number, number] => [at + 1, gap]))('after attempt %s is about %s ms', (n, gap) => {
    expect(pauseOf(n)).toBeCloseTo(gap, 3);
    expect(pauseOf(n, failed(), 0)).toBeCloseTo(gap * 0.9, 3);
    expect(pauseOf(n, failed(), 1)).toBeCloseTo(gap * 1.1, 3);
  });

  test('adds up to 75 hours and 35 minutes, as documented', () => {
    const sum = gaps.reduce((all, _, at) => all + pauseOf(at + 1), 0);
    expect(sum).toBeCloseTo(75 * hour + 35 * 60_000 + 5_000, 2);
  });

  test('stays within ten per cent of the schedule, whatever failed', () => {
    fc.assert(
      fc.property(made, failure, random, (n, status, chance) => {
        const pause = pauseOf(n, failed(undefined, status), chance);
        expect(pause).toBeGreaterThanOrEqual(gaps[n - 1]! * 0.9 - 0.001);
        expect(pause).toBeLessThanOrEqual(gaps[n - 1]! * 1.1 + 0.001);
      }),
    );
  });

  test('grows evenly with the random number', () => {
    fc.assert(
      fc.property(made, random, random, (n, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(pauseOf(n, failed(), low)).toBeLessThanOrEqual(pauseOf(n, failed(), high));
      }),
    );
  });

  test('does not exist after the tenth attempt: the delivery is exhausted, even when the receiver asked for more time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 50 }), failure, retryAfter, random, (n, status, asked, chance) => {
        expect(nextAttempt(n, failed(asked, status), chance)).toEqual({ state: 'exhausted' });
      }),
    );
  });
});

describe('Retry-After', () => {
  const cases: [string, number, number, number][] = [
    ['longer than the plan is kept exactly', 1, 3_600, hour],
    ['shorter than the plan changes nothing', 4, 60, 2 * hour],
    ['of nothing changes nothing', 1, 0, 5_000],
    ['of exactly a day is kept', 1, 86_400, day],
    ['of more than a day counts as a day', 1, 86_401, day],
    ['of a year counts as a day', 8, 365 * 86_400, day],
    ['of a day after the ninth attempt is the plan itself', 9, 86_400, day],
  ];
  test.each(cases)('%s', (_, n, seconds, pause) => expect(pauseOf(n, failed(seconds, 429))).toBeCloseTo(pause, 3));

  test('sets the minimum pause, up to a day, and never shortens the schedule', () => {
    fc.assert(
      fc.property(made, failure, fc.integer({ min: 0, max: 10 * 86_400 }), random, (n, status, seconds, chance) => {
        const pause = pauseOf(n, failed(seconds, status), chance);
        expect(pause).toBeGreaterThanOrEqual(Math.min(seconds * 1_000, day));
        expect(pause).toBe(Math.max(pauseOf(n, failed(undefined, status), chance), Math.min(seconds * 1_000, day)));
        expect(pause).toBeLessThanOrEqual(1.1 * day + 0.001);
      }),
    );
  });
});
