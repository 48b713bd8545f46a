import { type Pool, query } from '../../../../base/sql.ts';
import { inSteps, rowsPerStep } from '../../../../operations/purge.ts';
import { type DueEndpoint, waitingEndpoints } from './due.ts';

/** Cancels the pending deliveries of deleted endpoints. Any number of instances may do this concurrently. */
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

/** Locked rows are skipped and left to the next sweep, so that no commit and no sweep waits for the other. */
function cancelAll(pool: Pool, { tenant, endpoint }: DueEndpoint): Promise<void> {
  return inSteps(
    pool,
    `update deliveries set state = 'canceled', due_at = null, lease_until = null, version = version + 1
      where tenant = $1 and ctid = any (array(
        select ctid from deliveries where tenant = $1 and endpoint = $2 and due_at is not null
         order by due_at limit ${rowsPerStep} for update skip locked))`,
    [tenant, endpoint],
  );
}
