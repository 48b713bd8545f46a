import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { type Connection, connect, type Pool } from '../../../base/sql.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Range, rangeOf } from '../../../operations/range.ts';
import { createDatabase } from '../../../test/harness.ts';
import { transactionsCsv } from './operations.ts';
import { addManyPostings } from './postings.fixture.ts';
import { findPostings, type TransactionFilter } from './store.ts';

const manyRows = 100_000;
const refundsOfOne = 2_000;
const creditRows = 20_000;
const buffersMax = 100;
const tenant = 7 as Tenant;
const ofCredit = 8 as Tenant;

let sql: Connection;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = await connect(database.address, 'test');
  await sql.query('alter table postings set (autovacuum_enabled = off)');
  await addManyPostings(sql, tenant, manyRows);
  // One payment has been refunded cent by cent.
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     select $1, 'txn_' || lpad(n::text, 21, '0') || 'x', 'refund', 'balance', 'refunds_in_flight', 1, 'eur', 're_x' || n, $3, current_date
       from generate_series(1, $2::int) n`,
    [tenant, refundsOfOne, idOf('py', 50_000)],
  );
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     select $1, 'txn_' || lpad((n * 1000)::text, 21, '0') || 'y', kind, 'processor', 'balance', 1, 'eur', 're_y' || n, 'py_y', current_date
       from generate_series(1, 20) n, unnest(array['refund_failure', 'refund_bounce']) with ordinality as x (kind, at)
      where n % 2 = at - 1`,
    [tenant],
  );
  // Of another tenant, only the first and the last are payments.
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     select $1, 'txn_' || lpad(n::text, 22, '0'), kind, debit, credit, 1, 'eur', source, payment, current_date
       from (select n, 'credit_used' as kind, 'customer_credit' as debit, 'credit_granted' as credit, 'ctx_' || n as source, null as payment
               from generate_series(2, $2::int) n
              union all values (1, 'payment', 'processor', 'balance', 'py_first', 'py_first'),
                               ($2 + 1, 'payment', 'processor', 'balance', 'py_last', 'py_last')) as made`,
    [ofCredit, creditRows],
  );
}, 60_000);
afterAll(async () => {
  await sql.end();
  await drop();
});

const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(22, '0')}`;

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** The pages that are read, and how: each statement with a plan for these values, or for any. */
async function readAs(how: string, of: Tenant, filter: TransactionFilter, range: Range) {
  const plans: Plan[] = [];
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    await sql.query(`set plan_cache_mode = ${how}`);
    await sql.query(`prepare asked as ${text}`);
    const execute = `execute asked (${values.map((value) => `'${value}'`).join(', ')})`;
    const { rows } = await sql.query(`explain (analyze, buffers, format json) ${execute}`);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    const result = await sql.query(execute);
    await sql.query('deallocate asked');
    return result;
  };
  const { rows } = await findPostings(new Reads({ query } as unknown as Pool), of, filter, range);
  return { found: rows, plans };
}

const buffersOf = (plan: Plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

const middle = { starting_after: idOf('txn', manyRows / 2) };
const pages: [what: string, filter: TransactionFilter, input: Parameters<typeof rangeOf>[0], rows: number][] = [
  ['unfiltered', {}, {}, 11],
  ['unfiltered, in the middle', {}, middle, 11],
  ['unfiltered, backwards', {}, { ending_before: middle.starting_after }, 11],
  ['for an export', {}, { ...middle, limit: 1_000 }, 1_001],
  ['of payments for an export', { type: 'payment' }, { ...middle, limit: 1_000 }, 1_001],
  ['of payments', { type: 'payment' }, middle, 11],
  ['of fees', { type: 'fee' }, middle, 11],
  ['of refunds', { type: 'refund' }, middle, 11],
  ['of a type with two kinds', { type: 'refund_failure' }, {}, 11],
  ['of a type with two kinds, backwards', { type: 'refund_failure' }, { ending_before: idOf('txn', 0) }, 11],
  ['of a type that never was', { type: 'dispute' }, {}, 0],
  ['of a source', { source: idOf('py', 50_000) }, {}, 2],
  ['of a source that is none', { source: 'py_none' }, {}, 0],
  ['of a payment', { payment: idOf('py', 596) }, {}, 3],
  ['of a payment with many refunds', { payment: idOf('py', 50_000) }, {}, 11],
  ['of a payment that is none', { payment: 'py_none' }, {}, 0],
  ['of a source and a type', { source: idOf('py', 50_000), type: 'fee' }, {}, 1],
];

for (const statistics of ['as they are after the insert', 'fresh']) {
  describe(`of 100,000 postings, with statistics ${statistics}`, () => {
    beforeAll(async () => {
      if (statistics === 'fresh') await sql.query('vacuum analyze postings');
    });

    for (const how of ['force_custom_plan', 'force_generic_plan'])
      test.each(pages)(`a page %s costs a few buffers (${how})`, async (_what, filter, input, rows) => {
        const { found, plans } = await readAs(how, tenant, filter, rangeOf(input, 'txn'));
        expect(found).toHaveLength(rows);
        // Its rows lie side by side, some thirty on a page.
        expect(plans.map((plan) => buffersOf(plan) < buffersMax + rows / 5)).toEqual([true]);
      });

    test('an export in which nearly nothing changes the balance comes in pieces, some of them empty', async () => {
      const context = { reads: new Reads(sql as unknown as Pool), tenant: ofCredit } as Context;
      const pieces: string[] = [];
      for await (const piece of transactionsCsv(context, {}, '2030-01-01')) pieces.push(piece);
      expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([2, 0, 1]); // the first with the header
    });

    test('a page in which nearly nothing changes the balance is read in bounded steps', async () => {
      for (const input of [{}, { ending_before: idOf('txn', 0) }]) {
        const { found, plans } = await readAs('force_generic_plan', ofCredit, {}, rangeOf(input, 'txn'));
        expect(found.map(({ source }) => source).sort()).toEqual(['py_first', 'py_last']);
        expect(plans.length).toBeGreaterThan(2);
        // No step compares more than 10,000 rows.
        expect(Math.max(...plans.map(buffersOf))).toBeLessThan(buffersMax + 10_000 / 5);
      }
    });
  });
}
