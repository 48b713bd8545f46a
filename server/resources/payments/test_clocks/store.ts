import { insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { TestClock, TestClockId } from './test_clock.ts';

export const testClocksTable: Table<TestClock> = table('test_clocks', {
  int4: 'tenant version',
  text: 'id name status',
  timestamptz: 'frozen_time target due_at lease_until',
});

/** The tombstone of a clock. It is due until everything that was in the clock is deleted. */
export type DeletedTestClock = Leasable & { id: TestClockId; frozen_time: Date };

export const deletedTestClocksTable: Table<DeletedTestClock> = table('deleted_test_clocks', {
  int4: 'tenant version',
  text: 'id',
  timestamptz: 'frozen_time due_at lease_until',
  identity: [], // another server may have deleted the same clock
});

export const addTestClock = (clock: TestClock): Write => insert(testClocksTable, clock);
export const replaceTestClock = (clock: TestClock): Write => update(testClocksTable, clock);

export function eraseTestClock(clock: TestClock, now: number): Write[] {
  const { tenant, id, frozen_time } = clock;
  const tombstone: DeletedTestClock = { tenant, id, version: 1, frozen_time, due_at: new Date(now), lease_until: null };
  return [remove(testClocksTable, clock), insert(deletedTestClocksTable, tombstone)];
}

export const replaceDeletedClock = (clock: DeletedTestClock): Write => update(deletedTestClocksTable, clock);
