import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Unavailable } from '../base/errors.ts';
import { Reads, type Tenant, type TenantValues } from '../base/reads.ts';
import { openPool, type Pool } from '../base/sql.ts';
import { paymentDescriptor } from '../resources/payments/payments/operations.ts';
import { paymentStatuses } from '../resources/payments/payments/payment.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';
import { equals } from './compared_filter.ts';
import { readPage } from './list.ts';
import { rangeOf } from './range.ts';
import type { ListInput } from './schemas.ts';

let server: TestServer;
let account: TestAccount;
let tenant: number;

const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(22, '0')}`;

const columns: Record<string, string> = {
  payments: `version, amount, amount_received, payment_method, inquiries, currency, customer, status, invoice) select $1, id, 1, 1, 0, 'pm_x', 0`,
  refunds: `version, amount, attempt, inquiries, currency, payment, status) select $1, id, 1, 1, 'att_x', 0`,
  disputes: `version, amount, reason, evidence, due_by, submission_count, connector, reference, inquiries, currency, payment, status)
    select $1, id, 1, 1, 'general', '{}', now(), 0, 'simulator', id, 0`,
  subscriptions: `version, currency, items, billing_interval, interval_count, billing_cycle_anchor, current_period_start,
      current_period_end, open_invoices, waiting_lines, cancel_at_period_end, trial_announced, coupon_used, gives_up, created,
      coupon, test_clock, customer, status)
    select $1, id, 1, 'eur', '[]', 'month', 1, 0, 0, 1, 0, 0, false, false, false, false, 0`,
  subscription_prices: `price, customer, status) select $1, id`,
};

/** Rows whose last columns are these expressions of `n`, which counts them. */
async function add(table: string, prefix: string, count: number, expressions: readonly string[], owner = tenant) {
  await server.sql.query(
    `insert into ${table} (tenant, id, ${columns[table]}, ${expressions.join(', ')}
       from (select n, '${prefix}_' || lpad(n::text, 22, '0') as id from generate_series(1, $2::int) n) as numbered`,
    [owner, count],
  );
}

/** Apart by more than a step: the first has 100 rows, the next four times as many. */
const [usd, many] = [[1, 601, 1202, 1801, 2402], 2_600];
const isUsd = `case when n in (${usd}) then 'usd' else 'eur' end`;
const odd = (one: string, other: string) => `case when n % 2 = 1 then '${one}' else '${other}' end`;
const [ada, bob, invoice, price, coupon] = [idOf('cus', 1), idOf('cus', 2), 'in_1', 'price_1', 'coupon_1'];
const clock = 'clock_1';

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  const text = `select tenant from tenants where account = $1 and mode = 'test'`;
  tenant = (await server.sql.query(text, [account.id])).rows[0].tenant;
  const customer = `case when n <= 2000 then '${ada}' else '${bob}' end`;
  const ofInvoice = `case when n in (1, 2, 1202) then '${invoice}' end`;
  await add('payments', 'py', many, [isUsd, customer, odd('succeeded', 'failed'), ofInvoice]);
  await add('refunds', 're', 10_300, [isUsd, odd(idOf('py', 1), idOf('py', 2)), odd('succeeded', 'pending')]);
  await add('disputes', 'dp', 1_203, [isUsd, odd(idOf('py', 1), idOf('py', 2)), odd('won', 'lost')]);
  const status = odd('active', 'canceled');
  await add('subscriptions', 'sub', 1_203, [
    `case when n in (${usd}) then '${coupon}' end`,
    `case when n in (601, 602) then '${clock}' end`,
    `'${ada}'`,
    status,
  ]);
  await add('subscription_prices', 'sub', 1_203, [`'${price}'`, `'${ada}'`, status]);
});
afterAll(() => server.stop());

/** All pages of two rows, in one direction. */
async function pagesOf(path: string, prefix: string, isBackwards: boolean): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = isBackwards ? idOf(prefix, 0) : idOf(prefix, many + 1); ; ) {
    const { status, json } = await account.test.get(
      `${path}&limit=2&${isBackwards ? 'ending_before' : 'starting_after'}=${cursor}`,
    );
    expect([status, Object.keys(json)]).toEqual([200, ['object', 'url', 'has_more', 'data']]);
    const ids: string[] = json.data.map(({ id }: { id: string }) => id);
    found.push(...(isBackwards ? ids.toReversed() : ids));
    if (!json.has_more) return isBackwards ? found.reverse() : found;
    cursor = found.at(-1)!;
  }
}

describe('a filter without an index selects exactly its rows, in both directions, however far apart they are:', () => {
  const cases: [path: string, prefix: string, found: number[]][] = [
    ['/v1/payments?currency=usd', 'py', usd],
    ['/v1/payments?currency=USD', 'py', usd],
    ['/v1/payments?currency=jpy', 'py', []],
    ['/v1/payments?currency=usd&status=succeeded', 'py', [1, 601, 1801]],
    [`/v1/payments?currency=usd&customer=${ada}`, 'py', [1, 601, 1202, 1801]],
    [`/v1/payments?currency=usd&customer=${bob}&status=failed`, 'py', [2402]],
    [`/v1/payments?invoice=${invoice}`, 'py', [1, 2, 1202]],
    [`/v1/payments?invoice=${invoice}&status=succeeded`, 'py', [1]],
    [`/v1/payments?invoice=${invoice}&customer=${bob}`, 'py', []],
    [`/v1/payments?invoice=${invoice}&currency=eur&customer=${ada}`, 'py', [2]],
    ['/v1/payments?invoice=in_none', 'py', []],
    ['/v1/refunds?currency=usd', 're', usd],
    ['/v1/refunds?currency=usd&status=succeeded', 're', [1, 601, 1801]],
    [`/v1/refunds?currency=usd&payment=${idOf('py', 2)}`, 're', [1202, 2402]],
    ['/v1/disputes?currency=usd', 'dp', [1, 601, 1202]],
    [`/v1/disputes?currency=usd&payment=${idOf('py', 1)}&status=won`, 'dp', [1, 601]],
    [`/v1/subscriptions?coupon=${coupon}`, 'sub', [1, 601, 1202]],
    [`/v1/subscriptions?coupon=${coupon}&customer=${ada}&status=canceled`, 'sub', [1202]],
    [`/v1/subscriptions?coupon=${coupon}&price=${price}`, 'sub', [1, 601, 1202]],
    [`/v1/subscriptions?coupon=${coupon}&price=${price}&customer=${ada}&status=active`, 'sub', [1, 601]],
    [`/v1/subscriptions?coupon=${coupon}&price=price_2`, 'sub', []],
    ['/v1/subscriptions?coupon=coupon_none', 'sub', []],
    [`/v1/subscriptions?test_clock=${clock}`, 'sub', [601, 602]],
    [`/v1/subscriptions?test_clock=${clock}&status=active&coupon=${coupon}`, 'sub', [601]],
    [`/v1/subscriptions?test_clock=${clock}&price=${price}`, 'sub', [601, 602]],
    [`/v1/subscriptions?test_clock=${clock}&price=${price}&coupon=${coupon}`, 'sub', [601]],
    [`/v1/subscriptions?test_clock=clock_2&price=${price}`, 'sub', []],
  ];
  test.each(cases)('%s', async (path, prefix, found) => {
    const expected = found.toReversed().map((number) => idOf(prefix, number));
    for (const isBackwards of [false, true]) expect(await pagesOf(path, prefix, isBackwards)).toEqual(expected);
  });
});

describe('payments and refunds are filtered by', () => {
  const takenBy = (account: string) => ({
    processor: `'{"account":"${account}","connector":"stripe"}'`,
    processor_account: `'${account}'`,
  });
  const card = (brand: string, country: string) => ({ brand: `'${brand}'`, country: `'${country}'` });
  /** Newest first: what each is, for the filters below. Amounts are in the smallest unit. */
  const made: Record<string, string>[] = [
    { amount: '2000', amount_received: '2000', amount_refunded: '2000', currency: `'eur'`, last4: `'4242'` },
    { amount: '2000', amount_received: '2000', amount_refunded: '500', dispute: `'dp_1'`, currency: `'usd'` },
    { amount: '129', amount_received: '129', currency: `'jpy'`, last4: `'0341'`, dispute: `'dp_2'`, brand: `'jcb'` },
    { ...{ amount: '129500', amount_received: '129500', currency: `'kwd'`, last4: `'4242'` }, ...card('visa', 'KW') },
    {
      amount: '12950',
      status: `'failed'`,
      failure_code: `'card_declined'`,
      failure_decline_code: `'insufficient_funds'`,
    },
    { amount: '12951', status: `'failed'`, failure_code: `'expired_card'` },
    {
      amount: '700',
      status: `'canceled'`,
      customer: `'cus_a'`,
      ...takenBy('pa_1'),
      ...card('visa', 'DE'),
    },
    {
      amount: '701',
      amount_received: '701',
      customer: `'cus_b'`,
      ...takenBy('pa_2'),
    },
    { amount: '702', amount_received: '702', customer: `'cus_c'`, invoice: `'in_1'` },
  ];
  const usual = { version: '1', amount_received: '0', currency: `'eur'`, payment_method: `'pm_x'`, inquiries: '0' };
  let shop: TestAccount;
  beforeAll(async () => {
    shop = await server.account();
    for (const [at, one] of made.entries()) {
      const row: Record<string, string> = { status: `'succeeded'`, ...usual, ...one };
      await server.sql.query(
        `insert into payments (tenant, id, ${Object.keys(row).join(', ')})
         select tenant, $2, ${Object.values(row).join(', ')} from tenants where account = $1 and mode = 'test'`,
        [shop.id, idOf('py', made.length - at)],
      );
    }
  });

  const cases: [query: string, found: number[]][] = [
    ['status=refunded', [0]],
    ['status=partly_refunded', [1]],
    ['status=disputed', [1, 2]],
    ['status[]=refunded&status[]=disputed', [0, 1, 2]],
    ['status[]=partly_refunded&status[]=disputed', [1, 2]],
    ['status=disputed&currency=jpy', [2]],
    ['status=disputed&customer=cus_a', []],
    ['status[]=refunded&status[]=failed', [0, 4, 5]],
    ['status[]=refunded&status[]=succeeded', [0, 1, 2, 3, 7, 8]],
    ['status[]=failed&status[]=canceled', [4, 5, 6]],
    ['status[]=failed&status[]=failed', [4, 5]],
    ['status[]=disputed&amount[gte]=1000', [1]],
    ['amount[gte]=700&amount[lte]=701', [6, 7]],
    ['amount[gt]=700&amount[lt]=702', [7]],
    ['amount[lte]=129', [2]],
    ['amount_decimal[gte]=129&amount_decimal[lte]=129.5', [2, 3, 4]],
    ['amount_decimal[gt]=129.5&amount_decimal[lt]=130', [5]],
    ['amount_decimal[gte]=129.505&amount_decimal[lte]=130', [5]],
    ['amount_decimal[gt]=129.499&amount_decimal[lt]=129.505', [3, 4]],
    ['amount_decimal[lte]=7.01&currency=eur', [6, 7]],
    ['card=4242', [0, 3]],
    ['card=4242&amount[gte]=2000&amount[lte]=2000', [0]],
    ['brand=jcb', [2]],
    ['brand[]=jcb&brand[]=visa', [2, 3, 6]],
    ['brand=visa&country=DE', [6]],
    ['country=kw', [3]],
    ['country=DE&status=succeeded', []],
    ['decline_code=insufficient_funds', [4]],
    ['decline_code=card_declined', [4]],
    ['decline_code=expired_card&status[]=failed&status[]=canceled', [5]],
    ['decline_code=expired_card&status=canceled', []],
    ['processor=stripe', [6, 7]],
    ['processor=pa_2', [7]],
    ['processor=pa_1&status=succeeded', []],
    ['customer[]=cus_a&customer[]=cus_c', [6, 8]],
    ['customer[]=cus_a&customer[]=cus_b&status=succeeded', [7]],
    ['customer[]=cus_a&customer[]=cus_b&processor=stripe', [6, 7]],
    ['invoice=in_1&customer[]=cus_b&customer[]=cus_c&status[]=succeeded&status[]=failed', [8]],
    ['invoice=in_1&status=refunded', []],
    [`ids[]=${idOf('py', 9)}&ids[]=${idOf('py', 1)}&ids[]=${idOf('py', 99)}`, [0, 8]],
    [`ids=${idOf('py', 9)}`, [0]],
    [`ids[]=${idOf('py', 9)}&ids[]=${idOf('py', 5)}&status[]=failed&status[]=disputed`, [4]],
    [`ids=${idOf('py', 9)}&card=0341`, []],
  ];
  test.each(cases)('%s', async (query, found) => {
    const { status, json } = await shop.test.get(`/v1/payments?${query}`);
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([
      200,
      found.map((at) => idOf('py', made.length - at)),
    ]);
    const csv = await shop.test.get(`/v1/payments?${query}`, { headers: { Accept: 'text/csv' } });
    expect(csv.text.trimEnd().split('\r\n').length - 1).toBe(found.length);
  });

  test.each<[query: string, param: string, message: RegExp]>([
    ['payments?status=nonsense', 'status', /it must be one of requires_action, .*, disputed/],
    ['payments?status[]=failed&status[]=nonsense', 'status.1', /it must be one of requires_action/],
    ['payments?status=', 'status', /it must not be empty/],
    ['payments?status[]=', 'status.0', /it must not be empty/],
    ['payments?status=succeeded,failed', 'status', /it must be one of/],
    ['payments?amount[gte]=1.5', 'amount.gte', /it must be an integer/],
    ['payments?amount=5', 'amount', /it must be an object; in a form, write amount\[…\]=…/],
    ['payments?amount[eq]=5', 'amount.eq', /Unknown parameter amount.eq/],
    ['payments?amount_decimal[gte]=1,5', 'amount_decimal.gte', /it must be a decimal number/],
    ['payments?card=424', 'card', /it must be a text of four digits/],
    ['payments?brand=Visa', 'brand', /it must be one of visa, mastercard/],
    ['payments?country=Germany', 'country', /it must be a two-letter country code/],
    [
      `payments?${Array.from({ length: 11 }, (_, at) => `customer[]=cus_${at}`).join('&')}`,
      'customer',
      /at most 10 elements/,
    ],
    ['refunds?status[]=won', 'status.0', /it must be one of pending, succeeded, failed/],
    ['refunds?amount[gte]=-1', 'amount.gte', /it must be at least 0/],
    ['disputes?status=refunded', 'status', /it must be one of/],
  ])('and %s is refused', async (path, param, message) => {
    const refused = await shop.test.get(`/v1/${path}`);
    const code = message.source.startsWith('Unknown') ? 'parameter_unknown' : 'parameter_invalid';
    expectRefusal(refused, code, param);
    expect(refused.json.error.message).toMatch(message);
  });
});

test('an export has exactly what the filter selects, with pages and with pieces in which nothing matches', async () => {
  const idsIn = async (path: string) => {
    const { text } = await account.test.get(path, { headers: { Accept: 'text/csv' } });
    const [, ...lines]: string[] = text.trimEnd().split('\r\n');
    return lines.map((line) => line.split(',', 1)[0]);
  };
  expect(await idsIn('/v1/payments?currency=usd')).toEqual(usd.toReversed().map((n) => idOf('py', n)));
  expect(new Set(await idsIn('/v1/payments?currency=eur')).size).toBe(many - usd.length);
  expect(await idsIn('/v1/refunds?currency=usd')).toEqual(usd.toReversed().map((n) => idOf('re', n)));
  expect(await idsIn('/v1/refunds?currency=jpy')).toEqual([]);
});

test.each(['payments', 'refunds', 'disputes'])('%s in a currency that is none are refused', async (resource) => {
  for (const word of ['euro', 'xau', '€', 'EU'])
    expectRefusal(
      await account.test.get(`/v1/${resource}?currency=${encodeURIComponent(word)}`),
      'currency_unknown',
      'currency',
    );
  expectRefusal(await account.test.get(`/v1/${resource}?currency=`), 'parameter_invalid', 'currency');
});

describe('a walk', () => {
  const source = {
    ...paymentDescriptor,
    url: '/v1/payments',
    columns: ['customer', 'status'],
    merged: { column: 'status', values: paymentStatuses },
    narrow: ['invoice'],
    compared: [equals('currency')],
  };
  let pool: Pool;
  let reads: Reads;
  beforeAll(() => {
    pool = openPool({ connectionString: server.databaseUrl }, { use: 'reads', connectionsMax: 1, onError: () => {} });
    reads = new Reads(pool);
  });
  afterAll(() => pool.end());

  const contextOf = (owner: number, read = reads) => ({ reads: read, tenant: owner as Tenant });
  const nil = { nil: undefined };
  const filter = fc.record({
    currency: fc.option(fc.constantFrom('eur', 'usd'), nil),
    customer: fc.option(fc.constantFrom('cus_0', 'cus_1', ['cus_1', 'cus_0']), nil),
    status: fc.option(fc.constantFrom('succeeded', 'failed', 'canceled', ['failed', 'failed', 'canceled']), nil),
    invoice: fc.option(fc.constantFrom('in_0', 'in_1'), nil),
  });
  const count = 40;
  const rows = Array.from({ length: count }, (_, at) => {
    const n = at + 1;
    const customer = n % 5 === 0 ? null : `cus_${n % 2}`;
    const status = n % 3 === 0 ? 'failed' : 'succeeded';
    return { n, currency: n % 4 < 2 ? 'eur' : 'usd', customer, status, invoice: n % 7 === 0 ? `in_${n % 2}` : null };
  });

  test('of any step finds what a look at all rows would', async () => {
    const owner = 1_000_000;
    const customer = `case when n % 5 > 0 then 'cus_' || n % 2 end`;
    const ofInvoice = `case when n % 7 = 0 then 'in_' || n % 2 end`;
    const currency = `case when n % 4 < 2 then 'eur' else 'usd' end`;
    const status = `case when n % 3 = 0 then 'failed' else 'succeeded' end`;
    await add('payments', 'py', count, [currency, customer, status, ofInvoice], owner);
    const size = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(filter, size, size, fc.boolean(), fc.nat({ max: count + 1 }), async (wanted, ...rest) => {
        const [limit, stepRows, isBackwards, from] = rest;
        const cursor = idOf('py', from);
        const position: ListInput = isBackwards ? { ending_before: cursor } : { starting_after: cursor };
        const range = rangeOf({ limit, ...position }, 'py');
        const found = await readPage(contextOf(owner), range, source, wanted, { stepRows });
        const isWanted = (row: Record<string, unknown>) =>
          Object.entries(wanted).every(
            ([name, value]) => value === undefined || [value].flat().includes(row[name] as never),
          );
        const matching = rows.filter((row) => isWanted(row) && (isBackwards ? row.n > from : row.n < from));
        const ordered = isBackwards ? matching : matching.toReversed();
        expect(found.rows.map(({ id }) => id)).toEqual(ordered.slice(0, limit + 1).map(({ n }) => idOf('py', n)));
        expect(found.searchedTo).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  let statements = 0;
  class Counting extends Reads {
    override rows<T>(text: string, values: TenantValues): Promise<T[]> {
      statements += 1;
      return reads.rows(text, values) as Promise<T[]>;
    }
  }

  test('through several parts goes on by all that it has read of them', async () => {
    statements = 0;
    const context = contextOf(tenant, new Counting(pool));
    const found = await readPage(context, rangeOf({}, 'py'), source, { customer: [ada, bob], currency: 'jpy' }, {});
    expect([found.rows, found.searchedTo]).toEqual([[], undefined]);
    // Of 2,600 rows in twelve parts, four of them not empty. The last of seven would be read if each step went on by the rows of one part.
    expect(statements).toBe(5);
  });

  test('ends when its caller has been answered, and can stop after a step and go on from there', async () => {
    statements = 0;
    const context = contextOf(tenant, new Counting(pool));
    const range = rangeOf({}, 'py');
    const late = readPage(context, range, source, { currency: 'jpy' }, { isLate: () => statements === 2 });
    await expect(late).rejects.toThrow(Unavailable);
    expect(statements).toBe(2);
    const { rows: found, searchedTo } = await readPage(context, range, source, { currency: 'usd' }, { rowsMax: 1_000 });
    expect([found.map(({ id }) => id), searchedTo]).toEqual([[idOf('py', 2402), idOf('py', 1801)], idOf('py', 1601)]);
    expect(statements).toBe(2 + 3); // 100, 400 and 500 rows
  });
});
