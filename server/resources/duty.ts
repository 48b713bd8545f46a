import type { Clock } from '../base/clock.ts';
import type { Table } from '../base/commit/index.ts';
import type { InFlight } from '../base/in_flight.ts';
import { type Leasable, leaseDue, renewLease } from '../base/lease.ts';
import type { Pool } from '../base/sql.ts';

/** A due row that was leased. `run` settles it and commits only while the lease is still its own. */
export type Job = { run(): Promise<void>; renew(): Promise<void> };

/** Work that becomes due on rows: an unknown outcome to ask for, an expiry, a recovery. The worker leases and runs it. */
export type Duty = { name: string; lease(limit: number): Promise<Job[]> };

/** The due rows of a table as a duty. */
export function dueRows<T extends Leasable>(
  { durable, clock }: { durable: Pool; clock: Clock },
  name: string,
  table: Table<T>,
  settle: (row: T) => Promise<void>,
): Duty {
  return {
    name,
    lease: async (limit) =>
      (await leaseDue(durable, table, limit, clock.ahead())).map((row) => ({
        run: () => settle(row),
        renew: () => renewLease(durable, table as never, row),
      })),
  };
}

/** Work with a rhythm of its own. While a run is under way, later ones are skipped. */
export type Loop = {
  name: string;
  everyMs: number;
  /** Whether it works on what is due. Then a commit can start a run at once, and no run starts once the server is stopping. */
  isWoken: boolean;
  /** `stopping` is aborted when the server stops: what takes longer than a moment ends early then. */
  run(stopping: AbortSignal): Promise<unknown>;
  /** What runs have begun and left under way. */
  jobs?: InFlight;
  /** Called after the last run, before the server waits for the jobs. */
  finish?(): Promise<void>;
};

/** What is swept away every minute, by every instance. */
export type Chore = {
  name: string;
  run(pool: Pool): Promise<unknown>;
  /** It may take long after days without housekeeping, so it comes after those that do not. */
  isLong?: boolean;
  /** Swept beside the others, because it must not wait for any of them. */
  isApart?: boolean;
  /** The message of its failure, which is then logged as an error, not as a warning: somebody has to see to it at once. */
  alarm?: string;
};
