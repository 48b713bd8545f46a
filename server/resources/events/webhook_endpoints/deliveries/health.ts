import { type Table, table } from '../../../../base/commit/index.ts';
import type { Tenant } from '../../../../base/reads.ts';
import { type Pool, query } from '../../../../base/sql.ts';
import type { EndpointId } from '../webhook_endpoint.ts';

/** The first failure since the last success. There is a row only while an endpoint is failing. */
export type Health = { tenant: Tenant; endpoint: EndpointId; failing_since: Date };

export const webhookHealthTable: Table<Health> = table('webhook_health', {
  int4: 'tenant',
  text: 'endpoint',
  timestamptz: 'failing_since',
  key: ['tenant', 'endpoint'],
});

// Apart from the endpoint's row and outside the commits: a receiver that fails every other time changes this hundreds of times a second,
// and neither updates of the endpoint nor payments may wait for that.

/** Writes nothing for an endpoint that is being deleted: nothing would ever remove the row. */
export async function noteFailure(pool: Pool, tenant: Tenant, endpoint: EndpointId, at: Date): Promise<void> {
  await query(
    pool,
    `insert into webhook_health (tenant, endpoint, failing_since)
     select tenant, id, $3 from webhook_endpoints where tenant = $1 and id = $2 for key share
         on conflict do nothing`,
    [tenant, endpoint, at],
    'note_failure',
  );
}

export async function noteSuccess(pool: Pool, tenant: Tenant, endpoint: EndpointId): Promise<void> {
  await query(
    pool,
    'delete from webhook_health where tenant = $1 and endpoint = $2',
    [tenant, endpoint],
    'note_success',
  );
}

export async function failingSince(pool: Pool, tenant: Tenant, endpoint: EndpointId): Promise<number | undefined> {
  const [row] = await query<{ failing_since: Date }>(
    pool,
    'select failing_since from webhook_health where tenant = $1 and endpoint = $2',
    [tenant, endpoint],
    'failing_since',
  );
  return row?.failing_since.getTime();
}
