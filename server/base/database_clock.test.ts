import { afterEach, describe, expect, test, vi } from 'vitest';
import { DatabaseClock } from './database_clock.ts';
import type { Pool } from './sql.ts';

afterEach(() => vi.restoreAllMocks());

/** A database whose clock is behind or ahead of this machine's. */
function databaseWith(offsetMs: number): Pool {
  const query = async () => ({
    fields: [{ name: 'ms' }],
    rows: [[performance.timeOrigin + performance.now() + offsetMs]],
  });
  return { query } as unknown as Pool;
}
const hour = 3_600_000;

describe('the time of the database', () => {
  test.each([0, hour, -hour])('is used by this instance, also %i ms away from its own', async (offset) => {
    const clock = new DatabaseClock(databaseWith(offset));
    await clock.start();
    expect(Math.abs(clock.now() - (performance.timeOrigin + performance.now() + offset))).toBeLessThan(50);
    expect(Number.isInteger(clock.now())).toBe(true);
    clock.stop();
  });

  test('is not affected when the wall clock of this machine jumps', async () => {
    const clock = new DatabaseClock(databaseWith(0));
    await clock.start();
    const before = clock.now();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - hour);
    expect(clock.now() - before).toBeGreaterThanOrEqual(0);
    expect(clock.now() - before).toBeLessThan(1_000);
    clock.stop();
  });

  test('that cannot be read makes start() fail', async () => {
    const query = async () => {
      throw new Error('no database');
    };
    await expect(new DatabaseClock({ query } as unknown as Pool).start()).rejects.toThrow('no database');
  });
});
