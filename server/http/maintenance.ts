import { type Pool, query } from '../base/sql.ts';
import type { MaintenanceTask } from '../operations/job.ts';

const rowsPerStep = 5_000; // keeps locks and transactions short

export const httpMaintenance: readonly MaintenanceTask[] = [
  { name: 'expired idempotency keys', home: 'both', run: (pool) => deleteExpired(pool, 'idempotency') },
  { name: 'used signatures', home: 'both', run: (pool) => deleteExpired(pool, 'used_signatures') },
];

/**
 * Deletes in small steps, in the order of the index on the time. Locked rows are skipped until the next sweep. The limit is a subselect,
 * which hides it from the planner: when it expects fewer expired rows than the limit, it would read the whole table and sort them.
 */
async function deleteExpired(pool: Pool, name: 'idempotency' | 'used_signatures'): Promise<void> {
  for (;;) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from ${name} where ctid = any (array(select ctid from ${name} where expires_at <= now()
                                                     order by expires_at limit (select ${rowsPerStep})
                                                     for update skip locked)) returning 1)
       select count(*) as rows from gone`,
      [],
    );
    if (step!.rows < rowsPerStep) return;
  }
}
