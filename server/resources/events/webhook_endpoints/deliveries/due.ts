import { leaseSeconds } from '../../../../base/lease.ts';
import type { Tenant } from '../../../../base/reads.ts';
import { type Pool, query } from '../../../../base/sql.ts';
import { eventsTable } from '../../../../outbox/event.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { type Delivery, deliveriesTable } from './delivery.ts';

export type DueEndpoint = { tenant: Tenant; endpoint: EndpointId };
export type Wanted = DueEndpoint & { room: number };
/**
 * A delivery with its lease. `bytes` is the size of what is sent; null when its event is no longer stored. A small payload comes with
 * the lease; a large one is read when it is sent, so that the memory for deliveries that wait is bounded.
 */
export type LeasedDelivery = Delivery & { bytes: number | null; payload: Buffer | null };

const smallBytesMax = 4_096;

/**
 * The endpoints with pending deliveries. The index is walked from endpoint to endpoint, not from row to row: a million rows for one dead
 * receiver cost no more to skip than one row.
 */
export const waitingEndpoints = `e as (
       (select tenant, endpoint from deliveries where due_at is not null order by tenant, endpoint limit 1)
       union all
       select n.tenant, n.endpoint from e cross join lateral (
         select d.tenant, d.endpoint from deliveries d
          where d.due_at is not null and (d.tenant, d.endpoint) > (e.tenant, e.endpoint)
          order by d.tenant, d.endpoint limit 1) n)`;

/** The ten minutes that a moment is in, as the index has them. */
export const span = (moment: string) => `date_bin('10 minutes', ${moment}, timestamptz '2000-01-01 00:00:00+00')`;

/**
 * The endpoints with deliveries that are due. They are walked by ten minutes of due times, up to the present: an endpoint whose next
 * attempt is later is not visited, and a million due rows of one endpoint are a step for each ten minutes.
 */
export function dueEndpoints(pool: Pool, aheadMs: number): Promise<DueEndpoint[]> {
  const now = 'now() + make_interval(secs => $1)';
  return query<DueEndpoint>(
    pool,
    `with recursive e as (
       (select ${span('due_at')} as span, tenant, endpoint from deliveries
         where due_at is not null and ${span('due_at')} <= ${span(now)} order by ${span('due_at')}, tenant, endpoint limit 1)
       union all
       select n.span, n.tenant, n.endpoint from e cross join lateral (
         select ${span('d.due_at')} as span, d.tenant, d.endpoint from deliveries d
          where d.due_at is not null and (${span('d.due_at')}, d.tenant, d.endpoint) > (e.span, e.tenant, e.endpoint)
            and ${span('d.due_at')} <= ${span(now)}
          order by ${span('d.due_at')}, d.tenant, d.endpoint limit 1) n)
     select x.tenant, x.endpoint from (select distinct tenant, endpoint from e) x cross join lateral (
       select from deliveries d where d.tenant = x.tenant and d.endpoint = x.endpoint
          and d.due_at <= ${now} and ${isFree('d')} order by d.due_at limit 1) due
      order by x.tenant, x.endpoint`,
    [aheadMs / 1_000],
    'due_endpoints',
  );
}

/** So many are counted at most. */
export const countedDueMax = 100_000;

/** How many deliveries are due, and for how long the oldest has been. */
export async function countDue(pool: Pool): Promise<{ webhooks: number; oldest_seconds: string | null }> {
  const [row] = await query<{ webhooks: number; oldest_seconds: string | null }>(
    pool,
    `select count(*) as webhooks, extract(epoch from now() - min(due_at)) as oldest_seconds from (
       select due_at from deliveries
        where due_at is not null and ${span('due_at')} <= ${span('now()')} and due_at <= now()
        order by ${span('due_at')} limit ${countedDueMax}) as d`,
    [],
    'webhooks_due',
  );
  return row!;
}

/** Leases are in no index: leasing and renewing change nothing but the row. */
function isFree(row: string): string {
  return `(${row}.lease_until is null or ${row}.lease_until <= now())`;
}

/**
 * Leases due deliveries, oldest first, for each endpoint as many as there is capacity for. The new version is the proof of the lease. The
 * rows are found by their `ctid`: a planner that cannot know how few they are would read the whole table to join them.
 *
 * This statement and the ones that renew and end leases are not prepared: a plan that PostgreSQL has kept since the table was small reads
 * all of it, until the table is analyzed. They run once for many deliveries, so planning costs next to nothing.
 */
