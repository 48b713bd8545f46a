import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../../base/id.ts';
import { ConnectionReads, type Reads } from '../../../base/reads.ts';
import type { Pool } from '../../../base/sql.ts';
import { catalog } from '../../../catalog.ts';
import { breakdownSources, breakdowns, figureSources } from '../../../operations/extension_points/statistics.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { paymentStatuses } from '../../payments/payments/payment.ts';
import { fillCardFacts } from '../../payments/payments/store.ts';
import { readTallies, topOf, type WalkLimits } from './breakdown.ts';
import { bucketsOf, readFigures } from './figures.ts';

let server: TestServer;
let shop: TestAccount;
let viewer: Client;

const hour = 3_600;
const from = Date.UTC(2027, 0, 31, 23) / 1_000;
const currencies = ['eur', 'usd', 'jpy'];

/** Objects at the edges of buckets and between them: each third of an hour, a second before it and a second after it. */
const moments = Array.from({ length: 40 }, (_, n) => from - hour + (n >> 1) * 1_200 + (n % 2 === 0 ? 0 : -1));

/** Rows of every status and currency at each moment, as payments, refunds and disputes would have left them. */
async function fill(tenant: number): Promise<void> {
  const ids = (prefix: string) =>
    moments.map((second, at) => `${firstIdAt(prefix, second * 1_000).slice(0, -4)}${at + 1_000}`);
  const pick = (values: readonly string[]) => moments.map((_, at) => values[at % values.length]!);
  const row = `unnest($2::text[], $3::text[], $4::text[]) with ordinality as x (id, currency, status, n)`;
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries,
                           failure_code, failure_decline_code, brand, country, processor)
     select $1, id, 1, 100 + n, case when status = 'succeeded' then 50 + n else 0 end, currency, 'pm_x', status, 0,
            case when status = 'failed' then 'card_declined' end,
            case when status = 'failed' and n % 4 <> 0 then ('{do_not_honor,lost_card}'::text[])[1 + n % 2] end,
            ('{visa,amex,visa,jcb,unknown}'::text[])[1 + n % 5], ('{DE,FR,null,US,DE,DE,AT}'::text[])[1 + n % 7],
            case when n % 3 > 0 then json_build_object('account', 'pa_' || n % 3, 'connector', 'stripe') end from ${row}`,
    [tenant, ids('py'), pick(currencies), pick(paymentStatuses)],
  );
  await server.sql.query(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, failure_reason, attempt, inquiries)
     select $1, id, 1, 'py_x', n, currency, status, case when status = 'failed' then 'x' end, 'att_x', 0 from ${row}`,
    [tenant, ids('re'), pick(currencies), pick(['succeeded', 'pending', 'failed', 'succeeded'])],
  );
  await server.sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count, connector,
                           reference, inquiries)
     select $1, id, 1, 'py_x', n, currency, 'fraudulent', status, '{}', now(), 0, 'simulator', id, 0 from ${row}`,
    [tenant, ids('dp'), pick(currencies), pick(['won', 'lost', 'under_review', 'needs_response'])],
  );
  await server.sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     select $1, id, status, case when status = 'fee' then 'balance' else 'fees' end,
            case when status = 'fee' then 'fees' else 'balance' end, n, currency, id, 'py_x', '2027-02-01' from ${row}`,
    [tenant, ids('txn'), pick(currencies), pick(['fee', 'fee', 'fee_correction', 'fee', 'payment'])],
  );
}

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  await fill(await tenantOf(server.sql, shop.id, 'test'));
  viewer = (await server.person(shop.id, 'viewer')).client;
});
afterAll(() => server.stop());

const ask = (query: Record<string, string | number>) =>
  viewer.get(`/v1/statistics?${new URLSearchParams(query as Record<string, string>)}`);

type Listed = { currency: string; status: string; type?: string; amount: number; amount_received?: number };

/** Everything in a list between two seconds, page by page. */
async function listed(path: string, start: number, end: number): Promise<Listed[]> {
  const all: (Listed & { id: string })[] = [];
  for (;;) {
    const after = all.length === 0 ? '' : `&starting_after=${all.at(-1)!.id}`;
    const bounds = `created[gte]=${start}&created[lt]=${end}&limit=100`;
    const { data, has_more } = (await viewer.get(`/v1/${path}?${bounds}${after}`)).json;
    all.push(...data);
    if (!has_more) return all;
  }
}

