import { newId } from '../../../base/id.ts';
import type { Connection } from '../../../base/sql.ts';
import { type PostingKind, transfers } from '../../../ledger/chart.ts';
import { dayOf } from '../../../ledger/posting.ts';
import type { TestAccount } from '../../../test/harness.ts';

/** Postings as a test wants them, whatever moved the money. */
export type Wish = {
  kind: PostingKind;
  source: string;
  payment?: string;
  amount?: number;
  currency?: string;
  /** Epoch milliseconds. */
  at: number;
  inDays?: number;
};

export async function tenantOf(sql: Connection, account: TestAccount, mode = 'test'): Promise<number> {
  const { rows } = await sql.query('select tenant from tenants where account = $1 and mode = $2', [account.id, mode]);
  return rows[0].tenant;
}

/** Returns the id. */
export async function addPosting(sql: Connection, tenant: number, wish: Wish): Promise<string> {
  return (await addPostings(sql, tenant, [wish]))[0]!;
}

/** Returns the ids. */
export async function addPostings(sql: Connection, tenant: number, wishes: readonly Wish[]): Promise<string[]> {
  const rows = wishes.map((wish) => {
    const { kind, source, payment = source, amount = 1_000, currency = 'eur', at, inDays = 0 } = wish;
    const { debit, credit } = transfers[kind];
    const isCredit = [debit, credit].includes('customer_credit'); // which belongs to no payment
    const belongsTo = isCredit ? null : payment;
    const named = { tenant, id: newId('txn', at), kind, debit, credit, amount, currency, source };
    return { ...named, payment: belongsTo, available_on: dayOf(at, inDays) };
  });
  const columns = 'tenant, id, kind, debit, credit, amount, currency, source, payment, available_on';
  await sql.query(
    `insert into postings (${columns}) select ${columns} from json_populate_recordset(null::postings, $1)`,
    [JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Many payments, each with a fee, and a refund for every hundredth, which is settled. Payments, refunds and transactions have their
 * numbers for ids, in 22 digits. The sealer takes all of it for sealed. Secondary indexes are made afterwards, which takes a fraction of
 * the time.
 */
export async function addManyPostings(sql: Connection, tenant: number, count: number): Promise<void> {
  const { rows: indexes } = await sql.query(
    `select indexname, indexdef from pg_indexes where tablename = 'postings' and indexname <> 'postings_pkey'`,
  );
  await sql.query('begin');
  await sql.query('alter table postings set unlogged'); // nobody needs to recover these
  for (const { indexname } of indexes) await sql.query(`drop index ${indexname}`);
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on, position)
     select $1, 'txn_' || lpad(n::text, 22, '0'), kind, debit, credit, 1 + n % 9999, 'eur',
            source || lpad((n - k)::text, 22, '0'), 'py_' || lpad((n - k)::text, 22, '0'), current_date + (n % 3)::int, -1
       from generate_series(1, $2::int) n,
            lateral (select case when n % 200 < 198 then n % 2 else n % 200 - 196 end as k) of,
            lateral (values (0, 'payment', 'processor', 'balance', 'py_'), (1, 'fee', 'balance', 'fees', 'py_'),
                            (2, 'refund', 'balance', 'refunds_in_flight', 're_'),
                            (3, 'refund_settled', 'refunds_in_flight', 'processor', 're_'))
              as x (at, kind, debit, credit, source)
      where x.at = k`,
    [tenant, count],
  );
  for (const { indexdef } of indexes) await sql.query(indexdef);
  await sql.query('commit');
}
