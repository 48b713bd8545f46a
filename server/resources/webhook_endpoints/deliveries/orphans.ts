import { type Pool, query } from '../../../base/sql.ts';
import { type DueEndpoint, waitingEndpoints } from './due.ts';

const rowsPerStep = 5_000; // small steps: a commit that needs one of these rows does not wait long

/** Cancels the pending deliveries of deleted endpoints. Any number of instances may do this at once. */
export async function cancelOrphans(pool: Pool): Promise<void> {
  for (const endpoint of await deletedEndpoints(pool)) await cancelAll(pool, endpoint);
}

function deletedEndpoints(pool: Pool): Promise<DueEndpoint[]> {
  return query<DueEndpoint>(
    pool,
    `with recursive ${waitingEndpoints}
     select e.tenant, e.endpoint from e
      where not exists (select from webhook_endpoints w where w.tenant = e.tenant and w.id = e.endpoint)`,
    [],
  );
}

/** Locked rows are left to the next sweep: this waits for nobody, and so nobody waits for this. */
async function cancelAll(pool: Pool, { tenant, endpoint }: DueEndpoint): Promise<void> {
  for (let rows = rowsPerStep; rows === rowsPerStep; ) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with canceled as (
         update deliveries set state = 'canceled', due_at = null, lease_until = null, version = version + 1
          where tenant = $1 and ctid = any (array(
            select ctid from deliveries where tenant = $1 and endpoint = $2 and due_at is not null
             order by due_at limit ${rowsPerStep} for update skip locked)) returning 1)
       select count(*) as rows from canceled`,
      [tenant, endpoint],
    );
    rows = step!.rows;
  }
}
