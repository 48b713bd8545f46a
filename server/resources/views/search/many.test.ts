import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPatience } from '../../../base/patient_client.ts';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { type Connection, connect, openPool, type Pool, type Row, type Sql } from '../../../base/sql.ts';
import { catalog } from '../../../catalog.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import { fastest } from '../../../test/fastest.ts';
import { createDatabase } from '../../../test/harness.ts';
import { isTorture, limitMs } from '../../../test/torture.ts';
import { findResults } from './find.ts';
import { SearchIndexer } from './indexer.ts';
import { rowsPerWordMax } from './store.ts';

/** As many as a shop has after years. The figures are in docs/search.md and docs/operations.md. */
const payments = 1_000_000;
const customers = payments / 10;
const tenant = 7 as Tenant;
const kinds = catalog.extensionsOf(searchables);
const bytesPerPaymentMax = 1_200;
/** In this process, without the network and the browser, which have 300 ms together with it. */
const msMax = 250;

/** Counts the rows that the database has sent. The index sends every row that it reads. */
class CountedReads extends Reads {
  rowsRead = 0;

  protected override async run<T extends Row>(
    sql: Sql,
    ...statement: [string, readonly unknown[], string?]
  ): Promise<T[]> {
    const rows = await super.run<T>(sql, ...statement);
    this.rowsRead += rows.length;
    return rows;
  }

  override of(): Reads {
    return this;
  }
}

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;
let reads: CountedReads;

const firsts = 'Ada Grace Édith Jürgen Łukasz Мария Юрий فاطمة 太郎 지훈'.split(' ');
const lasts = 'Lovelace Hopper Curie Müller Øster Иванова 山田 김'.split(' ');
const text = (values: readonly string[]) => `(array['${values.join("','")}'])`;

async function setUp(): Promise<void> {
  database = await createDatabase();
  sql = await connect(database.address, 'test', operatorPatience);
  pool = openPool(database.address, {
    use: 'relaxed',
    connectionsMax: 4,
    patience: operatorPatience,
    onError: () => {},
  });
  reads = new CountedReads(pool);
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 22, '0')`;
  await sql.query(`insert into accounts (id, name, tier) values ('acct_many', 'Many', 'standard')`);
  await sql.query(`insert into tenants (tenant, account, mode) values ($1, 'acct_many', 'live')`, [tenant]);
  await sql.query(
    `insert into customers (tenant, id, version, name, email, phone, metadata)
     select $1, ${id('cus')}, 1, ${text(firsts)}[n % 10 + 1] || ' ' || ${text(lasts)}[n / 10 % 8 + 1] || ' ' || substr(md5(n::text), 1, 6),
            substr(md5(n::text), 1, 8) || '.' || n || '@example' || n % 100 || '.com', '+49 30 ' || lpad(n::text, 8, '0'), '{}'
       from generate_series(1, $2::int4) n`,
    [tenant, customers],
  );
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, customer, description, payment_method, last4, status,
            processor, inquiries)
     select $1, ${id('py')}, 1, 100 * (n % 901 + 1) + n % 2 * 50, 0, (array['eur','usd','jpy'])[n % 3 + 1], 'cus_' || lpad((n % ${customers} + 1)::text, 22, '0'),
            'Order ' || 100000 + n || ', annual plan', 'pm_' || lpad(n::text, 22, '0'), lpad((n::int8 * 7919 % 10000)::text, 4, '0'),
            (array['succeeded','succeeded','succeeded','failed','canceled'])[n % 5 + 1],
            json_build_object('account', 'pa_1', 'connector', 'stripe', 'reference', 'pi_' || substr(md5(n::text), 1, 24)), 0
       from generate_series(1, $2::int4) n`,
    [tenant, payments],
  );
  await sql.query('analyze');
}

async function tearDown(): Promise<void> {
  await pool?.end();
  await sql?.end();
  await database?.drop();
}

async function size(): Promise<number> {
  const tables = ['search_objects', 'search_terms'].map((name) => `pg_total_relation_size('${name}')`);
  return (await sql.query(`select (${tables.join(' + ')})::int8 as bytes`)).rows[0].bytes;
}

/** As a key that may read everything. */
const context = () =>
  ({
    reads,
    tenant,
    mode: 'live',
    connectors: { all: [], names: [] },
    caller: { kind: 'job', tenant, mode: 'live', name: 'test' },
  }) as unknown as Context;

