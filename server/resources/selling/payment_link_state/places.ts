import { type Derived, discard, insert, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { isForSale, type PaymentLink } from './payment_link.ts';
import { countsTable, linksView } from './store.ts';

/** A place of a limited link that a session holds, from the press of the button to the outcome. */
type HeldPlace = { tenant: Tenant; id: string; link: string; held_at: Date };
/** A session of a link that was completed. */
type LinkSale = { tenant: Tenant; id: string; link: string };

/** Written beside commits. */
const placesTable: Table<HeldPlace> = table('payment_link_places', {
  int4: 'tenant',
  text: 'id link',
  timestamptz: 'held_at',
  identity: [],
});
const salesTable: Table<LinkSale> = table('payment_link_sales', { int4: 'tenant', text: 'id link' });

export type WantedPlace = { tenant: Tenant; link: string; session: string; now: number };

type LinkOnSale = Pick<PaymentLink, 'active' | 'sales_limit' | 'completed'>;

/** held: the session has a place. unlimited: it needs none. */
export type PlaceAnswer = 'held' | 'unlimited' | 'sold_out';

/**
 * Holds a place for a session; sold out is also a link that is inactive. The count of the link is locked: of customers who press
 * the button at the same moment, over all instances, no more get a place than there are.
 */
export function holdPlace(
  durable: Pick<SqlAt, 'transaction'>,
  { tenant, link, session, now }: WantedPlace,
): Promise<PlaceAnswer> {
  return durable.transaction(tenant, async (client) => {
    const lock = `select from ${countsTable.name} where tenant = $1 and id = $2 for update`;
    await query(client, lock, [tenant, link]);
    const [row] = await query<LinkOnSale & { held: number }>(
      client,
      `select active, sales_limit, completed,
              (select count(*) from payment_link_places p where p.tenant = $1 and p.link = $2 and p.id <> $3) as held
         from ${linksView.name} where tenant = $1 and id = $2`,
      [tenant, link, session],
    );
    if (row === undefined || !isForSale(row, row.held)) return { isKept: false, result: 'sold_out' };
    if (row.sales_limit === null) return { isKept: false, result: 'unlimited' };
    const text = `insert into payment_link_places (tenant, id, link, held_at) values ($1, $2, $3, $4)
                  on conflict (tenant, id) do update set held_at = excluded.held_at`;
    await query(client, text, [tenant, session, link, new Date(now)]);
    return { isKept: true, result: 'held' };
  });
}

/** How many places of a link are held at this moment. */
export async function countPlaces(reads: Pick<Reads, 'rows'>, tenant: Tenant, link: string): Promise<number> {
  const text = 'select count(*) as held from payment_link_places where tenant = $1 and link = $2';
  const [row] = await reads.rows<{ held: number }>(text, [tenant, link]);
  return row!.held;
}

/**
 * Whether a session has a place. Places are given back in commits that change their session: a decision that has read the session, then
 * its place, and that commits a change of the session, holds the place.
 */
export async function isPlaceHeld(reads: Pick<Reads, 'rows'>, tenant: Tenant, session: string): Promise<boolean> {
  const text = 'select from payment_link_places where tenant = $1 and id = $2';
  return (await reads.rows(text, [tenant, session])).length > 0;
}

/** Gives a place back beside a commit, unless it was held again since: the process that held it has died before its try began. */
export async function dropOldPlace(pool: Pool, tenant: Tenant, session: string, before: Date): Promise<void> {
  const text = 'delete from payment_link_places where tenant = $1 and id = $2 and held_at < $3';
  await query(pool, text, [tenant, session, before]);
}

export type OldPlace = Pick<HeldPlace, 'tenant' | 'id' | 'held_at'>;

/** Places that are held since before a moment, of all tenants, the oldest first: those that follow `after`. No tenant without one is visited. */
export function findOldPlaces(
  pool: Pool,
  before: Date,
  { after, limit }: { after: OldPlace | undefined; limit: number },
): Promise<OldPlace[]> {
  const { held_at, tenant, id } = after ?? { held_at: new Date(0), tenant: 0, id: '' };
  return query(
    pool,
    `select tenant, id, held_at from payment_link_places
      where held_at < $1 and (held_at, tenant, id) > ($2, $3, $4)
      order by held_at, tenant, id limit $5`,
    [before, held_at, tenant, id, limit],
  );
}

/** The write that gives a place back, for a commit that changes its session. */
export const releasePlace = (tenant: Tenant, session: string): Write => discard(placesTable, { tenant, id: session });

/** The writes of a completed session, for its commit: its place becomes a sale. */
function recordSale(tenant: Tenant, link: string, session: string): Write[] {
  return [insert(salesTable, { tenant, id: session, link }), releasePlace(tenant, session)];
}

/** Counts the sales of a commit. No version guards the count: a sale is never refused because of another. */
export const countedSales: Derived = {
  from: salesTable,
  rowsMax: 1,
  statement: (inserted) => `update ${countsTable.name} c set completed = c.completed + sold.sales
      from (select tenant, link, count(*)::int4 as sales from ${inserted} group by tenant, link order by tenant, link) sold
     where c.tenant = sold.tenant and c.id = sold.link`,
};

/** What a session is, as far as the places of its link depend on it. */
type SessionOfLink = {
  tenant: Tenant;
  id: string;
  payment_link: string | null;
  status: string;
  awaits_customer: boolean | null;
};

/**
 * What changes of a link with one of its sessions, for the commit of the session: a session that is complete is a sale, and one that waits
 * for another try, or has expired, holds no place.
 */
export function changedByLink(before: SessionOfLink, after: SessionOfLink): Write[] {
  const { tenant, id, payment_link: link, status } = after;
  if (link === null) return [];
  if (status === 'complete') return before.status === 'complete' ? [] : recordSale(tenant, link, id);
  return holdsPlace(after) ? [] : [releasePlace(tenant, id)];
}

/** While a try has no outcome. */
export function holdsPlace({ status, awaits_customer }: Pick<SessionOfLink, 'status' | 'awaits_customer'>): boolean {
  return status === 'processing' || (status === 'open' && awaits_customer === true);
}
