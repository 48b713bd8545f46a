import type { Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import { type Delivery, deliveriesTable, type EndpointId } from './delivery.ts';

/** Whoever takes a delivery has it for so long. It is due again after that, unless it was renewed or settled. */
const leaseSeconds = 15;

export type DueEndpoint = { tenant: Tenant; endpoint: EndpointId };
export type Wanted = DueEndpoint & { room: number };

/**
 * The endpoints that something waits for. The index is walked from endpoint to endpoint, not from row to row: a million that wait for
 * one dead receiver cost no more to step over than one.
 */
const waitingEndpoints = `e as (
       (select tenant, endpoint from deliveries where due_at is not null order by tenant, endpoint limit 1)
       union all
       select n.tenant, n.endpoint from e cross join lateral (
         select d.tenant, d.endpoint from deliveries d
          where d.due_at is not null and (d.tenant, d.endpoint) > (e.tenant, e.endpoint)
          order by d.tenant, d.endpoint limit 1) n)`;

/** The endpoints that something is due for. */
export function dueEndpoints(pool: Pool, aheadMs: number): Promise<DueEndpoint[]> {
  return query<DueEndpoint>(
    pool,
    `with recursive ${waitingEndpoints}
     select e.tenant, e.endpoint from e
      where exists (select from deliveries d where d.tenant = e.tenant and d.endpoint = e.endpoint
                       and d.due_at <= now() + make_interval(secs => $1))`,
    [aheadMs / 1_000],
    'due_endpoints',
  );
}

/**
 * Takes what is due, oldest first, for each endpoint as many as there is room for. The version counts up: that is the lease. By the
 * place of the rows, because a planner that cannot know how few they are would read the whole table to join them.
 */
export function leaseDeliveries(pool: Pool, wanted: readonly Wanted[], aheadMs: number): Promise<Delivery[]> {
  return query<Delivery>(
    pool,
    `update deliveries d
        set due_at = now() + make_interval(secs => $4 + ${leaseSeconds}), version = d.version + 1
      where d.ctid = any (array(
        select x.ctid
          from unnest($1::int4[], $2::text[], $3::int4[]) as w (tenant, endpoint, room)
         cross join lateral (
           select y.ctid from deliveries y
            where y.tenant = w.tenant and y.endpoint = w.endpoint and y.due_at <= now() + make_interval(secs => $4)
            order by y.due_at limit w.room for update skip locked) x))
      returning ${deliveriesTable.columns.map((column) => `d.${column}`).join(', ')}`,
    [
      wanted.map((one) => one.tenant),
      wanted.map((one) => one.endpoint),
      wanted.map((one) => one.room),
      aheadMs / 1_000,
    ],
    'lease_deliveries',
  );
}

/** What waits for an endpoint that was deleted waits for nothing. */
export async function cancelOrphans(pool: Pool): Promise<void> {
  await query(
    pool,
    `with recursive ${waitingEndpoints}
     update deliveries d set state = 'canceled', due_at = null, version = d.version + 1
       from e
      where d.tenant = e.tenant and d.endpoint = e.endpoint and d.due_at is not null
        and not exists (select from webhook_endpoints w where w.tenant = e.tenant and w.id = e.endpoint)`,
    [],
  );
}

/** Gives back what was taken and not begun. */
export async function releaseDeliveries(pool: Pool, held: readonly Delivery[]): Promise<void> {
  if (held.length === 0) return;
  await query(
    pool,
    `update deliveries d set due_at = now()
       from unnest($1::int4[], $2::text[], $3::int4[]) as x (tenant, id, version)
      where d.tenant = x.tenant and d.id = x.id and d.version = x.version`,
    [held.map((one) => one.tenant), held.map((one) => one.id), held.map((one) => one.version)],
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