/** The numbers as the lists have them. */
async function counted(start: number, end: number, currency: string) {
  const of = async (path: string) => (await listed(path, start, end)).filter((one) => one.currency === currency);
  const [payments, refunds, disputes] = [await of('payments'), await of('refunds'), await of('disputes')];
  const fees = (await of('balance/transactions')).filter(({ type }) => type === 'fee' || type === 'fee_correction');
  const succeeded = payments.filter(({ status }) => status === 'succeeded');
  const failed = payments.filter(({ status }) => status === 'failed').length;
  const returned = refunds.filter(({ status }) => status === 'succeeded');
  const sum = (all: Listed[]) => all.reduce((total, { amount }) => total + amount, 0);
  const decided = succeeded.length + failed;
  const volume = succeeded.reduce((total, { amount_received }) => total + amount_received!, 0);
  const withdrawn = sum(disputes.filter(({ status }) => status !== 'won'));
  return {
    currency,
    payments: payments.length,
    succeeded: succeeded.length,
    failed,
    ...(decided === 0 ? {} : { success_rate: Math.round((succeeded.length / decided) * 10_000) / 10_000 }),
    volume,
    refunds: returned.length,
    refunded: sum(returned),
    disputes: disputes.length,
    disputed: sum(disputes),
    withdrawn,
    fees: 0 - sum(fees),
    net: volume - sum(returned) - withdrawn + sum(fees),
  };
}

describe('statistics', () => {
  test('of each bucket are the numbers of the lists with the same bounds', async () => {
    const to = from + 3 * hour + 1_799; // the last bucket is shorter
    const { data, totals, ...rest } = (await ask({ from, to, bucket: 'hour' })).json;
    expect(rest).toEqual({ object: 'statistics', from, to, bucket: 'hour' });
    const expected = [];
    for (const { start, end } of bucketsOf({ from, to, seconds: hour }))
      for (const currency of currencies.toSorted())
        expected.push({ start, end, ...(await counted(start, end, currency)) });
    expect(data).toEqual(expected.filter(({ payments, disputes, fees }) => payments + disputes + Math.abs(fees) > 0));
    expect(data.length).toBeGreaterThan(3 * currencies.length); // something of each
    const all = await Promise.all(currencies.toSorted().map((currency) => counted(from, to, currency)));
    expect(totals).toEqual(all);
  });

  test('by day count the same as by hour, and in one currency the same as in all', async () => {
    const to = from + 86_400;
    const byDay = (await ask({ from, to, bucket: 'day' })).json;
    expect(byDay.totals).toEqual((await ask({ from, to, bucket: 'hour' })).json.totals);
    const { data, totals } = (await ask({ from, to, bucket: 'day', currency: 'JPY' })).json;
    expect(totals).toEqual(byDay.totals.filter(({ currency }: Listed) => currency === 'jpy'));
    expect(data).toEqual([{ start: from, end: to, ...totals[0] }]);
  });

  test('are of one account and mode', async () => {
    const live = viewer.with({ 'X-Tollgate-Mode': 'live' });
    const answer = await live.get(`/v1/statistics?from=${from}&to=${from + hour}&bucket=hour`);
    expect(answer.json).toMatchObject({ totals: [], data: [] });
  });

  test.each([
    [{ to: from, bucket: 'day' }, 'parameter_missing', 'from'],
    [{ from, to: from, bucket: 'day' }, 'parameter_invalid', 'to'],
    [{ from, to: from + hour, bucket: 'week' }, 'parameter_invalid', 'bucket'],
    [{ from, to: from + 744 * hour + 1, bucket: 'hour' }, 'parameter_invalid', 'bucket'],
    [{ from, to: from + 366 * 86_400 + 1, bucket: 'day' }, 'parameter_invalid', 'bucket'],
    [{ from: '2027-01-01', to: from, bucket: 'day' }, 'parameter_invalid', 'from'],
    [{ from, to: from + hour, bucket: 'day', currency: 'xau' }, 'currency_unknown', 'currency'],
  ])('for %j are refused', async (query, code, param) => {
    const { status, json } = await ask(query as never);
    expect([status, json.error?.code, json.error?.param]).toEqual([400, code, param]);
  });

  test('of a whole year are answered, by value too', async () => {
    const range = `from=${from}&to=${from + 366 * 86_400}`;
    for (const by of breakdowns)
      expect((await viewer.get(`/v1/statistics/breakdown?${range}&by=${by}`)).json).toMatchObject({
        is_complete: true,
      });
  });

  test('of as many buckets as can be asked for are answered', async () => {
    for (const [bucket, seconds] of [
      ['hour', 744 * hour],
      ['day', 366 * 86_400],
    ] as const)
      expect((await ask({ from, to: from + seconds, bucket })).status).toBe(200);
  });
});

