import type { Clock } from '../base/clock.ts';
import type { Table } from '../base/commit/index.ts';
import { type Leasable, leaseDue, renewLease } from '../base/lease.ts';
import type { Pool } from '../base/sql.ts';
import type { Kind } from './loop.ts';

/** The rows of a table that are due, as a kind of work. */
export function dueRows<T extends Leasable>(
  { durable, clock }: { durable: Pool; clock: Clock },
  name: string,
  table: Table<T>,
  see: (row: T) => Promise<void>,
): Kind {
  return {
    name,
    lease: async (limit) =>
      (await leaseDue(durable, table, limit, clock.ahead())).map((row) => ({
        run: () => see(row),
        renew: () => renewLease(durable, table as never, row),
      })),
  };
}
