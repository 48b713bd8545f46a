import { firstIdAt, idTime } from '../../../base/id.ts';
import { type ConnectionsAt, eachAt, rowsEverywhere } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Connection } from '../../../base/sql.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { Posting } from '../../../ledger/posting.ts';
import type { BookLine } from '../../../ledger/reconcile.ts';

/** From one moment (inclusive) to another (exclusive), epoch milliseconds. */
export type Span = { from: number; to: number };

const pageRows = 1_000;

/** The postings of a span that a processor knows too, in pages. Postings are only ever added, so running servers do not disturb it. */
export async function* ledgerLines(
  at: ConnectionsAt,
  tenants: readonly Tenant[],
  source: NoticeSource,
  span: Span,
): AsyncGenerator<BookLine[], void, undefined> {
  for (const tenant of await tenantsWithPostings(at, tenants, span)) {
    let after = '';
    let rows: ComparedPosting[];
    do {
      const from = after;
      rows = await at.at(tenant, ({ sql }) => postingsAfter(sql, tenant, source, span, from));
      const compared = rows.filter(({ is_compared }) => is_compared);
      if (compared.length > 0) yield compared.map(bookLineOf);
      after = rows.at(-1)?.id ?? '';
    } while (rows.length === pageRows);
  }
}

/** One statement for all tenants of a place, so that thousands of accounts without postings in the span cost little. */
async function tenantsWithPostings(
  at: ConnectionsAt,
  tenants: readonly Tenant[],
  { from, to }: Span,
): Promise<Tenant[]> {
  const text = `
    select x.tenant
      from unnest($1::int4[]) as x (tenant)
     cross join lateral (
       select 1 from postings p where p.tenant = x.tenant and p.id >= $2 and p.id < $3 limit 1) as first_one`;
  const values = [tenants, firstIdAt('txn', from), firstIdAt('txn', to)];
  const rows = await rowsEverywhere<{ tenant: Tenant }>(at, text, values, tenants);
  return rows.map(({ tenant }) => tenant).sort((one, other) => one - other);
}

type ComparedPosting = Pick<Posting, 'tenant' | 'id' | 'amount' | 'currency'> & {
  payment: string;
  kind: string;
  reference: string;
  is_compared: boolean;
};

/**
 * A refund that came back, or a payment that was corrected, never happened in the processor's books: it is left out together with its
 * counterpart, on whatever day that was posted.
 * A refund that was made at the processor has the processor's name, and its attempt tells where that was.
 * A posting whose connector is unknown is compared with every connector. The page is read first, and each of its postings is looked up
 * by itself: with a join, PostgreSQL would read and sort the rest of the span for every page.
 */
async function postingsAfter(
  client: Connection,
  tenant: Tenant,
  { connector, processor_account }: NoticeSource,
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
            coalesce((select (a.connector, coalesce(a.processor_account, ''))::text from attempts a
                       where a.tenant = p.tenant and a.id = p.reference),
                     (select (a.connector, coalesce(a.processor_account, ''))::text from refunds r
                        join attempts a on a.tenant = r.tenant and a.id = r.attempt
                       where r.tenant = p.tenant and r.id = p.source),
                     (select (d.connector, coalesce(d.processor_account, ''))::text from disputes d
                       where d.tenant = p.tenant and d.id = p.source),
                     ($5::text, coalesce($7::text, ''))::text) = ($5::text, coalesce($7::text, ''))::text
              and (select true from postings o
                    where o.tenant = p.tenant and o.source = p.source and o.amount = p.amount and o.currency = p.currency
                      and o.kind = any(case p.kind
                        when 'payment' then array['payment_correction'] when 'payment_correction' then array['payment']
                        when 'refund_settled' then array['refund_bounce'] when 'refund_correction' then array['refund_bounce']
                        when 'refund_bounce' then array['refund_settled', 'refund_correction'] end)
                    limit 1) is null as is_compared
       from page p
      order by p.id`,
    [tenant, firstIdAt('txn', from), firstIdAt('txn', to), after, connector, pageRows, processor_account],
  );
  return rows;
}

function bookLineOf({ tenant, id, kind, reference, amount, currency, payment }: ComparedPosting): BookLine {
  return { tenant, kind, reference, money: { amount, currency }, at: new Date(idTime(id)), payment };
}

/** The payment of each line of the processor's statement, in the order of the lines; null where it is unknown. */
export function findPayments(
  at: ConnectionsAt,
  source: NoticeSource,
  lines: readonly BookLine[],
): Promise<(string | null)[]> {
  return eachAt(at, lines, tenantOf, (sql, own) => paymentsOf(sql, source, own));
}

const tenantOf = ({ tenant }: BookLine) => tenant;

async function paymentsOf(
  client: Connection,
  { connector, processor_account }: NoticeSource,
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
                             and d.processor_account is not distinct from $4
        order by x.place`,
      [page.map(({ tenant }) => tenant), page.map(({ reference }) => reference), connector, processor_account],
    );
    for (const { payment } of rows) found.push(payment);
  }
  return found;
}

/**
 * For each line of a statement that is about an approval that was undone: the references of its counterparts, which gave the money back or
 * took it. Neither line is in the ledger, because the payment never received the money. Empty for all other lines.
 */
export function findUndone(at: ConnectionsAt, lines: readonly BookLine[]): Promise<string[][]> {
  return eachAt(at, lines, tenantOf, undoneOf);
}

async function undoneOf(client: Connection, lines: readonly BookLine[]): Promise<string[][]> {
  const found: string[][] = [];
  for (let at = 0; at < lines.length; at += pageRows) {
    const page = lines.slice(at, at + pageRows);
    const { rows } = await client.query<{ counterparts: string[] }>(
      `select array(
         select other.id from attempts a
           join payments p on p.tenant = a.tenant and p.id = a.payment
           join attempts other on other.tenant = a.tenant and other.payment = a.payment
          where a.tenant = x.tenant and a.id = x.reference and p.amount = x.amount and p.currency = x.currency
            and case x.kind
                when 'refund' then a.verb in ('cancel', 'reverse') and a.state = 'approved' and other.verb = 'authorize'
                when 'payment' then a.verb = 'authorize' and other.verb in ('cancel', 'reverse') and other.state = 'approved'
                end) as counterparts
         from unnest($1::int4[], $2::text[], $3::text[], $4::int8[], $5::text[])
              with ordinality as x (tenant, kind, reference, amount, currency, place)
        order by x.place`,
      [
        page.map(({ tenant }) => tenant),
        page.map(({ kind }) => kind),
        page.map(({ reference }) => reference),
        page.map(({ money }) => money.amount),
        page.map(({ money }) => money.currency),
      ],
    );
    for (const { counterparts } of rows) found.push(counterparts);
  }
  return found;
}
