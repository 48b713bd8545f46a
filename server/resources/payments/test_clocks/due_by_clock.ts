import type { Table, Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant, TenantValues } from '../../../base/reads.ts';
import { jobCalls } from '../../../operations/job_calls.ts';
import { refuseSuspended } from '../../people/accounts/suspended.ts';
import type { TestClockId } from './test_clock.ts';
import type { ClockWork } from './work.ts';

/** Runs an action on each item, on some concurrently. Waits for all, also after a failure, and then throws the first failure. */
async function eachOf<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<unknown>) {
  const left = items.values();
  const failures: unknown[] = [];
  const workUntilEmpty = async () => {
    for (const item of left) await work(item).catch((failure) => failures.push(failure));
  };
  await Promise.all(Array.from({ length: atOnce }, workUntilEmpty));
  if (failures.length > 0) throw failures[0];
}

/** A row that is due by a clock. */
type ClockedRow = { tenant: Tenant; id: string; test_clock: TestClockId | null; clock_due_at: Date | null };

/** Rows that live by a clock, and the operation that does what is due for one of them. */
export type DueByClock<Row> = {
  table: Table<Row>;
  /** The name of the job that does the same in real time. */
  job: string;
  operation: string;
  /** A condition in SQL: nothing more happens to a row of a deleted clock. */
  isOver: string;
  /** Removes such a row. */
  remove(row: Row): Write[];
};

const rowsMax = 256;
/** How many run concurrently: enough for a clock to move fast, and few enough to leave the committer to live payments. */
const inFlightMax = 32;
const removedMax = 100; // in one commit

/** Work that is due at one moment runs concurrently. Finished objects are deleted with their clock. */
export function dueByClock<Row extends ClockedRow>({
  table,
  job,
  operation,
  isOver,
  remove,
}: DueByClock<Row>): ClockWork {
  const { name, columns } = table;
  const inClock = `from ${name} where tenant = $1 and test_clock = $2`;
  const rowsIn = <T extends object>(reads: Reads, text: string, values: TenantValues) =>
    reads.rows<T & Record<string, unknown>>(text, values);
  return {
    async earliest({ reads }, tenant, clock, upTo) {
      const text = `select clock_due_at as due ${inClock} and clock_due_at <= $3 order by clock_due_at limit 1`;
      return (await rowsIn<{ due: Date }>(reads, text, [tenant, clock, upTo]))[0]?.due;
    },
    async run(services, declared, { tenant, id: clock }, at, stopping) {
      const run = jobCalls(services, declared, job);
      const text = `select id ${inClock} and clock_due_at <= $3 order by id limit ${rowsMax}`;
      const rows = await rowsIn<{ id: string }>(services.reads, text, [tenant, clock, at]);
      if (stopping.aborted) return;
      await eachOf(rows, inFlightMax, async ({ id }) => {
        await refuseSuspended(services, tenant);
        await run({ tenant, id, operation, clock: { id: clock, now: at.getTime() } });
      });
    },
    async release({ reads, committer }, _declared, { tenant, id }) {
      const text = `select ${columns.join(', ')} ${inClock} and ${isOver} limit ${removedMax}`;
      const over = await rowsIn<Row>(reads, text, [tenant, id]);
      if (over.length > 0) await committer.commit({ tenant, writes: over.flatMap(remove) });
      return (await rowsIn(reads, `select 1 ${inClock} limit 1`, [tenant, id])).length === 0;
    },
  };
}
