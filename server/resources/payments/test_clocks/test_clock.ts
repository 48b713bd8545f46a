import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';

export type TestClockId = Id<'clock'>;

export const testClockEvents = {
  'test_clock.ready': 'An advance of a test clock has ended.',
} as const;

export const testClockStatuses = ['ready', 'advancing'] as const;

/** A time for customers in test mode. It stands still until it is advanced. */
export type TestClock = Leasable & {
  id: TestClockId;
  name: string | null;
  /** Where the clock is. During an advance it moves from one due moment to the next. */
  frozen_time: Date;
  /** Where the advance under way leads; null while the clock stands. */
  target: Date | null;
  status: (typeof testClockStatuses)[number];
};

/** The years that a clock can show. */
export const earliestSeconds = Date.UTC(2000, 0, 1) / 1_000;
export const latestSeconds = Date.UTC(2100, 0, 1) / 1_000;

const yearsMax = 10;

/** The latest moment that one advance can lead to. */
export function advanceLimit({ frozen_time }: Pick<TestClock, 'frozen_time'>): Date {
  const limit = new Date(frozen_time);
  limit.setUTCFullYear(limit.getUTCFullYear() + yearsMax);
  return limit;
}
