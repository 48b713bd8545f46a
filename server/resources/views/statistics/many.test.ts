import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { base62 } from '../../../base/id.ts';
import { operatorPatience } from '../../../base/patient_client.ts';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../../../base/sql.ts';
import { catalog } from '../../../catalog.ts';
import { breakdowns } from '../../../operations/extension_points/statistics.ts';
import type { Context } from '../../../operations/operation.ts';
import { createDatabase } from '../../../test/harness.ts';
import { isTorture, limitMs } from '../../../test/torture.ts';

/** Those of 30 days. The figures are in README.md. */
const payments = 1_000_000;
const refunds = payments / 20;
const hours = 30 * 24;
const tenant = 7 as Tenant;
const account = 'acct_many';
const [from, to] = [Date.UTC(2027, 0, 1) / 1_000, Date.UTC(2027, 0, 31) / 1_000];

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

const pick = (values: readonly string[]) => `('{${values.join(',')}}'::text[])[1 + n % ${values.length}]`;
/** The hour of a number, as the beginning of its id, and the number. */
const idSql = (prefix: string, of: number) =>
  `'${prefix}_' || ($2::text[])[1 + ((n - 1) * ${hours}::int8 / ${of})::int] || lpad(n::text, 14, '0')`;

async function setUp(): Promise<void> {
  database = await createDatabase();
  sql = await connect(database.address, 'test', operatorPatience);
  pool = openPool(database.address, {
    use: 'relaxed',
    connectionsMax: 4,
    patience: operatorPatience,
    onError: () => {},
  });
  await sql.query(`insert into accounts (id, name, tier) values ($1, 'Many', 'standard')`, [account]);
  await sql.query(
    `insert into tenants (tenant, account, mode) overriding system value values ($1, '${account}', 'live')`,
    [tenant],
  );
  const values = [tenant, Array.from({ length: hours }, (_, at) => base62((from + at * 3_600) * 1_000, 8))];
  const status = `case when n % 8 = 0 then 'failed' else 'succeeded' end`;
  const currency = pick(['eur', 'usd', 'jpy', 'eur', 'eur']);
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, customer, payment_method, last4, status, inquiries,
            failure_code, failure_decline_code, description, brand, country, processor, processor_account)
     select $1, ${idSql('py', payments)}, 1, 100 + n % 9000, case when n % 8 = 0 then 0 else 100 + n % 9000 end, ${currency},
            'cus_' || lpad((n % 100000)::text, 22, '0'), 'pm_' || lpad((n % 100000)::text, 22, '0'), lpad((n % 10000)::text, 4, '0'),
            ${status}, 0, case when n % 8 = 0 then 'card_declined' end,
            case when n % 8 = 0 then ${pick(['do_not_honor', 'insufficient_funds', 'lost_card'])} end, 'Order ' || n || ', annual plan',
            ${pick(['visa', 'mastercard', 'visa', 'amex', 'visa', 'jcb', 'mastercard'])}, ${pick(['DE', 'FR', 'DE', 'US', 'AT', 'GB', 'DE', 'JP', 'IT'])},
            json_build_object('account', 'pa_' || lpad((n % 4)::text, 22, '0'), 'connector', 'stripe', 'reference', 'pi_' || substr(md5(n::text), 1, 24)),
            'pa_' || lpad((n % 4)::text, 22, '0')
       from generate_series(1, ${payments}) n`,
    values,
  );
  await sql.query(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, attempt, inquiries)
     select $1, ${idSql('re', refunds)}, 1, 'py_x', n, ${currency}, 'succeeded', 'att_x', 0 from generate_series(1, ${refunds}) n`,
    values,
  );
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     select $1, ${idSql('txn', payments)}, 'fee', 'balance', 'fees', 30, ${currency}, 'py_' || n, 'py_' || n, '2027-02-01'
       from generate_series(1, ${payments}) n where n % 8 <> 0`,
    values,
  );
  await sql.query('vacuum analyze');
}

async function tearDown(): Promise<void> {
  await pool?.end();
  await sql?.end();
  await database?.drop();
}

/** It is printed: whether it is quick enough depends on the machine. */
async function timed(operation: string, input: object) {
  const caller = { kind: 'operator', account };
  const context = { tenant, caller, requestId: 'req', id: '', now: Date.now(), reads: new Reads(pool) };
  const times: number[] = [];
  for (;;) {
    const began = performance.now();
    const outcome = await catalog.operation(operation).run(context as unknown as Context, input as never);
    if (times.push(performance.now() - began) < 3) continue;
    console.log(`measured: ${operation} ${JSON.stringify(input)}: ${times.map(Math.round).join(', ')} ms`);
    return (outcome as { result: { [member: string]: { payments: number }[] } }).result;
  }
}

const sum = (rows: { payments: number }[]) => rows.reduce((all, { payments: count }) => all + count, 0);

/** statistics.test.ts compares the numbers with the lists, in every run. */
describe.runIf(isTorture)(`${payments} payments of 30 days`, () => {
  beforeAll(setUp, limitMs);
  afterAll(tearDown, limitMs);

  test.each(['day', 'hour'])('are counted by %s', { timeout: limitMs }, async (bucket) => {
    expect(sum((await timed('statistics.retrieve', { from, to, bucket })).totals!)).toBe(payments);
  });

  test.each(breakdowns)('are broken down by %s', { timeout: limitMs }, async (by) => {
    const { data, is_complete } = await timed('statistics.breakdown', { from, to, by });
    expect([is_complete, sum(data!)]).toEqual([true, by === 'decline_code' ? payments / 8 : payments]);
  });

  test.each([
    { status: 'refunded' },
    { status: 'partly_refunded' },
    { status: 'disputed' },
    { status: ['refunded', 'failed'], currency: 'chf' },
    { processor: 'pa_none' },
    { processor: 'fake' },
    { brand: 'unionpay' },
    { country: 'XX' },
  ])('none of which is %o are listed', { timeout: limitMs }, async (filters) => {
    expect((await timed('payments.list', filters)).data).toEqual([]);
  });
});
