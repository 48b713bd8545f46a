import { firstIdAt, idTime } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { DayCounts, SubscriptionFigures, TimeBucket } from '../../../operations/extension_points/statistics.ts';
import { subscriptionsTable } from './store.ts';
import { type Subscription, type SubscriptionId, subscriptionStatuses } from './subscription.ts';

/*
 * Recurring revenue. A subscription stores what it brings in a month (`mrr`), so that the revenue of now is a sum that an index has. A
 * row for each tenant and day keeps what it was when the day ended, in UTC; that of the last day has no figures yet.
 */

/** SQL: the subscriptions that count. One whose payment has failed counts until it ends. */
const counts = `status in ('active', 'past_due')`;
/** SQL: whether the revenue of a counted subscription is not filled in yet. There is an index on those. */
const isUnfilled = `mrr is null and ${counts}`;

/** SQL: the revenue now, by currency. $1 is the tenant. */
const revenueNow = `select currency, sum(mrr) as mrr, count(*) as active from subscriptions
  where tenant = $1 and ${counts} group by currency`;

type Revenue = { currency: string; mrr: string; active: number };

const fillRows = 500;

export async function tenantsWithoutRevenue(pool: Pool, tenants: readonly Tenant[]): Promise<Tenant[]> {
  const rows = await query<{ tenant: Tenant }>(
    pool,
    `select t.tenant from unnest($1::int4[]) as t (tenant)
      cross join lateral (select from subscriptions s where s.tenant = t.tenant and ${isUnfilled} order by s.id limit 1) old`,
    [tenants],
  );
  return rows.map(({ tenant }) => tenant);
}

/** The oldest subscriptions whose revenue is not filled in. */
export async function findWithoutRevenue(
  reads: Reads,
  tenant: Tenant,
): Promise<{ subscriptions: Subscription[]; hasMore: boolean }> {
  const subscriptions = await reads.rows<Subscription>(
    `select ${subscriptionsTable.columns.join(', ')} from subscriptions
      where tenant = $1 and ${isUnfilled} order by id limit ${fillRows}`,
    [tenant],
  );
  return { subscriptions, hasMore: subscriptions.length === fillRows };
}

/** Stores revenues, unless a subscription has changed since it was read. Returns how many were stored. */
export async function setRevenues(pool: Pool, tenant: Tenant, of: readonly Subscription[]): Promise<number> {
  const rows = await query(
    pool,
    `update subscriptions s set mrr = x.mrr from unnest($2::text[], $3::int4[], $4::int8[]) as x (id, version, mrr)
      where s.tenant = $1 and s.id = x.id and s.version = x.version returning 1`,
    [tenant, of.map(({ id }) => id), of.map(({ version }) => version), of.map(({ mrr }) => mrr)],
  );
  return rows.length;
}

/**
 * Keeps the revenue of each day that has ended, for those of the tenants that have subscriptions. Nothing changes while no server runs, so
 * days that were missed have the revenue of now. Each tenant is one statement: a killed server leaves the day open, and of two that close it
 * one does.
 * `today` is a day, YYYY-MM-DD; that of the database's clock, if it is not given.
 */
export async function keepRevenueDays(pool: Pool, tenants: readonly Tenant[], today?: string): Promise<void> {
  const [clock] = await query<{ day: string }>(pool, `select (now() at time zone 'utc')::date::text as day`, []);
  const day = today ?? clock!.day;
  await query(
    pool,
    `insert into revenue_days (tenant, day)
     select t.tenant, $1::date from unnest($2::int4[]) as t (tenant)
      where exists (select from subscriptions s where s.tenant = t.tenant)
        and not exists (select from revenue_days d where d.tenant = t.tenant)
     on conflict do nothing`,
    [day, tenants],
  );
  const due = await query<{ tenant: Tenant; day: string }>(
    pool,
    `select t.tenant, last.day::text as day from unnest($2::int4[]) as t (tenant)
      cross join lateral (select day from revenue_days d where d.tenant = t.tenant order by day desc limit 1) last
      where last.day < $1`,
    [day, tenants],
  );
  for (const last of due) await closeDays(pool, last, day);
}

/** Gives a day and those after it their figures, and opens today. Not while a revenue is missing. */
async function closeDays(pool: Pool, last: { tenant: Tenant; day: string }, today: string): Promise<void> {
  await query(
    pool,
    `with now as (
       select coalesce(json_object_agg(currency, json_build_object('mrr', mrr, 'active', active)), '{}') as figures from (${revenueNow}) r),
     closed as (
       update revenue_days set figures = now.figures from now where tenant = $1 and day = $2 and revenue_days.figures is null
          and not exists (select from subscriptions where tenant = $1 and ${isUnfilled})
       returning revenue_days.figures)
     insert into revenue_days (tenant, day, figures)
     select $1, d::date, case when d < $3::date then closed.figures end
       from closed, generate_series($2::date + 1, $3::date, interval '1 day') d
     on conflict do nothing`,
    [last.tenant, last.day, today],
  );
}