const breakdownOf = async (query: Record<string, string | number>) =>
  (await viewer.get(`/v1/statistics/breakdown?${new URLSearchParams(query as Record<string, string>)}`)).json;

type Facts = Listed & Record<(typeof breakdowns)[number], string | null> & { amount_received: number };

/** The payments between two seconds with what they are broken down by, which the list does not show. */
async function facts(start: number, end: number): Promise<Facts[]> {
  const { rows } = await server.sql.query(
    `select currency, status, amount, amount_received, brand, country, processor->>'account' as processor,
            coalesce(failure_decline_code, failure_code) as decline_code
       from payments where tenant = $1 and id >= $2 and id < $3`,
    [await tenantOf(server.sql, shop.id, 'test'), firstIdAt('py', start * 1_000), firstIdAt('py', end * 1_000)],
  );
  return rows as Facts[];
}

describe('a breakdown', () => {
  const to = from + 4 * hour;

  test.each(breakdowns)('by %s has the numbers of the payments with each value, most first', async (by) => {
    const { data, ...rest } = await breakdownOf({ from, to, by });
    expect(rest).toEqual({ object: 'statistics_breakdown', from, to, by, is_complete: true, other: [] });
    const all = (await facts(from, to)).filter(({ status }) => by !== 'decline_code' || status === 'failed');
    const groups = Map.groupBy(all, (one) => `${one.currency} ${one[by] ?? ''}`);
    expect(data).toHaveLength(groups.size);
    for (const { currency, value = '', success_rate, ...counts } of data) {
      const group = groups.get(`${currency} ${value}`)!;
      const of = (status: string) => group.filter((one) => one.status === status).length;
      const [succeeded, failed] = [of('succeeded'), of('failed')];
      const volume = group.reduce((sum, { amount_received }) => sum + amount_received, 0);
      expect(counts).toEqual({ payments: group.length, succeeded, failed, volume });
      const decided = succeeded + failed;
      expect(success_rate).toBe(decided === 0 ? undefined : Math.round((succeeded / decided) * 10_000) / 10_000);
    }
    const counts = data.map(({ payments }: { payments: number }) => payments);
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
  });

  test('by processor, and by decline code, counts what the list with this filter has', async () => {
    for (const by of ['processor', 'decline_code'] as const)
      for (const { currency, value, payments } of (await breakdownOf({ from, to, by })).data) {
        if (value === undefined || value === 'card_declined') continue; // the list finds this by the code of all declines
        const bounds = `created[gte]=${from}&created[lt]=${to}&currency=${currency}&limit=100`;
        const { data } = (await viewer.get(`/v1/payments?${bounds}&${by}=${value}`)).json;
        expect([by, value, data.length]).toEqual([by, value, payments]);
      }
  });

  test('in one currency is that part of the breakdown in all', async () => {
    const { data } = await breakdownOf({ from, to, by: 'brand' });
    const eur = (await breakdownOf({ from, to, by: 'brand', currency: 'EUR' })).data;
    expect(eur).toEqual(data.filter(({ currency }: Listed) => currency === 'eur'));
    expect(eur.length).toBeGreaterThan(1);
  });

  test('counts in steps what it counts in one, and at a limit the newest payments', async () => {
    const [source] = catalog.extensionsOf(breakdownSources);
    const context = { reads: new ConnectionReads(server.sql), tenant: await tenantOf(server.sql, shop.id, 'test') };
    const read = (limits: WalkLimits) => readTallies(context, source!, { from, to, by: 'country' }, limits);
    const whole = await read({});
    expect(topOf((await read({ stepRows: 3 })).tallies)).toEqual(topOf(whole.tallies));
    const newest = await read({ stepRows: 3, rowsMax: 7 });
    expect(newest.isComplete).toBe(false);
    expect(newest.tallies.reduce((sum, { payments }) => sum + payments, 0)).toBe(7);
    const last = (await listed('payments', from, to)).slice(0, 7);
    const inOrder = (all: { currency: string }[]) => all.map(({ currency }) => currency).sort();
    expect(inOrder(newest.tallies.flatMap((one) => Array(one.payments).fill(one)))).toEqual(inOrder(last));
    expect(await read({ stepRows: 3, isLate: () => true })).toEqual({ tallies: [], isComplete: false });
  });

  test.each([
    [{ from, to, by: 'customer' }, 'parameter_invalid', 'by'],
    [{ from, to }, 'parameter_missing', 'by'],
    [{ from, to: from, by: 'brand' }, 'parameter_invalid', 'to'],
    [{ from, to: from + 366 * 86_400 + 1, by: 'brand' }, 'parameter_invalid', 'to'],
    [{ from, to, by: 'brand', currency: 'xau' }, 'currency_unknown', 'currency'],
  ])('of %j is refused', async (query, code, param) => {
    const { error } = await breakdownOf(query as never);
    expect([error?.code, error?.param]).toEqual([code, param]);
  });
});

