import { firstIdAt, idTime } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Connection } from '../../base/sql.ts';
import type { Posting } from '../../ledger/posting.ts';
import type { BookLine } from '../../ledger/reconcile.ts';

/** From one moment (inclusive) to another (exclusive), epoch milliseconds. */
export type Span = { from: number; to: number };

const pageRows = 1_000;

/** The postings of a span that a processor knows too, in pages. Postings are only ever added, so running servers do not disturb it. */
export async function* ledgerLines(
  client: Connection,
  tenants: readonly Tenant[],
  connector: string,
  span: Span,
): AsyncGenerator<BookLine[], void, undefined> {
  for (const tenant of await tenantsWithPostings(client, tenants, span)) {
    let after = '';
    let rows: ComparedPosting[];
    do {
      rows = await postingsAfter(client, tenant, connector, span, after);
      const compared = rows.filter(({ is_compared }) => is_compared);
      if (compared.length > 0) yield compared.map(bookLineOf);
      after = rows.at(-1)?.id ?? '';
    } while (rows.length === pageRows);
  }
}

/** One statement for all tenants, so that thousands of accounts without postings in the span cost little. */
async function tenantsWithPostings(
  client: Connection,
  tenants: readonly Tenant[],
  { from, to }: Span,
): Promise<Tenant[]> {
  const { rows } = await client.query<{ tenant: Tenant }>(
    `select x.tenant
       from unnest($1::int4[]) as x (tenant)
      cross join lateral (
        select 1 from postings p where p.tenant = x.tenant and p.id >= $2 and p.id < $3 limit 1) as first_one
      order by x.tenant`,
    [tenants, firstIdAt('txn', from), firstIdAt('txn', to)],
  );
  return rows.map(({ tenant }) => tenant);
}

type ComparedPosting = Pick<Posting, 'tenant' | 'id' | 'amount' | 'currency' | 'payment'> & {
  kind: string;
  reference: string;
  is_compared: boolean;
};

/**
 * A refund that came back, or a payment that was corrected, never happened in the processor's books: it is left out together with its
 * counterpart, on whatever day that was posted.
 * A posting whose connector is unknown is compared with every connector. The page is read first, and each of its postings is looked up
 * by itself: with a join, PostgreSQL would read and sort the rest of the span for every page.
 */
async function postingsAfter(
  client: Connection,
  tenant: Tenant,
  connector: string,
  { from, to }: Span,
  after: string,
): Promise<ComparedPosting[]> {
  const { rows } = await client.query<ComparedPosting>(
    `with page as materialized (
       select p.* from postings p
        where p.tenant = $1 and p.id >= $2 and p.id < $3 and p.id > $4
          and p.kind in ('payment', 'payment_correction', 'refund_settled', 'refund_correction', 'refund_bounce', 'dispute', 'dispute_reversal')
        order by p.id limit (select $6::int))
     select p.tenant, p.id, case when p.kind in ('refund_settled', 'refund_correction') then 'refund' else p.kind end as kind,
            coalesce(p.reference, p.id) as reference, p.amount, p.currency, p.payment,
            coalesce((select a.connector from attempts a where a.tenant = p.tenant and a.id = p.reference),
                     (select d.connector from disputes d where d.tenant = p.tenant and d.id = p.source), $5) = $5
              and (select true from postings o
                    where o.tenant = p.tenant and o.source = p.source and o.amount = p.amount and o.currency = p.currency
                      and o.kind = any(case p.kind
                        when 'payment' then array['payment_correction'] when 'payment_correction' then array['payment']
                        when 'refund_settled' then array['refund_bounce'] when 'refund_correction' then array['refund_bounce']
                        when 'refund_bounce' then array['refund_settled', 'refund_correction'] end)
                    limit 1) is null as is_compared
       from page p
      order by p.id`,
    [tenant, firstIdAt('txn', from), firstIdAt('txn', to), after, connector, pageRows],
  );
  return rows;
}

function bookLineOf({ tenant, id, kind, reference, amount, currency, payment }: ComparedPosting): BookLine {
  return { tenant, kind, reference, money: { amount, currency }, at: new Date(idTime(id)), payment };
}

/** The payment of each line of the processor's statement, in the order of the lines; null where it is unknown. */
export async function findPayments(
  client: Connection,
  connector: string,
  lines: readonly BookLine[],
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