/** The figures of subscriptions for statistics: the revenue of each day, and what began and ended in it. */
export const subscriptionFigures: SubscriptionFigures = {
  async read({ reads, tenant, now }, days) {
    // After an upgrade, for about a minute, nothing is known yet.
    if (await isBeingFilled(reads, tenant)) return { since: secondsOfDay(dayOf(now)) + 86_400, counts: [] };
    const [since, revenue, begun, ended] = await Promise.all([
      knownSince(reads, tenant, now),
      readRevenue(reads, tenant, days, now),
      readBegun(reads, tenant, days),
      readEnded(reads, tenant, days),
    ]);
    return { ...(since === undefined ? {} : { since }), counts: [...revenue, ...begun, ...ended] };
  },
};

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const secondsOfDay = (day: string) => Date.parse(day) / 1_000;

/** The first day whose figures are known, epoch seconds; undefined when all are, because there was no subscription before it. */
async function knownSince(reads: Reads, tenant: Tenant, now: number): Promise<number | undefined> {
  const [row] = await reads.rows<{ day: string | null; oldest: SubscriptionId | null }>(
    `select (select min(day) from revenue_days where tenant = $1)::text as day,
            (select id from subscriptions where tenant = $1 order by id limit 1) as oldest`,
    [tenant],
  );
  const since = secondsOfDay(row!.day ?? dayOf(now));
  return row!.oldest === null || idTime(row!.oldest) >= since * 1_000 ? undefined : since;
}

/** Of days that have ended what was kept; of the last one, the revenue of now. */
async function readRevenue(
  reads: Reads,
  tenant: Tenant,
  days: readonly TimeBucket[],
  now: number,
): Promise<DayCounts[]> {
  const at = new Map(days.map(({ start }, index) => [start, index + 1]));
  const kept = await reads.rows<{ day: string; figures: Record<string, { mrr: number; active: number }> }>(
    `select day::text as day, figures from revenue_days
      where tenant = $1 and figures is not null and day >= $2::date and day < $3::date`,
    [tenant, dayOf(days[0]!.start * 1_000), dayOf(days.at(-1)!.end * 1_000)],
  );
  const counted = kept.flatMap(({ day, figures }) =>
    Object.entries(figures).map(([currency, { mrr, active }]) => ({
      at: at.get(secondsOfDay(day))!,
      currency,
      mrr,
      active,
    })),
  );
  const today = at.get(secondsOfDay(dayOf(now)));
  if (today === undefined) return counted;
  const live = await reads.rows<Revenue>(revenueNow, [tenant]);
  return [...counted, ...live.map(({ currency, mrr, active }) => ({ at: today, currency, mrr: Number(mrr), active }))];
}

async function isBeingFilled(reads: Reads, tenant: Tenant): Promise<boolean> {
  const rows = await reads.rows(`select from subscriptions where tenant = $1 and ${isUnfilled} limit 1`, [tenant]);
  return rows.length > 0;
}

/** By real time, as in lists. Those whose first invoice is not paid have not begun, and those that ended so never did. */
function readBegun(reads: Reads, tenant: Tenant, days: readonly TimeBucket[]): Promise<DayCounts[]> {
  const idAt = (seconds: number) => firstIdAt('sub', seconds * 1_000);
  return reads.rows<DayCounts>(
    `select b.at, f.currency, f.new from unnest($2::text[], $3::text[]) with ordinality as b (first, next, at)
      cross join lateral (
        select currency, count(*) as new from subscriptions
         where tenant = $1 and status = any($4) and id >= b.first and id < b.next and (status <> 'canceled' or lost_at is not null)
         group by currency) f`,
    [
      tenant,
      days.map(({ start }) => idAt(start)),
      days.map(({ end }) => idAt(end)),
      subscriptionStatuses.filter((status) => status !== 'incomplete'),
    ],
  );
}

/** When they ended by real time, whatever their test clock. */
function readEnded(reads: Reads, tenant: Tenant, days: readonly TimeBucket[]): Promise<DayCounts[]> {
  return reads.rows<DayCounts>(
    `select b.at, f.currency, f.lost from unnest($2::int8[], $3::int8[]) with ordinality as b (first, next, at)
      cross join lateral (
        select currency, count(*) as lost from subscriptions
         where tenant = $1 and lost_at >= to_timestamp(b.first) and lost_at < to_timestamp(b.next) group by currency) f`,
    [tenant, days.map(({ start }) => start), days.map(({ end }) => end)],
  );
}
