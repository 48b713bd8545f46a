import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '../../../base/sql.ts';
import { createDatabase } from '../../../test/harness.ts';
import { invoiceRules } from './invoice_rules.ts';

let sql: Connection;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = await connect(database.address, 'test');
  await plant();
});
afterAll(async () => {
  await sql.end();
  await drop();
});

type Row = [id: string, status: string, total: number, credit: number, payment: string | null, number: number | null];

/** Invoices in every status, with the payments and credit that belong to them. All are of one subscription. */
async function plant(): Promise<void> {
  const invoices: Row[] = [
    ['in_draft', 'draft', 100, 0, null, null],
    ['in_open', 'open', 100, 0, 'py_failed', 1],
    ['in_waits', 'open', 100, 0, 'py_unknown', 2],
    ['in_paid', 'paid', 100, 30, 'py_paid', 3],
    ['in_granted', 'paid', -70, 0, null, 4],
    ['in_void', 'void', 100, 20, null, 5],
    ['in_closed', 'void', 100, 0, 'py_late', 6],
    ['in_given_up', 'uncollectible', 100, 0, 'py_lost', 7],
  ];
  for (const [id, status, total, credit, payment, number] of invoices)
    await sql.query(
      `insert into invoices (tenant, id, version, customer, subscription, status, billing_reason, currency, number, lines, subtotal,
         discount, credit_applied, amount_due, amount_paid, period_start, period_end, payment, is_charging, attempt_count, paid_at, created)
       values (1, $1, 1, 'cus_1', 'sub_1', $2, 'subscription_update', 'eur', $3, $4, $5, 5, $6, $7, $8, 1, 2, $9, $10, 1, $11, 1)`,
      [
        ...[
          id,
          status,
          number,
          JSON.stringify([
            { amount: total, discount: 5 },
            { amount: 5, discount: 0 },
          ]),
          total + 5,
        ],
        ...[credit, Math.max(total - credit, 0), status === 'paid' ? Math.max(total - credit, 0) : 0, payment],
        ...[payment === 'py_unknown', status === 'paid' ? 1 : null],
      ],
    );
  const payments: [id: string, status: string, amount: number, refunded: number | null, invoice: string][] = [
    ['py_failed', 'failed', 100, null, 'in_open'],
    ['py_unknown', 'processing', 100, null, 'in_waits'],
    ['py_paid', 'succeeded', 70, 10, 'in_paid'],
    ['py_late', 'succeeded', 100, 100, 'in_closed'],
    ['py_lost', 'canceled', 100, null, 'in_given_up'],
    ['py_gone', 'succeeded', 100, null, 'in_of_a_deleted_clock'],
  ];
  for (const [id, status, amount, refunded, invoice] of payments)
    await sql.query(
      `insert into payments (tenant, id, version, amount, amount_received, amount_refunded, currency, payment_method, status, inquiries, invoice)
       values (1, $1, 1, $2, $3, $4, 'eur', 'pm_1', $5, 0, $6)`,
      [id, amount, status === 'succeeded' ? amount : 0, refunded, status, invoice],
    );
  await sql.query(
    `insert into credit_transactions (tenant, id, customer, amount, currency, invoice) values
       (1, 'ctx_1', 'cus_1', -30, 'eur', 'in_paid'), (1, 'ctx_2', 'cus_1', 70, 'eur', 'in_granted'),
       (1, 'ctx_3', 'cus_1', -20, 'eur', 'in_void'), (1, 'ctx_4', 'cus_1', 20, 'eur', 'in_void')`,
  );
  await sql.query(
    `insert into subscriptions (tenant, id, version, customer, status, currency, items, billing_interval, interval_count,
       billing_cycle_anchor, current_period_start, current_period_end, open_invoices, waiting_lines, cancel_at_period_end, trial_announced,
       coupon_used, gives_up, created)
     values (1, 'sub_1', 1, 'cus_1', 'past_due', 'eur', '[]', 'month', 1, 1, 1, 2, 2, 0, false, false, false, false, 1)`,
  );
  await sql.query(`insert into sequences (tenant, id, version, last) values (1, 'invoices', 7, 7)`);
}

