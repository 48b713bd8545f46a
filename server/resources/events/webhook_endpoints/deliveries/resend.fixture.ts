import type { Tenant } from '../../../../base/reads.ts';
import type { Sql } from '../../../../base/sql.ts';
import { eventsTable } from '../../../../outbox/event.ts';
import { idExpression, subscribes, testEvent } from './delivery.ts';

/**
 * Makes an event due again: for one endpoint, or for all that are enabled and subscribed to it now. Running servers find it
 * within half a second. Gives the endpoints.
 */
export async function resendEvent(
  sql: Sql,
  tenant: Tenant,
  event: string,
  endpoint: string | undefined,
): Promise<string[]> {
  const result = await sql.query<{ endpoint: string }>(
    `insert into deliveries as d (tenant, id, version, event, endpoint, state, attempts, due_at)
     select e.tenant, ${idExpression('e.id', 'w.id')}, 1, e.id, w.id, 'pending', 0, now()
       from ${eventsTable.name} e join webhook_endpoints w on w.tenant = e.tenant
      where e.tenant = $1 and e.id = $2 and w.status = 'enabled'
        and case when $3::text is not null then w.id = $3
                 when e.type = '${testEvent}' then w.id = e.object_id
                 else ${subscribes('w.enabled_events', 'e.type')} end
         on conflict (tenant, id) do update
            set version = d.version + 1, state = 'pending', attempts = 0, due_at = now(), lease_until = null
      returning endpoint`,
    [tenant, event, endpoint ?? null],
  );
  return result.rows.map((row) => row.endpoint);
}