test('payments of an earlier version get the brand and country of their method, and are left alone then', async () => {
  const { id } = await server.account();
  const tenant = await tenantOf(server.sql, id, 'test');
  await server.sql.query(
    `insert into payment_methods (tenant, id, version, detached, brand, last4, exp_month, exp_year, billing)
     values ($1, 'pm_a', 1, true, 'jcb', '1234', 1, 2030, '{"address": {"country": "JP"}}'), ($1, 'pm_b', 1, true, 'visa', '1234', 1, 2030, '{}')`,
    [tenant],
  );
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
     select $1, 'py_' || m, 1, 100, 0, 'eur', 'pm_' || m, 'failed', 0 from unnest('{a,b,gone}'::text[]) m`,
    [tenant],
  );
  await server.sql.query(`update payments set country = 'XX', brand = 'elo' where tenant = $1 and id = 'py_b'`, [
    tenant,
  ]);
  await fillCardFacts(server.sql as unknown as Pool);
  const { rows } = await server.sql.query('select id, brand, country from payments where tenant = $1 order by id', [
    tenant,
  ]);
  expect(rows).toEqual([
    { id: 'py_a', brand: 'jcb', country: 'JP' },
    { id: 'py_b', brand: 'elo', country: 'XX' },
    { id: 'py_gone', brand: 'unknown', country: null },
  ]);
});

test('the numbers of payments and fees are read from indexes that hold them', async () => {
  const plans: string[] = [];
  const explaining = {
    async rows(text: string, values: unknown[]) {
      const { rows } = await server.sql.query(`explain ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    },
  } as unknown as Reads;
  await server.sql.query('vacuum analyze payments, postings');
  await server.sql.query('set enable_seqscan = off'); // of forty rows everything is quick
  const source = { of: 'payments', prefix: 'py', table: { name: 'payments' }, amount: 'amount_received' } as const;
  const tenant = await tenantOf(server.sql, shop.id, 'test');
  const buckets = bucketsOf({ from, to: from + 86_400, seconds: 86_400 });
  await readFigures(
    explaining,
    tenant,
    { ...source, countedBy: { column: 'status', values: paymentStatuses } },
    buckets,
    null,
  );
  expect(plans[0]).toContain('Index Only Scan using payments_by_status_with_amount');
  const fees = catalog.extensionsOf(figureSources).find(({ of }) => of === 'fees')!;
  await readFigures(explaining, tenant, fees, buckets, null);
  expect(plans[1]).toContain('Index Only Scan using postings_of_kind_with_amount');
});