/** `search.test.ts` has a word that is too frequent, in every run. */
describe.runIf(isTorture)(`an index of ${payments} payments and ${customers} customers`, () => {
  beforeAll(setUp, limitMs);
  afterAll(tearDown, limitMs);

  test('is filled in slices, and costs no more than it may', { timeout: limitMs }, async () => {
    const clock = { now: Date.now, monotonic: () => performance.now(), ahead: () => 0 };
    const indexer = new SearchIndexer(
      { sql: pool, tenants: () => everyTenant(pool), clock, log: pino({ level: 'silent' }) },
      kinds,
    );
    const began = performance.now();
    await indexer.followStep();
    await sql.query(`delete from search_walks where kind not in ('cus', 'py')`);
    while ((await sql.query(`select from search_walks where kind = 'cus'`)).rowCount !== 0) await indexer.walkStep();
    const before = await size();
    const walking = performance.now();
    for (let outcome = 'more'; outcome === 'more'; ) outcome = await indexer.walkStep();
    const each = ((await size()) - before) / payments;
    const seconds = (performance.now() - walking) / 1_000;
    console.log(
      `${each.toFixed(0)} bytes a payment, ${(payments / seconds).toFixed(0)} payments a second, ${((performance.now() - began) / 1_000).toFixed(0)} s in all`,
    );
    expect(each).toBeLessThan(bytesPerPaymentMax);
    await sql.query('analyze search_terms, search_objects');
  });

  const queries: [what: string, q: string, object: string][] = [
    ['a rare name', 'a87ff6', 'customer'],
    ['a frequent name', 'lovelace', 'customer'],
    ['two frequent names', 'ada lovelace', 'customer'],
    ['a name with marks', 'edith muller', 'customer'],
    ['a name in Cyrillic', 'мария', 'customer'],
    ['a name in Arabic', 'فاط', 'customer'],
    ['a name in Han', '山田 太郎', 'customer'],
    ['a name in Hangul', '지훈', 'customer'],
    ['a part of an email', '@example42.com', 'customer'],
    ['a phone number', '+49 30 00000042', 'customer'],
    ['an amount', '129.00', 'payment'],
    ['an amount with its currency', '€129', 'payment'],
    ['an amount and four digits', '2.50 7919', 'payment'],
    ['four digits', '7919', 'payment'],
    ['a word of every payment', 'annual', 'payment'],
    ['frequent words and a rare one', 'annual plan order 100042', 'payment'],
    ['a customer and a frequent word', 'a87ff6 annual', 'payment'],
    ['a frequent name and a rare word', 'jürgen øster 100042', 'payment'],
    ['a frequent name and an amount', 'иванова 129.00', 'payment'],
    ['a frequent name and a frequent word', 'hopper annual', 'payment'],
    ['a frequent name, for payments', 'hopper', 'payment'],
    ['twelve letters', 'a b c d e f g h i j k l', 'nothing'],
    ['a reference', 'pi_a87ff6', 'payment'],
    ['the beginning of an id', 'py_00000000000000000000', 'payment'],
    ['one letter', 'a', 'payment'],
    ['a status', 'status:failed', 'payment'],
    ['several operators', 'status:failed amount:>3 card:3757', 'payment'],
    ['four digits as an operator', 'card:7919', 'payment'],
    ['an amount as an operator', 'amount:129 status:failed,failed,succeeded', 'payment'],
    ['the payments of a customer', 'customer:a87ff6', 'payment'],
    ['the payments of customers with a frequent name', 'customer:hopper', 'payment'],
    ['a word and operators', 'annual amount:100..200 status:succeeded', 'payment'],
    ['a phrase', '"annual plan" 100042', 'payment'],
    ['a phrase of every payment', '"annual plan"', 'payment'],
    ['nothing', 'qqqqqqq', 'nothing'],
  ];
  test.each(queries)('%s is found with bounded reads: %s', { timeout: limitMs }, async (what, q, object) => {
    let found: Awaited<ReturnType<typeof findResults>> = [];
    const ms = await fastest(msMax, async () => {
      reads.rowsRead = 0;
      const began = performance.now();
      found = await findResults(context(), kinds, { q, limit: 10 });
      return performance.now() - began;
    });
    const rows = reads.rowsRead;
    const count = found.find(({ kind }) => kind.object === object)?.count ?? 0;
    console.log(`${what}: ${ms.toFixed(1)} ms, ${rows} rows, ${count} of ${object}`);
    if (object !== 'nothing') expect(count).toBeGreaterThan(0);
    // Each word, then candidates by their numbers, of each kind that has many: customers and payments.
    const words = q.split(/\s+/).length;
    expect(rows).toBeLessThan((words + 6) * rowsPerWordMax);
    expect(ms).toBeLessThan(msMax);
  });
});
