import type { Mode, Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import { type Delivery, deliveriesTable, type EndpointId } from './delivery.ts';

/** Whoever takes a delivery has it for so long. It is due again after that, unless it was renewed or settled. */
const leaseSeconds = 15;

export type DueEndpoint = { tenant: Tenant; endpoint: EndpointId };
export type Wanted = DueEndpoint & { room: number };

/** A delivery that was taken, with what is sent. */
export type Taken = Delivery & { payload: Buffer; mode: Mode };

/**
 * The endpoints that something is due for. The index is walked from endpoint to endpoint, not from row to row: a million that wait
 * for one dead receiver cost no more to step over than one.
 */
export function dueEndpoints(pool: Pool, aheadMs: number): Promise<DueEndpoint[]> {
  return query<DueEndpoint>(
    pool,
    `with recursive e as (
       (select tenant, endpoint from deliveries where due_at is not null order by tenant, endpoint limit 1)
       union all
       select n.tenant, n.endpoint from e cross join lateral (
         select d.tenant, d.endpoint from deliveries d
          where d.due_at is not null and (d.tenant, d.endpoint) > (e.tenant, e.endpoint)
          order by d.tenant, d.endpoint limit 1) n)
     select e.tenant, e.endpoint from e
      where exists (select from deliveries d where d.tenant = e.tenant and d.endpoint = e.endpoint
                       and d.due_at <= now() + make_interval(secs => $1))`,
    [aheadMs / 1_000],
    'due_endpoints',
  );
}

/** Takes what is due, oldest first, for each endpoint as many as there is room for. The version counts up: that is the lease. */
export function leaseDeliveries(pool: Pool, wanted: readonly Wanted[], aheadMs: number): Promise<Taken[]> {
  return query<Taken>(
    pool,
    `with due as (
       select d.tenant, d.id
         from unnest($1::int4[], $2::text[], $3::int4[]) as w (tenant, endpoint, room)
        cross join lateral (
          select x.tenant, x.id from deliveries x
           where x.tenant = w.tenant and x.endpoint = w.endpoint and x.due_at <= now() + make_interval(secs => $4)
           order by x.due_at limit w.room for update skip locked) d)
     update deliveries d
        set due_at = now() + make_interval(secs => $4 + ${leaseSeconds}), version = d.version + 1
       from due, events e, tenants t
      where d.tenant = due.tenant and d.id = due.id and e.tenant = d.tenant and e.id = d.event and t.tenant = d.tenant
      returning ${deliveriesTable.columns.map((column) => `d.${column}`).join(', ')}, e.payload, t.mode`,
    [
      wanted.map((one) => one.tenant),
      wanted.map((one) => one.endpoint),
      wanted.map((one) => one.room),
      aheadMs / 1_000,
    ],
    'lease_deliveries',
  );
}

/** Keeps what was taken and is still the holder's own. */
export async function renewDeliveries(pool: Pool, held: readonly Delivery[], aheadMs: number): Promise<void> {
  if (held.length === 0) return;
  await query(
    pool,
    `update deliveries d set due_at = now() + make_interval(secs => $4 + ${leaseSeconds})
       from unnest($1::int4[], $2::text[], $3::int4[]) as x (tenant, id, version)
      where d.tenant = x.tenant and d.id = x.id and d.version = x.version`,
    [held.map((one) => one.tenant), held.map((one) => one.id), held.map((one) => one.version), aheadMs / 1_000],
    'renew_deliveries',
  );
}
