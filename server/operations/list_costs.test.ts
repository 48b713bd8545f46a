import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt, idNumber, idTime, numberedId } from '../base/id.ts';
import { operatorPatience } from '../base/patient_client.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../base/sql.ts';
import { catalog, requestable } from '../catalog.ts';
import { findAuditedOf } from '../resources/people/audit_log/store.ts';
import { createDatabase } from '../test/harness.ts';
import { isTorture, shareOf, shareOfCases } from '../test/torture.ts';
import type { Context } from './operation.ts';
import { type ListInput, listParameters } from './schemas.ts';

/**
 * Two filters that each match half of a million rows, and together none: a plan that follows one and checks the other reads them all,
 * on a connection that everybody's reads share.
 */
const many = shareOf(1_000_000, 10_000);
/**
 * A page has 11 rows, and is merged from seven at most. Every row may be on a separate page; three or four more lead to the first. What
 * is found by another table is then looked up by its id.
 */
const buffersMax = 7 * (11 + 4) + 11 * 4;
const tenant = 7 as Tenant;
const account = 'acct_x';

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

/** The ids of all kinds are numbers of 22 digits. */
const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(22, '0')}`;
const [one, other, nobody] = [1, 2, 3];
const middle = many / 2;

const half = (first: string, second: string) => `case when n % 2 = 1 then ${first} else ${second} end`;
const halves = (prefix: string) => half(`'${idOf(prefix, one)}'`, `'${idOf(prefix, other)}'`);
const tables: Record<string, { prefix: string; columns: Record<string, string> }> = {
  api_keys: {
    prefix: 'key',
    columns: { version: '1', hash: `decode(md5(n::text), 'hex')`, hint: `'x'`, name: `'x'` },
  },
  notes: {
    prefix: 'note',
    columns: {
      version: '1',
      subject: halves('cus'),
      customer: halves('cus'),
      text: `'Called twice.'`,
      author_key: `'key_x'`,
      author_name: `'x'`,
    },
  },
  test_clocks: {
    prefix: 'clock',
    columns: { version: '1', status: `'ready'`, frozen_time: 'now()' },
  },
  customers: {
    prefix: 'cus',
    columns: { version: '1', metadata: `'{}'`, test_clock: halves('clock'), external_id: `'ext_' || n` },
  },
  payments: {
    prefix: 'py',
    columns: {
      version: '1',
      amount: '1',
      amount_received: '0',
      currency: `'eur'`,
      customer: halves('cus'),
      payment_method: `'pm_x'`,
      status: half(`'succeeded'`, `'failed'`),
      invoice: `case when n % ${many / 10} = 1 then '${idOf('in', one)}' end`,
      checkout_session: `case when n % ${many / 10} = 1 then '${idOf('cs', one)}' end`,
      inquiries: '0',
    },
  },
  checkout_sessions: {
    prefix: 'cs',
    columns: {
      version: '1',
      mode: `'payment'`,
      status: half(`'open'`, `'processing'`),
      payment_status: `'unpaid'`,
      amount_total: '1',
      currency: `'eur'`,
      customer: halves('cus'),
      payment_link: halves('plink'),
      reference: `case when n % ${many / 10} = 1 then 'A-1' else 'B-' || n end`,
      coupon_tries: '0',
      declines: '0',
      url: `'https://pay.example'`,
      expires_at: 'now()',
    },
  },
  mails: {
    prefix: 'mail',
    columns: {
      version: '1',
      kind: half(`'receipt'`, `'refund'`),
      cause: `'evt_' || n`,
      status: half(`'sent'`, `'failed'`),
      subject: `'x'`,
      language: `'en'`,
      customer: halves('cus'),
      invoice: halves('in'),
      payment: halves('py'),
      attempts: '1',
    },
  },
  setups: {
    prefix: 'set',
    columns: {
      version: '1',
      payment_method: `case when n % ${many / 10} = 1 then '${idOf('pm', one)}' else 'pm_' || n end`,
      checkout_session: `case when n % ${many / 10} = 1 then '${idOf('cs', one)}' end`,
      customer: halves('cus'),
      status: half(`'succeeded'`, `'failed'`),
      inquiries: '0',
    },
  },
  refunds: {
    prefix: 're',
    columns: {
      version: '1',
      payment: halves('py'),
      amount: '1',
      currency: `'eur'`,
      status: half(`'succeeded'`, `'pending'`),
      attempt: `'att_x'`,
      inquiries: '0',
    },
  },
  disputes: {
    prefix: 'dp',
    columns: {
      version: '1',
      payment: halves('py'),
      amount: '1',
      currency: `'eur'`,
      reason: `'fraudulent'`,
      status: half(`'won'`, `'lost'`),
      evidence: `'{}'`,
      due_by: 'now()',
      submission_count: '0',
      connector: `'simulator'`,
      reference: 'n::text',
      inquiries: '0',
    },
  },
  deliveries: {
    prefix: 'whd',
    columns: {
      version: '1',
      event: `'evt_x'`,
      endpoint: halves('we'),
      state: half(`'delivered'`, `'exhausted'`),
      attempts: '0',
    },
  },
  events: {
    prefix: 'evt',
    columns: {
      type: half(`'customer.created'`, `'customer.deleted'`),
      object_id: halves('cus'),
      object_version: '1',
      payload: `convert_to('{"id":"evt_' || lpad(n::text, 22, '0') || '"}', 'UTF8')`,
    },
  },
  payment_methods: {
    prefix: 'pm',
    columns: {
      version: '1',
      customer: halves('cus'),
      detached: 'false',
      brand: `'visa'`,
      last4: `'4242'`,
      exp_month: '1',
      exp_year: '2040',
      billing: `'{}'`,
    },
  },
  prices: {
    prefix: 'price',
    columns: {
      version: '1',
      active: 'n % 2 = 1',
      currency: `'eur'`,
      unit_amount: '1',
      interval: `'month'`,
      interval_count: '1',
      product_name: `'Gold'`,
      external_id: `'ext_' || n`,
    },
  },
  coupons: {
    prefix: 'coupon',
    columns: {
      version: '1',
      percent_hundredths: '1',
      duration: `'once'`,
      code: `'CODE_' || n`,
      code_key: `'code_' || n`,
      deleted: `n > 3`, // a page of what is left steps over all others, unless its index knows them
    },
  },
  subscriptions: {
    prefix: 'sub',
    columns: {
      version: '1',
      customer: halves('cus'),
      status: half(`'active'`, `'canceled'`),
      currency: `'eur'`,
      items: `'[]'`,
      billing_interval: `'month'`,
      interval_count: '1',
      billing_cycle_anchor: '0',
      current_period_start: '0',
      current_period_end: '1',
      open_invoices: '0',
      waiting_lines: '0',
      cancel_at_period_end: 'false',
      trial_announced: 'false',
      coupon_used: 'false',
      gives_up: 'false',
      created: '0',
      external_id: `'ext_' || n`,
    },
  },
  subscription_prices: {
    prefix: 'sub',
    columns: { customer: halves('cus'), status: half(`'active'`, `'canceled'`), price: halves('price') },
  },
  invoices: {
    prefix: 'in',
    columns: {
      version: '1',
      customer: halves('cus'),
      subscription: halves('sub'),
      status: half(`'open'`, `'void'`),
      number: 'n',
      billing_reason: `'manual'`,
      currency: `'eur'`,
      lines: `'[]'`,
      subtotal: '1',
      discount: '0',
      credit_applied: '0',
      amount_due: '1',
      amount_paid: '0',
      period_start: '0',
      period_end: '0',
      is_charging: 'false',
      attempt_count: '0',
      created: '0',
    },
  },
  credit_transactions: {
    prefix: 'ctx',
    columns: { customer: halves('cus'), amount: '1', currency: `'eur'` },
  },
  invoice_items: {
    prefix: 'ii',
    columns: { version: '1', customer: halves('cus'), amount: '1', currency: `'eur'`, description: `'Setup'` },
  },
  postings: {
    prefix: 'txn',
    columns: {
      kind: half(`'refund'`, `'dispute'`),
      debit: `'balance'`,
      credit: half(`'refunds_in_flight'`, `'disputed'`),
      amount: '1',
      currency: `'eur'`,
      source: `'re_' || n`,
      payment: halves('py'),
      available_on: 'current_date',
      position: '-1',
    },
  },
};

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test', operatorPatience); // a million rows take long
  pool = openPool(database.address, { use: 'reads', connectionsMax: 1, onError: () => {} });
  await sql.query(`insert into accounts (id, name, tier) values ($1, 'Shop', 'standard')`, [account]);
  const tenants = `insert into tenants (tenant, account, mode) overriding system value values ($1, $2, 'test')`;
  await sql.query(tenants, [tenant, account]);
  for (const [table, { prefix, columns }] of Object.entries(tables)) {
    await sql.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await sql.query(
      `insert into ${table} (tenant, id, ${Object.keys(columns).join(', ')})
       select $1, '${prefix}_' || lpad(n::text, 22, '0'), ${Object.values(columns).join(', ')} from generate_series(1, $2::int) n`,
      [tenant, many],
    );
  }
  await addAudit();
  for (const number of [one, other]) {
    await sql.query(
      `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret)
       values ($1, $2, 1, $2, '["*"]', 'enabled', '{}', 1)`,
      [tenant, idOf('we', number)],
    );
  }
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await database.drop();
});

const entries = shareOf(50_000, 3_000);
const auditValues = {
  user_id: halves('usr'),
  action: half(`'payment.captured'`, `'payment.canceled'`),
  subject: halves('py'),
  refused: half('false', 'true'),
};

/** Three of each moment, as a commit of several entries leaves them. Neighbours in time are on different pages, so every row counts. */
async function addAudit(): Promise<void> {
  await sql.query('alter table audit set (autovacuum_enabled = off)');
  await sql.query(
    `insert into audit (account, at, actor, ${Object.keys(auditValues).join(', ')})
     select $1, '2026-01-01'::timestamptz + n / 3 * interval '7 ms', 'x', ${Object.values(auditValues).join(', ')}
       from generate_series(1, $2::int8) n order by n * 7919 % $2`,
    [account, entries],
  );
}

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Counts the buffers of every statement, and runs it. */
class Counting extends Reads {
  buffers = 0;
  /** Of each statement. */
  readonly steps: number[] = [];
  override async run<T>(_: unknown, text: string, values: unknown[], name?: string): Promise<T[]> {
    const buffers = [
      await buffersOf(text, values),
      ...(name === undefined ? [] : [await buffersPrepared(text, values)]),
    ];
    this.steps.push(Math.max(...buffers));
    this.buffers += this.steps.at(-1)!;
    return (await sql.query(text, values)).rows as T[];
  }
}

async function buffersOf(text: string, values: unknown[]): Promise<number> {
  const { rows } = await sql.query(`explain (analyze, buffers, format json) ${text}`, values);
  const plan = rows[0]['QUERY PLAN'][0].Plan as Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** With the plan for any values, which PostgreSQL takes when a statement recurs. */
async function buffersPrepared(text: string, values: unknown[]): Promise<number> {
  await sql.query(`set plan_cache_mode = force_generic_plan; prepare page as ${text}`);
  const literals = values.map((value) => sql.escapeLiteral(String(value)));
  try {
    return await buffersOf(`execute page (${literals.join(', ')})`, []);
  } finally {
    await sql.query('deallocate page; reset plan_cache_mode');
  }
}

async function pageOf(operation: string, id: string, input: object) {
  const reads = new Counting(pool);
  const caller = { kind: 'operator', account };
  const context = { tenant, caller, requestId: 'req', id, now: Date.now(), reads } as unknown as Context;
  const outcome = await catalog.operation(operation).run(context, input as never);
  const { data } = (outcome as { result: { data: { id: string }[] } }).result;
  return { ids: data.map((row) => row.id), buffers: reads.buffers, steps: reads.steps };
}

/** The price of a subscription is in a separate table, and follows from its id. The object of a note is its subject. */
function columnOf(table: string, column: string): string {
  if (table === 'notes' && column === 'object') return 'subject';
  return table === 'subscriptions' && column === 'price'
    ? halves('price').replace('n %', 'right(id, 1)::int %')
    : column;
}

/** The same page in the plainest words. */
async function expected(table: string, filter: Record<string, string>, input: ListInput): Promise<string[]> {
  const { starting_after: after, ending_before: before, created } = input;
  const { prefix } = tables[table]!;
  const conditions = [
    ...Object.entries(filter).map(([column, value]) => `${columnOf(table, column)} = '${value}'`),
    ...(after ? [`id < '${after}'`] : []),
    ...(before ? [`id > '${before}'`] : []),
    ...(created?.lt === undefined ? [] : [`id < '${firstIdAt(prefix, created.lt * 1_000)}'`]),
    ...(created?.gte === undefined ? [] : [`id >= '${firstIdAt(prefix, created.gte * 1_000)}'`]),
  ];
  const { rows } = await sql.query(
    `select id from (select id from ${table} where ${['tenant = $1', ...conditions].join(' and ')}
       order by id ${before ? 'asc' : 'desc'} limit 10) page order by id desc`,
    [tenant],
  );
  return rows.map((row) => row.id);
}

async function middleEntry(): Promise<string> {
  const { rows } = await sql.query('select at, id from audit order by at, id offset $1 limit 1', [entries / 2]);
  return numberedId('aud', rows[0].at.getTime(), rows[0].id);
}

/** The numbers of the entries that a page of the audit log has. */
async function expectedEntries(filter: Record<string, string>, input: ListInput): Promise<number[]> {
  const { starting_after: after, ending_before: before } = input;
  const cursor = after ?? before;
  const conditions = [
    ...Object.entries(filter).map(([column, value]) => `${column} = '${value}'`),
    ...(cursor
      ? [`(at, id) ${after ? '<' : '>'} (to_timestamp(${idTime(cursor)} / 1000.0), ${idNumber(cursor)})`]
      : []),
  ];
  const { rows } = await sql.query(
    `select id from (select at, id from audit where ${['account = $1', ...conditions].join(' and ')}
       order by (at, id) ${before ? 'asc' : 'desc'} limit 10) page order by (at, id) desc`,
    [account],
  );
  return rows.map((row) => row.id);
}

type Case = [operation: string, table: string, id: string, filters: Record<string, readonly (string | undefined)[]>];
const owners = (prefix: string) => [undefined, ...[one, other, nobody].map((number) => idOf(prefix, number))];
const externalIds = ['ext_1', `ext_${middle + 1}`, 'ext_0'];
const lists: Case[] = [
  ['api_keys.list', 'api_keys', '', {}],
  ['notes.list', 'notes', '', { object: owners('cus') }],
  ['test_clocks.list', 'test_clocks', '', {}],
  ['customers.list', 'customers', '', { test_clock: owners('clock') }],
  ['customers.list', 'customers', '', { external_id: externalIds, test_clock: owners('clock') }],
  [
    'payments.list',
    'payments',
    '',
    { customer: owners('cus'), status: [undefined, 'succeeded', 'failed', 'canceled'] },
  ],
  [
    'payments.list',
    'payments',
    '',
    { invoice: owners('in').slice(1), customer: owners('cus'), status: [undefined, 'succeeded', 'failed'] },
  ],
  [
    'payments.list',
    'payments',
    '',
    { checkout_session: owners('cs').slice(1), invoice: owners('in'), status: [undefined, 'succeeded', 'failed'] },
  ],
  [
    'payments.list',
    'payments',
    '',
    { checkout_session: owners('cs').slice(1), customer: owners('cus'), status: [undefined, 'succeeded', 'failed'] },
  ],
  ['setups.list', 'setups', '', { customer: owners('cus'), status: [undefined, 'succeeded', 'failed', 'canceled'] }],
  [
    'setups.list',
    'setups',
    '',
    { payment_method: owners('pm').slice(1), customer: owners('cus'), status: [undefined, 'succeeded', 'failed'] },
  ],
  [
    'setups.list',
    'setups',
    '',
    { checkout_session: owners('cs').slice(1), customer: owners('cus'), status: [undefined, 'succeeded', 'failed'] },
  ],
  [
    'setups.list',
    'setups',
    '',
    { checkout_session: owners('cs').slice(1), payment_method: owners('pm'), status: [undefined, 'succeeded'] },
  ],
  ['refunds.list', 'refunds', '', { payment: owners('py'), status: [undefined, 'succeeded', 'pending', 'failed'] }],
  ['disputes.list', 'disputes', '', { payment: owners('py'), status: [undefined, 'won', 'lost', 'under_review'] }],
  [
    'webhook_endpoints.list_deliveries',
    'deliveries',
    idOf('we', one),
    { endpoint: [idOf('we', one)], state: [undefined, 'delivered', 'exhausted', 'pending'] },
  ],
  [
    'webhook_endpoints.list_deliveries',
    'deliveries',
    idOf('we', other),
    { endpoint: [idOf('we', other)], state: [undefined, 'delivered', 'exhausted', 'pending'] },
  ],
  ['events.list', 'events', '', { type: [undefined, 'customer.created', 'customer.deleted', 'customer.updated'] }],
  ['events.list', 'events', '', { object_id: owners('cus') }],
  ['checkout_sessions.list', 'checkout_sessions', '', { customer: owners('cus') }],
  ['mails.list', 'mails', '', { customer: owners('cus') }],
  ['mails.list', 'mails', '', { invoice: owners('in') }],
  ['mails.list', 'mails', '', { payment: owners('py') }],
  ['mails.list', 'mails', '', { kind: [undefined, 'receipt'], status: [undefined, 'sent', 'failed', 'queued'] }],
  ['checkout_sessions.list', 'checkout_sessions', '', { payment_link: owners('plink') }],
  ['checkout_sessions.list', 'checkout_sessions', '', { status: [undefined, 'open', 'processing', 'expired'] }],
  ['checkout_sessions.list', 'checkout_sessions', '', { reference: [undefined, 'A-1', 'none'] }],
  ['prices.list', 'prices', '', { active: [undefined, 'true', 'false'] }],
  ['prices.list', 'prices', '', { external_id: externalIds, active: [undefined, 'true', 'false'] }],
  ['coupons.list', 'coupons', '', { deleted: ['false'] }],
  ['coupons.list', 'coupons', '', { deleted: ['false'], code_key: ['code_1', `code_${middle + 1}`, 'code_0'] }],
  [
    'subscriptions.list',
    'subscriptions',
    '',
    { customer: owners('cus'), status: [undefined, 'active', 'canceled', 'paused'], price: owners('price') },
  ],
  ['subscriptions.list', 'subscriptions', '', { external_id: externalIds, customer: owners('cus') }],
  [
    'invoices.list',
    'invoices',
    '',
    { customer: owners('cus'), subscription: owners('sub'), status: [undefined, 'open', 'void', 'paid'] },
  ],
  ['payment_methods.list', 'payment_methods', '', { customer: owners('cus') }],
  ['customers.list_payment_methods', 'payment_methods', idOf('cus', one), { customer: [idOf('cus', one)] }],
  ['customers.list_credit_transactions', 'credit_transactions', idOf('cus', one), { customer: [idOf('cus', one)] }],
  ['invoice_items.list', 'invoice_items', '', { customer: owners('cus') }],
  [
    'balance.list_transactions',
    'postings',
    '',
    {
      payment: owners('py'),
      kind: [undefined, 'refund', 'dispute', 'fee', 'payment'],
      source: [undefined, 're_1', 're_2', 're_none'],
    },
  ],
];

/** A filter without an index that no row matches, so that all rows of the others are compared. Those select every row, or half. */
const [noCurrency, noCoupon] = [{ currency: 'usd' }, { coupon: idOf('coupon', nobody) }];
const ofCustomer = { customer: idOf('cus', one) };
const ofPayment = { payment: idOf('py', one) };
const ofPrice = { price: idOf('price', one) };
const ofLink = { payment_link: idOf('plink', one) };
type Given = Readonly<Record<string, unknown>>;
const noAmount = { amount: { gt: 1 } };
const noDecimal = { amount_decimal: { gte: '1', lte: '2' } };
const compared: [operation: string, none: Given, others: Given][] = [
  ['payments.list', noCurrency, {}],
  ['payments.list', noCurrency, { status: 'succeeded' }],
  ['payments.list', noCurrency, ofCustomer],
  ['payments.list', noCurrency, { ...ofCustomer, status: 'succeeded' }],
  ['payments.list', noAmount, {}],
  ['payments.list', noDecimal, { ...ofCustomer, status: ['succeeded', 'failed'] }],
  ['payments.list', { card: '0000' }, { status: 'succeeded' }],
  ['payments.list', { decline_code: 'expired_card' }, { status: 'failed' }],
  ['payments.list', { brand: ['visa', 'jcb'], country: 'DE' }, ofCustomer],
  ['payments.list', { processor: 'stripe', card: '0000' }, ofCustomer],
  ['payments.list', { status: ['refunded', 'disputed'] }, { customer: [idOf('cus', one), idOf('cus', other)] }],
  ['payments.list', { ...noAmount, currency: 'eur' }, { invoice: idOf('in', one) }],
  ['refunds.list', noAmount, ofPayment],
  ['refunds.list', noDecimal, { status: ['succeeded', 'pending'] }],
  ['disputes.list', { ...noAmount, ...noDecimal }, { status: ['won', 'lost'] }],
  ['refunds.list', noCurrency, { status: 'succeeded' }],
  ['refunds.list', noCurrency, ofPayment],
  ['disputes.list', noCurrency, {}],
  ['disputes.list', noCurrency, { ...ofPayment, status: 'won' }],
  ['checkout_sessions.list', noCurrency, {}],
  ['checkout_sessions.list', noCurrency, { status: 'open' }],
  ['checkout_sessions.list', noCurrency, ofCustomer],
  ['checkout_sessions.list', noCurrency, ofLink],
  ['subscriptions.list', noCoupon, {}],
  ['subscriptions.list', noCoupon, ofCustomer],
  ['subscriptions.list', noCoupon, ofPrice],
  ['subscriptions.list', { ...noCoupon, test_clock: idOf('clock', nobody) }, ofPrice],
  ['subscriptions.list', noCoupon, { ...ofPrice, ...ofCustomer, status: 'active' }],
];
/** A statement compares 10,000 rows at most. Each may be on a separate page, or, in another table, be found by its id. */
const stepBuffersMax = 10_000 * 5;
/** Where an index has what is compared, a page of it has more than forty rows. */
const indexOnlyBuffersMax = 10_000 / 40;
const partsMax = 7;

/** The largest family has that many types, and a range of the index is read for each. */
const familyTypesMax = 12;

const auditFilters = {
  user_id: owners('usr'),
  action: [undefined, 'payment.captured', 'payment.canceled', 'payment.created'],
  subject: owners('py'),
  refused: [undefined, 'true', 'false'],
};

/** No statement reads more than its step compares, and what it shows. The steps are short at first. */
function expectBoundedSteps(steps: readonly number[], what: string): void {
  const allowed = steps.map((_, at) => Math.min(100 * 4 ** at, 10_000) * 5 + buffersMax);
  expect(
    steps.filter((buffers, at) => buffers > allowed[at]!),
    what,
  ).toEqual([]);
}

/** Lists that are not here, and why they cannot become long, or where else their cost is tested. */
const elsewhere: Readonly<Record<string, string>> = {
  'users.list': 'the members of an account, whom owners invite one by one',
  'invitations.list': 'owners invite people one by one, and what nobody accepts is deleted',
  'me.list_sessions': 'a person has the sessions of 7 days, and signs in at a limited rate',
  'saved_views.list': 'at most 100 of a person in an account',
  'processor_accounts.list': 'at most 50 of a tenant',
  'webhook_endpoints.list': 'at most 50 of a tenant',
  'events.list_deliveries': 'one for each of at most 50 endpoints',
  'webhook_endpoints.list_all_deliveries': 'a range of the primary key, or those of at most 100 events',
  'inbox.list': 'at most 10 of a tenant',
  'inbox.list_requests': 'at most 100 of an inbox',
  'payments.list_attempts': 'a range of the attempts of one payment, without filters',
  'needs_attention.list': 'needs_attention.test.ts: every source reads a range of an index',
  'request_logs.list': 'request_logs.test.ts: each filter alone reads its own index, several are compared in steps',
  'request_logs.list_errors': 'request_logs.test.ts: at most 20,000 requests of each status are counted',
  'reconciliations.list': 'one a day for each account at a processor, compared in steps',
  'reconciliation_differences.list': 'at most 1,000 of a comparison, by its index, and compared in steps',
  'payment_links.list': 'one for each thing that is sold, and a range of the index by active',
  'timeline.list': 'at most a page of each source; of the audit log, below',
};

/** What every list may take: `ids` are rows by primary key, and csv.test.ts counts the statements of `columns`. */
const noFilters = ['ids', 'columns'];
/** Lists that take `expand`, which is no filter: expand.test.ts counts the statements of a page. */
const expandable = [
  ...['customers.list', 'customers.list_credit_transactions', 'customers.list_payment_methods', 'payment_methods.list'],
  ...['setups.list', 'payments.list', 'refunds.list', 'disputes.list', 'balance.list_transactions'],
  ...['subscriptions.list', 'invoices.list', 'invoice_items.list', 'checkout_sessions.list', 'mails.list'],
];

test('every list that can be requested is here with all its filters, or there is a reason', () => {
  const listed = requestable(catalog).filter(({ name }) => name.includes('.list'));
  const covered = new Map<string, Set<string>>();
  const cases = [
    ...lists.map(([operation, , , filters]) => [operation, Object.keys(filters)] as const),
    ...compared.map(([operation, ...filters]) => [operation, filters.flatMap(Object.keys)] as const),
    ['audit_log.list', Object.keys(auditFilters)] as const,
  ];
  for (const [operation, columns] of cases) {
    const names = Object.keys(parametersOf(operation, Object.fromEntries(columns.map((column) => [column, 'x']))));
    covered.set(operation, new Set([...(covered.get(operation) ?? []), ...names]));
  }
  const missing = listed
    .filter(({ name }) => elsewhere[name] === undefined)
    .map(({ name, input }) => {
      const parameters = Object.keys(input?.properties ?? {}).filter(
        (parameter) =>
          !(parameter in listParameters || noFilters.includes(parameter)) &&
          !(parameter === 'expand' && expandable.includes(name)),
      );
      return { name, filters: parameters.filter((parameter) => !covered.get(name)?.has(parameter)) };
    })
    .filter(({ name, filters }) => filters.length > 0 || !covered.has(name));
  expect(missing).toEqual([]);
  const names = listed.map(({ name }) => name);
  expect(Object.keys(elsewhere).filter((name) => covered.has(name) || !names.includes(name))).toEqual([]);
});

type Combination = { filter: Record<string, string>; places: number };

/** Every combination of the values. Of three filters, `npm test` has each pair of values: the place of the third follows from the others. */
function combinations(filters: Case[3]): Record<string, string>[] {
  const all = Object.entries(filters).reduce<Combination[]>(
    (found, [name, values]) =>
      found.flatMap(({ filter, places }) =>
        values.map((value, at) => ({
          filter: value === undefined ? filter : { ...filter, [name]: value },
          places: places + at,
        })),
      ),
    [{ filter: {}, places: 0 }],
  );
  const sizes = Object.values(filters).map(({ length }) => length);
  const isRun = ({ places }: Combination) => isTorture || sizes.length < 3 || places % Math.min(...sizes) === 0;
  return all.filter(isRun).map(({ filter }) => filter);
}

/**
 * A filter as its parameters: the state of a delivery is its status, the kind of a posting its type, the key of a code the code. Deleted
 * objects are never listed.
 */
function parametersOf(operation: string, filter: Record<string, string>): object {
  if (operation === 'mails.list') return filter;
  const { endpoint: _, deleted: _deleted, state, kind, user_id, code_key, ...same } = filter;
  return {
    ...same,
    ...(state && { status: state }),
    ...(kind && { type: kind }),
    ...(user_id && { user: user_id }),
    ...(code_key && { code: code_key }),
  };
}

/** Without statistics the planner knows least. */
for (const statistics of shareOfCases(['as they are after the insert', 'fresh'], 1))
  describe(`a page of many rows, with statistics ${statistics},`, () => {
    beforeAll(async () => {
      if (statistics === 'fresh') await sql.query(`vacuum analyze audit, ${Object.keys(tables).join(', ')}`);
    });

    test.each(['customer.*', 'payment.*', 'invoice.*', 'subscription.*'])(
      'of the events of %s costs a few buffers',
      async (type) => {
        const { ids, buffers } = await pageOf('events.list', '', { type });
        const [newest] = type === 'customer.*' ? await expected('events', {}, {}) : [];
        expect(ids[0]).toBe(newest);
        expect(ids).toHaveLength(newest === undefined ? 0 : 10);
        expect(buffers).toBeLessThanOrEqual(familyTypesMax * (11 + 4));
        const family = catalog.eventTypes.filter((one) => one.startsWith(type.slice(0, -1)));
        expect(family.length).toBeLessThanOrEqual(familyTypesMax);
      },
    );

    test.each(lists)('of %s costs a few buffers, whatever the filters', async (operation, table, id, filters) => {
      const { prefix } = tables[table]!;
      const cursor = idOf(prefix, middle);
      const positions: ListInput[] = [
        {},
        { ending_before: cursor },
        { starting_after: cursor, created: { lt: 99_999_999_999, gte: 0 } },
      ];
      for (const [at, filter] of combinations(filters).entries())
        for (const position of isTorture ? positions : [positions[at % positions.length]!]) {
          const { ids, buffers } = await pageOf(operation, id, { ...parametersOf(operation, filter), ...position });
          const what = JSON.stringify({ filter, position });
          expect({ what, ids }).toEqual({ what, ids: await expected(table, filter, position) });
          expect(buffers, what).toBeLessThanOrEqual(buffersMax);
        }
    });

    test.each(compared)('of %s with %o and %o is compared in bounded steps', async (operation, none, others) => {
      const rows = Object.keys(others).length === 0 ? many : many / 2;
      const { ids, steps } = await pageOf(operation, '', { ...none, ...others });
      expect(ids).toEqual([]);
      expect(steps.length).toBeLessThanOrEqual(6 + (rows * partsMax) / 10_000);
      expect(Math.max(...steps)).toBeLessThanOrEqual(stepBuffersMax);
    });

    test.each<[operation: string, given: Given, count: number, parts: number]>([
      ['payments.list', { status: ['succeeded', 'failed', 'canceled'] }, 10, 3],
      ['payments.list', { customer: [one, other, nobody].map((number) => idOf('cus', number)) }, 10, 18],
      ['payments.list', { customer: [idOf('cus', one), idOf('cus', other)], status: ['canceled', 'processing'] }, 0, 4],
      ['payments.list', { status: ['succeeded', 'refunded'] }, 10, 1],
      ['payments.list', { status: ['refunded', 'partly_refunded', 'disputed'] }, 0, 5],
      ['payments.list', { status: 'disputed', ...noCurrency, brand: 'visa' }, 0, 3],
      ['refunds.list', { status: ['succeeded', 'pending'], payment: idOf('py', one) }, 10, 2],
      ['invoices.list', { status: ['open', 'void', 'paid'], subscription: idOf('sub', one) }, 10, 3],
      ['subscriptions.list', { status: ['active', 'paused'], price: idOf('price', one) }, 10, 2],
    ])('of %s with %o costs a few buffers for each value', async (operation, given, count, parts) => {
      const { ids, steps } = await pageOf(operation, '', given);
      expect([ids.length, new Set(ids).size, steps.length]).toEqual([count, count, 1]);
      expect(steps[0]).toBeLessThanOrEqual(parts * (11 + 4) + 11 * 4);
    });

    test.each<[operation: string, table: string, given: Given]>([
      ['payments.list', 'payments', {}],
      ['payments.list', 'payments', { status: 'succeeded', amount: { lte: 1 }, customer: idOf('cus', one) }],
      ['customers.list', 'customers', { test_clock: idOf('clock', one) }],
      ['subscriptions.list', 'subscriptions', { status: 'active' }],
      ['invoices.list', 'invoices', { subscription: idOf('sub', one), customer: idOf('cus', one) }],
    ])('of %s by ids costs a few buffers for each: %o %o', async (operation, table, given) => {
      const wanted = Array.from({ length: 100 }, (_, at) => idOf(tables[table]!.prefix, 1 + at * (many / 100)));
      const { ids, steps } = await pageOf(operation, '', { ...given, ids: wanted, limit: 10 });
      expect([ids, steps.length]).toEqual([wanted.toReversed().slice(0, 10), 1]);
      expect(steps[0]).toBeLessThanOrEqual(100 * 5);
    });

    test('of the audit log is read from an index, or compared in bounded steps, whatever the filters', async () => {
      const cursor = await middleEntry();
      const positions: ListInput[] = [
        {},
        { ending_before: cursor },
        { starting_after: cursor, created: { lt: 99_999_999_999, gte: 0 } },
      ];
      for (const [at, filter] of combinations(auditFilters).entries()) {
        const position = positions[at % positions.length]!;
        const { refused } = filter;
        const given = { ...parametersOf('audit_log.list', filter), ...(refused && { refused: refused === 'true' }) };
        const { ids, steps } = await pageOf('audit_log.list', '', { ...given, ...position });
        const what = JSON.stringify({ filter, position, steps });
        const numbers = await expectedEntries(filter, position);
        expect({ what, numbers: ids.map(idNumber) }).toEqual({ what, numbers });
        expectBoundedSteps(steps, what);
        const isIndexed = Object.keys(filter).length <= (refused === undefined ? 1 : 0);
        if (isIndexed) expect(steps.map((buffers) => buffers <= buffersMax)).toEqual([true]);
      }
    });

    test('of what people did to objects, for their timelines, costs a few buffers', async () => {
      const reads = new Counting(pool);
      const before = { at: new Date('2030-01-01'), id: 0 };
      const subjects = [one, other, nobody].map((number) => idOf('py', number));
      const found = await findAuditedOf(reads, account, { subjects, before, limit: 11 });
      const { rows } = await sql.query('select id from audit where account = $1 order by at desc, id desc limit 11', [
        account,
      ]);
      expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      expect(reads.buffers).toBeLessThanOrEqual(buffersMax);
    });

    test.each(['payments.list', 'refunds.list', 'disputes.list'])(
      'of %s in the currency of most is read in one step',
      async (operation) => {
        const { ids, steps } = await pageOf(operation, '', { currency: 'eur' });
        expect(ids).toHaveLength(10);
        expect(steps).toEqual([expect.any(Number)]);
        expect(steps[0]).toBeLessThanOrEqual(100 + buffersMax);
      },
    );

    if (statistics === 'fresh')
      test.each(['payments.list', 'refunds.list'])(
        'of %s by status and currency reads an index alone',
        async (name) => {
          const { steps } = await pageOf(name, '', { status: 'succeeded', currency: 'usd' });
          expect(Math.max(...steps)).toBeLessThanOrEqual(indexOnlyBuffersMax);
        },
      );
  });