export function leaseDeliveries(pool: Pool, wanted: readonly Wanted[], aheadMs: number): Promise<LeasedDelivery[]> {
  return query<LeasedDelivery>(
    pool,
    `with leased as (
     update deliveries d
        set lease_until = now() + interval '${leaseSeconds} seconds', version = d.version + 1
      where d.ctid = any (array(
        select x.ctid
          from unnest($1::int4[], $2::text[], $3::int4[]) as w (tenant, endpoint, room)
         cross join lateral (
           select y.ctid from deliveries y
            where y.tenant = w.tenant and y.endpoint = w.endpoint and y.due_at <= now() + make_interval(secs => $4)
              and ${isFree('y')}
            order by y.due_at limit w.room for update skip locked) x))
      returning ${columnsOf('d')})
     select ${columnsOf('leased')}, octet_length(e.payload) as bytes,
            case when octet_length(e.payload) <= ${smallBytesMax} then e.payload end as payload
       from leased left join ${eventsTable.name} e on e.tenant = leased.tenant and e.id = leased.event`,
    [
      wanted.map((one) => one.tenant),
      wanted.map((one) => one.endpoint),
      wanted.map((one) => one.room),
      aheadMs / 1_000,
    ],
  );
}

function columnsOf(name: string): string {
  return deliveriesTable.columns.map((column) => `${name}.${column}`).join(', ');
}

/** Ends the leases of deliveries that were not sent. The new version keeps a late renewal from renewing them. */
export async function releaseDeliveries(pool: Pool, held: readonly Delivery[]): Promise<readonly []> {
  if (held.length > 0) await setLeases(pool, held, 'lease_until = null, version = version + 1');
  return [];
}

/** Renews leases. Gives the deliveries that the caller still holds. */
export async function renewDeliveries(pool: Pool, held: readonly Delivery[]): Promise<Set<Delivery>> {
  if (held.length === 0) return new Set();
  const until = `lease_until = now() + interval '${leaseSeconds} seconds'`;
  const kept = await setLeases(pool, held, until);
  return new Set(kept.map(({ at }) => held[at - 1]!));
}

/**
 * Rows that are locked at this moment are skipped and count as held: their outcome is being committed, and to wait here for one of many
 * rows while that commit waits for another one would be a deadlock.
 */
function setLeases(pool: Pool, held: readonly Delivery[], change: string): Promise<{ at: number }[]> {
  return query<{ at: number }>(
    pool,
    `with mine as (
       select d.ctid, x.at
         from unnest($1::int4[], $2::text[], $3::int4[]) with ordinality as x (tenant, id, version, at)
         join deliveries d on d.tenant = x.tenant and d.id = x.id
        where d.tenant = x.tenant and d.version = x.version),
     free as (select ctid from deliveries where ctid = any (array(select ctid from mine)) for update skip locked),
     changed as (update deliveries set ${change} where ctid = any (array(select ctid from free)))
     select at from mine`,
    [held.map((one) => one.tenant), held.map((one) => one.id), held.map((one) => one.version)],
  );
}

/**
 * Cancels a delivery that cannot be sent, because its endpoint is deleted or disabled, or its event is no longer stored. The condition is
 * checked again with the endpoint locked: events that happen after the endpoint was enabled are never canceled, and a recovery that
 * starts then finds the canceled ones. Gives whether the delivery was canceled.
 */
export async function cancelDelivery(pool: Pool, delivery: Delivery): Promise<boolean> {
  const { tenant, id, version, endpoint, event } = delivery;
  const canceled = await query(
    pool,
    `with owner as materialized (select status from webhook_endpoints where tenant = $1 and id = $4 for share)
     update deliveries set state = 'canceled', due_at = null, lease_until = null, version = version + 1
      where tenant = $1 and id = $2 and version = $3
        and (not exists (select from owner where status = 'enabled')
          or not exists (select from ${eventsTable.name} where tenant = $1 and id = $5))
     returning 1`,
    [tenant, id, version, endpoint, event],
    'cancel_delivery',
  );
  return canceled.length === 1;
}
