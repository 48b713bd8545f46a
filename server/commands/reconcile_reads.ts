import { firstIdAt, idTime } from '../base/id.ts';
import type { Mode, Tenant } from '../base/reads.ts';
import type { Connection } from '../base/sql.ts';
import type { Line } from '../ledger/reconcile.ts';
import { AccountMissing } from '../resources/accounts/store.ts';

export type Owner = { tenant: Tenant; account: string; mode: Mode };
/** From one moment (inclusive) to another (exclusive), epoch milliseconds. */
export type Span = { from: number; to: number };

const pageRows = 1_000;

/** Everybody, or both modes of one account. */
export async function findOwners(client: Connection, account: string | undefined): Promise<Owner[]> {
  const { rows } = await client.query<Owner>(
    'select tenant, account, mode from tenants where $1::text is null or account = $1 order by tenant',
    [account ?? null],
  );
  if (account !== undefined && rows.length === 0)
    throw new AccountMissing(`there is no account ${account}; "tollgate accounts list" shows them`);
  return rows;
}

/** Our books of a span, in pages. Rows are only ever added to them, so what is read while servers run is never half of something. */
export async function* ledgerLines(
  client: Connection,
  owners: readonly Owner[],
  connector: string,
  span: Span,
): AsyncGenerator<Line[], void, undefined> {
  for (const tenant of await tenantsWithPostings(client, owners, span)) {
    let after = '';
    let rows: Row[];
    do {
      rows = await postingsAfter(client, tenant, connector, span, after);
      const compared = rows.filter(({ is_compared }) => is_compared);
      if (compared.length > 0) yield compared.map(lineOf);
      after = rows.at(-1)?.id ?? '';
    } while (rows.length === pageRows);
  }
}

/** One look at the start of each range, so that thousands of accounts with nothing to compare cost one statement. */
async function tenantsWithPostings(
  client: Connection,
  owners: readonly Owner[],
  { from, to }: Span,
): Promise<Tenant[]> {
  const { rows } = await client.query<{ tenant: Tenant }>(
    `select x.tenant
       from unnest($1::int4[]) as x (tenant)
      cross join lateral (
        select 1 from postings p where p.tenant = x.tenant and p.id >= $2 and p.id < $3 limit 1) as first_one
      order by x.tenant`,
    [owners.map(({ tenant }) => tenant), firstIdAt('txn', from), firstIdAt('txn', to)],
  );
  return rows.map(({ tenant }) => tenant);
}

type Row = {
  tenant: Tenant;
  id: string;
  kind: string;
  reference: string;
  amount: number;
  currency: string;
  payment: string;
  is_compared: boolean;
};

/**
 * What the processor knows as well. A refund that came back was never one to the processor: together with its return it is left out,
 * on whatever day that was. What was asked of nobody that we know of is shown for every connector: somebody has to vouch for it.
 * The page is taken first, and each of its lines looked up by itself: joined, PostgreSQL would read and sort all that is left of the
 * span for every page.
 */
async function postingsAfter(
  client: Connection,
  tenant: Tenant,
  connector: string,
  { from, to }: Span,
  after: string,
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `with page as materialized (
       select p.* from postings p
        where p.tenant = $1 and p.id >= $2 and p.id < $3 and p.id > $4
          and p.kind in ('payment', 'refund_settled', 'refund_bounce', 'dispute', 'dispute_reversal')
        order by p.id limit (select $6::int))
     select p.tenant, p.id, case p.kind when 'refund_settled' then 'refund' else p.kind end as kind,
            coalesce(p.reference, p.id) as reference, p.amount, p.currency, p.payment,
            coalesce((select a.connector from attempts a where a.tenant = p.tenant and a.id = p.reference),
                     (select d.connector from disputes d where d.tenant = p.tenant and d.id = p.source), $5) = $5
              and (select true from postings o
                    where o.tenant = p.tenant and o.source = p.source and o.amount = p.amount and o.currency = p.currency
                      and o.kind = case p.kind when 'refund_settled' then 'refund_bounce' when 'refund_bounce' then 'refund_settled' end
                    limit 1) is null as is_compared
       from page p
      order by p.id`,
    [tenant, firstIdAt('txn', from), firstIdAt('txn', to), after, connector, pageRows],
  );
  return rows;
}

function lineOf({ tenant, id, kind, reference, amount, currency, payment }: Row): Line {
  return { tenant, kind, reference, money: { amount, currency }, at: new Date(idTime(id)), payment };
}

/** Which payments the processor's lines are about, in the order of the lines; null where we do not know. */
export async function findPayments(
  client: Connection,
  connector: string,
  lines: readonly Line[],
): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let at = 0; at < lines.length; at += pageRows) {
    const page = lines.slice(at, at + pageRows);
    const { rows } = await client.query<{ payment: string | null }>(
      `select coalesce(a.payment, d.payment) as payment
         from unnest($1::int4[], $2::text[]) with ordinality as x (tenant, reference, place)
         left join attempts a on a.tenant = x.tenant and a.id = x.reference
         left join disputes d on d.tenant = x.tenant and d.connector = $3 and d.reference = x.reference
        order by x.place`,
      [page.map(({ tenant }) => tenant), page.map(({ reference }) => reference), connector],
    );
    for (const { payment } of rows) found.push(payment);
  }
  return found;
}
