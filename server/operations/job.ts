import type { Clock } from '../base/clock.ts';
import type { Home, Table } from '../base/commit/index.ts';
import { FairLeases, type Shares } from '../base/fair_lease.ts';
import { getOrMake } from '../base/get_or_make.ts';
import type { InFlight } from '../base/in_flight.ts';
import { type Leasable, leaseDue, putOff, renewLease } from '../base/lease.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import { PlaceTurns } from '../base/places/turns.ts';
import type { Tenant } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import { installation } from './caller.ts';
import type { Retention } from './retention.ts';

/** A due row that was leased. `run` settles it and commits only while the lease is still its own. */
export type DueRow = {
  /** Each tenant has a share of the rows that are run at a time. */
  tenant: Tenant;
  /** `stopping` is aborted when the server stops: long work ends early then, and is left due. */
  run(stopping?: AbortSignal): Promise<void>;
  renew(): Promise<unknown>;
};

/** Work that becomes due on rows: an unknown outcome to ask for, an expiry, a recovery. The worker leases and runs it. */
export type Job = {
  name: string;
  /** How many rows are run at a time; of one tenant, half of them. Default: 64. */
  concurrency?: number;
  /** Without shares, the oldest rows of whichever tenants. */
  lease(limit: number, shares?: Shares): Promise<DueRow[]>;
};

/** Thrown by a job that cannot run now. Its row is put off, and the job has not failed. */
export class PostponedJob extends Error {}

/** The due rows of a table as a job. */
export function dueRows<T extends Leasable>(
  { durable, clock }: { durable: SqlAt; clock: Clock },
  name: string,
  table: Table<T, Home>,
  settle: (row: T) => Promise<void>,
): Job {
  const settleOrPutOff = async (row: T) => {
    try {
      await settle(row);
    } catch (error) {
      if (!(error instanceof PostponedJob)) throw error;
      await durable.at(homeOf(table, row), (sql) => putOff(sql, table as never, row, clock.ahead()));
    }
  };
  const leases = leasesOf(durable, table, clock);
  return {
    name,
    lease: async (limit, shares) =>
      (await leases(limit, shares)).map((row) => ({
        tenant: row.tenant,
        run: () => settleOrPutOff(row),
        renew: () => durable.at(homeOf(table, row), (sql) => renewLease(sql, table as never, row)),
      })),
  };
}

/** At whose place a due row is. Tables that are in both homes have jobs of their own. */
function homeOf({ home }: Table<never, Home> | Pick<Table, 'home'>, { tenant }: Pick<Leasable, 'tenant'>): Tenant {
  return home === 'directory' ? installation : tenant;
}

/** Leases due rows of a table: with shares, so many of each tenant as it has places for. */
export function leasesOf<T extends Leasable>(durable: SqlAt, table: Table<T, Home>, clock: Clock) {
  const fair = new WeakMap<Pool, FairLeases<T>>(); // places are opened and closed
  const turns = new PlaceTurns();
  const leaseAt = (sql: Pool, limit: number, shares: Shares | undefined) => {
    if (shares === undefined) return leaseDue(sql, table, limit, clock.ahead());
    return getOrMake(fair, sql, () => new FairLeases(sql, table)).lease(limit, shares, clock.ahead());
  };
  return (limit: number, shares?: Shares): Promise<T[]> =>
    turns.take(durable.places(table.home), limit, (sql, most) => leaseAt(sql, most, shares));
}

/** Work at its own interval. While a run is in progress, later ones are skipped. */
export type BackgroundLoop = {
  name: string;
  everyMs: number;
  /** Whether it works on due rows. If so, a commit can start a run immediately, and no run starts while the server is stopping. */
  isWoken: boolean;
  /** `stopping` is aborted when the server stops: a long run ends early then. `wake` asks for another run. */
  run(stopping: AbortSignal, wake: () => void): Promise<unknown>;
  /** Work that runs have started and not waited for. */
  inFlight?: InFlight;
  /** Called after the last run, before the server waits for what is in flight. */
  finish?(): Promise<void>;
};

/** The tenants whose rows are at a place. */
export type TenantsThere = () => Promise<readonly Tenant[]>;

/** Housekeeping that every instance does once a minute. */
export type MaintenanceTask = {
  name: string;
  /** Of the rows that it works on: it runs at each place that has such tables. */
  home: Home;
  /** `tenants`: those whose rows are there, with the installation where its are. A place does not know them. */
  run(sql: Pool, retention: Retention, tenants: TenantsThere): Promise<unknown>;
  /** It may take long after days without housekeeping, so it runs after the others. */
  isLong?: boolean;
  /** It runs beside the others, because it must not wait for any of them. */
  isApart?: boolean;
  /** The log message when it fails. The failure is then logged as an error, not as a warning: a person has to act immediately. */
  alarm?: string;
};
