import type { Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { ChangeGuard } from '../../../operations/descriptor.ts';
import type { ClockTime, Context } from '../../../operations/operation.ts';
import { apiError, clockCodes } from './errors.ts';
import { deletedTestClocksTable, replaceTestClock, testClocksTable } from './store.ts';
import type { TestClock, TestClockId } from './test_clock.ts';

/** The parts of a context that determine the time. */
type Timed = Pick<Context, 'reads' | 'tenant' | 'now' | 'clock'>;

/**
 * The time by which an object lives, epoch milliseconds: real time without a clock. A clock that is advancing is refused, except to the
 * work of that advance. `param` names the parameter that the object came in.
 */
export async function timeOf(context: Timed, clockId: TestClockId | null, param = 'id'): Promise<number> {
  return (await clockedFor(context, clockId, param)).now;
}

/**
 * The time of an object, and what is committed with a change to it. The work of an advance commits nothing for its clock: it owns the
 * clock, and thousands of its commits must not queue for one row.
 */
export async function clockedFor(
  context: Timed,
  clockId: TestClockId | null,
  param = 'id',
): Promise<{ now: number; writes: Write[] }> {
  if (clockId === null) return { now: context.now, writes: [] };
  if (context.clock?.id === clockId) return { now: context.clock.now, writes: [] };
  const clock = await context.reads.one(testClocksTable, context.tenant, clockId);
  // The clock was deleted, and a job is about to delete the object too.
  if (clock === undefined) throw apiError('resource_missing', { param, resource: 'test clock' });
  refuseAdvancing(clock, param);
  return { now: clock.frozen_time.getTime(), writes: [holdClock(clock)] };
}

export function refuseAdvancing({ id, status }: TestClock, param: string): void {
  if (status === 'advancing') throw apiError('clock_not_ready', { param, clock: id });
}

/**
 * A write that conflicts when the clock has changed. Requests that change something in a clock commit it, so that of an advance and a
 * change that race, the second decides again.
 */
export function holdClock(clock: TestClock): Write {
  return replaceTestClock({ ...clock, version: clock.version + 1 });
}

/** The clock that these writes hold, if they do. */
export function heldClock(writes: readonly Write[]): ClockTime | undefined {
  for (const { kind, table, row } of writes)
    if (kind === 'update' && table.name === testClocksTable.name)
      return { id: row.id as TestClockId, now: (row.frozen_time as Date).getTime() };
  return undefined;
}

/** An object that may live by a clock. */
export type Clocked = { test_clock: TestClockId | null };

/** For descriptors of objects that may live by a test clock. */
export const guardedByClock: ChangeGuard<Clocked> = {
  errors: clockCodes,
  writes: async (context, { test_clock }) => (await clockedFor(context, test_clock)).writes,
};

/** Shown in place of the time in the id, for an object that is created by a clock. */
export const createdBy = (clock: TestClockId | null, now: number): Clocked & { created_at: Date | null } => ({
  test_clock: clock,
  created_at: clock === null ? null : new Date(now),
});

/**
 * The time of an object's clock for what happens without a request, such as the answer of a processor: whatever the clock is doing, and
 * although it may be deleted. Undefined for an object that lives in real time.
 */
export async function clockTime(
  { reads, clock }: { reads: Reads; clock?: ClockTime | undefined },
  { tenant, test_clock: id }: Clocked & { tenant: Tenant },
): Promise<number | undefined> {
  if (id === null) return undefined;
  if (clock?.id === id) return clock.now;
  const found = (await reads.one(testClocksTable, tenant, id)) ?? (await reads.one(deletedTestClocksTable, tenant, id));
  return found?.frozen_time.getTime();
}

/** The time by which an object lives, epoch seconds, for what happens without a request. */
export async function secondsOf(
  context: { reads: Reads; now: number; clock?: ClockTime | undefined },
  object: Clocked & { tenant: Tenant },
): Promise<number> {
  return Math.floor(((await clockTime(context, object)) ?? context.now) / 1_000);
}

/** `due`: epoch seconds. Under a test clock, real time does not matter. */
export function dueAt<Row extends { test_clock: string | null }>(row: Row, due: number | null) {
  const moment = due === null ? null : new Date(due * 1_000);
  const times =
    row.test_clock === null ? { due_at: moment, clock_due_at: null } : { due_at: null, clock_due_at: moment };
  return { ...row, ...times, lease_until: null };
}