/** What is found after something was done to the rows, which is undone then. */
async function foundAfter(tampering: string): Promise<string[]> {
  await sql.query('begin');
  try {
    await sql.query(tampering);
    const found: string[] = [];
    for (const rule of invoiceRules) {
      const { rows } = await sql.query(rule.sql, [[1]]);
      found.push(...rows.map(({ id, should, is }) => `${rule.name}: ${id} should be ${should} and is ${is}`));
    }
    return found;
  } finally {
    await sql.query('rollback');
  }
}

const received = 'an invoice that was paid has received its amount from a payment that names it: in_paid should be';
const once = 'an invoice is paid once';
const waits = 'an invoice waits for its payment exactly as long as that is not over';
const sums = 'the amounts of an invoice are the sums of its lines';
const credit = 'the credit of an invoice is that of its credit transactions';
const counted = 'the open invoices of a subscription are counted on it';
const numbers = 'invoices are numbered without gaps: invoices should be numbered from 1 to';

test('nothing is found in rows that agree', async () => {
  expect(await foundAfter('select')).toEqual([]);
});

test('numbers may lack where a test clock was deleted', async () => {
  const deleted = `insert into deleted_test_clocks (tenant, id, version, frozen_time) values (1, 'clock_1', 1, now())`;
  expect(await foundAfter(`${deleted}; update sequences set last = 9`)).toEqual([]);
});

/** Without the constraint that keeps the amount that is due. */
const unguarded = `do $$ begin execute (select 'alter table invoices drop constraint ' || conname from pg_constraint
   where conrelid = 'invoices'::regclass and pg_get_constraintdef(oid) ilike '%greatest%'); end $$`;

const cases: [tampering: string, said: string][] = [
  [`update payments set amount_received = 60 where id = 'py_paid'`, `${received} 70 eur by its payment and is 60 eur by py_paid, succeeded`],
  [`update payments set invoice = 'in_other' where id = 'py_paid'`, `${received} 70 eur by its payment and is nothing`],
  [`update payments set currency = 'usd' where id = 'py_paid'`, `${received} 70 eur by its payment and is 70 usd by py_paid, succeeded`],
  [`delete from payments where id = 'py_paid'`, `${received} 70 eur by its payment and is nothing`],
  [`update payments set invoice = 'in_paid' where id = 'py_gone'`, `${once}: py_gone should be the payment of in_paid, or refunded and is beside paid by py_paid`],
  [`update payments set amount_refunded = 99 where id = 'py_late'`, `${once}: py_late should be the payment of in_closed, or refunded and is beside void by py_late`],
  [`update payments set status = 'succeeded', amount_received = 100 where id = 'py_failed'`, `${once}: py_failed should be the payment of in_open, or refunded and is beside open by py_failed`],
  [`update payments set status = 'failed' where id = 'py_unknown'`, `${waits}: in_waits should be with a payment that is not over and is failed`],
  [`update payments set status = 'processing' where id = 'py_failed'`, `${waits}: in_open should be without one and is processing`],
  [`update invoices set is_charging = true where id = 'in_draft'`, `${waits}: in_draft should be with a payment that is not over and is no payment`],
  [`update invoices set lines = '[]' where id = 'in_open'`, `${sums}: in_open should be 0 less 0 and is 105 less 5`],
  [
    `${unguarded}; update invoices set amount_due = 99 where id = 'in_open'`,
    'what is due of an invoice is its total less the credit that it used: in_open should be 100 and is 99',
  ],
  [`delete from credit_transactions where id = 'ctx_1'`, `${credit}: in_paid should be -30 and is 0`],
  [`update credit_transactions set amount = 71 where id = 'ctx_2'`, `${credit}: in_granted should be 70 and is 71`],
  [`update credit_transactions set amount = 21 where id = 'ctx_4'`, `${credit}: in_void should be -20 and is 1`],
  [`update credit_transactions set invoice = 'in_draft' where id = 'ctx_4'`, `${credit}: in_draft should be 0 and is 20`],
  [`update subscriptions set open_invoices = 1`, `${counted}: sub_1 should be 2 and is 1`],
  [`update sequences set last = 8`, `${numbers} 8 and is 7, up to 7`],
  [`update sequences set last = 6`, `${numbers} 6 and is 7, up to 7`],
  [`delete from invoices where id = 'in_void'`, `${numbers} 7 and is 6, up to 7`],
]; // biome-ignore format: one line is a case

test.each(cases)('%s → %s', async (tampering, said) => {
  expect(await foundAfter(tampering)).toContain(said);
});
