import type { Reads, Tenant } from '../../base/reads.ts';
import { dutyCalls } from '../duty_calls.ts';
import type { TestClockId } from './test_clock.ts';
import type { ClockWork } from './work.ts';

/** Rows that are due by a clock, and the operation that does what is due for one of them. */
export type DueByClock = {
  /** The name of the duty that does the same in real time. */
  duty: string;
  operation: string;
  earliest(reads: Reads, tenant: Tenant, clock: TestClockId, upTo: Date): Promise<Date | undefined>;
  find(reads: Reads, tenant: Tenant, clock: TestClockId, at: Date, max: number): Promise<{ id: string }[]>;
  release?: ClockWork['release'];
};

const rowsMax = 256;

/** What is due at one moment is done side by side. */
export function dueByClock({ duty, operation, earliest, find, release }: DueByClock): ClockWork {
  return {
    earliest: ({ reads }, tenant, clock, upTo) => earliest(reads, tenant, clock, upTo),
    async run(services, declared, { tenant, id: clock }, at, stopping) {
      const run = dutyCalls(services, declared, duty);
      const rows = await find(services.reads, tenant, clock, at, rowsMax);
      if (stopping.aborted) return;
      const done = rows.map(({ id }) => run({ tenant, id, operation, clock: { id: clock, now: at.getTime() } }));
      // All have ended before the clock moves on, whichever fails.
      for (const result of await Promise.allSettled(done)) if (result.status === 'rejected') throw result.reason;
    },
    ...(release && { release }),
  };
}
