import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Unavailable } from '../base/errors.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { openPool, type Pool } from '../base/sql.ts';
import { paymentDescriptor } from '../resources/payments/payments/operations.ts';
import { paymentStatuses } from '../resources/payments/payments/payment.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';
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
      coupon, customer, status)
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
  await add('subscriptions', 'sub', 1_203, [`case when n in (${usd}) then '${coupon}' end`, `'${ada}'`, status]);
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
  ];
  test.each(cases)('%s', async (path, prefix, found) => {
    const expected = found.toReversed().map((number) => idOf(prefix, number));
    for (const isBackwards of [false, true]) expect(await pagesOf(path, prefix, isBackwards)).toEqual(expected);
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
    compared: ['currency'],
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
    customer: fc.option(fc.constantFrom('cus_0', 'cus_1'), nil),
    status: fc.option(fc.constantFrom('succeeded', 'failed', 'canceled'), nil),
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
          Object.entries(wanted).every(([name, value]) => value === undefined || row[name] === value);
        const matching = rows.filter((row) => isWanted(row) && (isBackwards ? row.n > from : row.n < from));
        const ordered = isBackwards ? matching : matching.toReversed();
        expect(found.rows.map(({ id }) => id)).toEqual(ordered.slice(0, limit + 1).map(({ n }) => idOf('py', n)));
        expect(found.searchedTo).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  test('ends when its caller has been answered, and can stop after a step and go on from there', async () => {
    let statements = 0;
    class Counting extends Reads {
      override rows<T>(text: string, values: unknown[]): Promise<T[]> {
        statements += 1;
        return reads.rows(text, values) as Promise<T[]>;
      }
    }
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
