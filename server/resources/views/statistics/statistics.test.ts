import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { firstIdAt } from '../../../base/id.ts';
import { ConnectionReads, type Reads } from '../../../base/reads.ts';
import type { Pool } from '../../../base/sql.ts';
import { catalog } from '../../../catalog.ts';
import {
  breakdownSources,
  breakdowns,
  figureSources,
  subscriptionFigureSources,
} from '../../../operations/extension_points/statistics.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import { everyTenant, tenantOf } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { limitMs, seed, shareOf } from '../../../test/torture.ts';
import { keepRevenueDays } from '../../billing/subscription_state/revenue.ts';
import type { Shown } from '../../billing/subscriptions/billing.fixture.ts';
import { fillRevenues } from '../../billing/subscriptions/revenue.ts';
import { paymentStatuses } from '../../payments/payments/payment.ts';
import { fillCardFacts, fillProcessorAccounts } from '../../payments/payments/store.ts';
import { readTallies, topOf, type WalkLimits } from './breakdown.ts';
import { bucketsOf, readFigures } from './figures.ts';
import { counted, listed, rateIn, revenueOf } from './lists.fixture.ts';
import { Life, randomSteps } from './lives.fixture.ts';
import { daysOf, readDays } from './subscriptions.ts';

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
                           failure_code, failure_decline_code, brand, country, processor, processor_account)
     select $1, id, 1, 100 + n, case when status = 'succeeded' then 50 + n else 0 end, currency, 'pm_x', status, 0,
            case when status = 'failed' then 'card_declined' end,
            case when status = 'failed' and n % 4 <> 0 then ('{do_not_honor,lost_card}'::text[])[1 + n % 2] end,
            ('{visa,amex,visa,jcb,unknown}'::text[])[1 + n % 5], ('{DE,FR,null,US,DE,DE,AT}'::text[])[1 + n % 7],
            case when n % 3 > 0 then json_build_object('account', 'pa_' || n % 3, 'connector', 'stripe') end,
            case when n % 3 > 0 then 'pa_' || n % 3 end from ${row}`,
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

describe('statistics', () => {
  test('of each bucket are the numbers of the lists with the same bounds', async () => {
    const to = from + 3 * hour + 1_799; // the last bucket is shorter
    const { data, totals, ...rest } = (await ask({ from, to, bucket: 'hour' })).json;
    expect(rest).toEqual({ object: 'statistics', from, to, bucket: 'hour' });
    const expected = [];
    for (const { start, end } of bucketsOf({ from, to, seconds: hour }))
      for (const currency of currencies.toSorted())
        expected.push({ start, end, ...(await counted(viewer, start, end, currency)) });
    expect(data).toEqual(expected.filter(({ payments, disputes, fees }) => payments + disputes + Math.abs(fees) > 0));
    expect(data.length).toBeGreaterThan(3 * currencies.length); // something of each
    const all = await Promise.all(currencies.toSorted().map((currency) => counted(viewer, from, to, currency)));
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
      expect(success_rate).toBe(rateIn(succeeded, failed).success_rate);
    }
    const counts = data.map(({ payments }: { payments: number }) => payments);
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
  });

  test('counts what the list with this filter has', async () => {
    for (const by of breakdowns)
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
    const all = whole.tallies.reduce((sum, { payments }) => sum + payments, 0);
    expect((await read({ rowsMax: all - 1 })).isComplete).toBe(false);
    expect((await read({ rowsMax: all })).isComplete).toBe(true);
    expect(newest.tallies.reduce((sum, { payments }) => sum + payments, 0)).toBe(7);
    const last = (await listed(viewer, 'payments', from, to)).slice(0, 7);
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
  await fillCardFacts(server.sql as unknown as Pool, defaultRetention, () => everyTenant(server.sql));
  const { rows } = await server.sql.query('select id, brand, country from payments where tenant = $1 order by id', [
    tenant,
  ]);
  expect(rows).toEqual([
    { id: 'py_a', brand: 'jcb', country: 'JP' },
    { id: 'py_b', brand: 'elo', country: 'XX' },
    { id: 'py_gone', brand: 'unknown', country: null },
  ]);
});

test('payments of an earlier version get the processor account that they name, also when it has changed', async () => {
  const { id } = await server.account();
  const tenant = await tenantOf(server.sql, id, 'test');
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, brand, processor,
                           processor_account)
     select $1, 'py_' || m, 1, 100, 0, 'eur', 'pm_x', 'failed', 0, 'visa', case when m <> 'none' then '{"account": "pa_1"}'::json end,
            case when m = 'passed_on' then 'pa_2' end from unnest('{none,old,passed_on}'::text[]) m`,
    [tenant],
  );
  await fillProcessorAccounts(server.sql as unknown as Pool, defaultRetention, () => everyTenant(server.sql));
  const read = 'select id, processor_account, xmin from payments where tenant = $1 order by id';
  const { rows } = await server.sql.query(read, [tenant]);
  expect(rows.map(({ id, processor_account }) => [id, processor_account])).toEqual([
    ['py_none', null],
    ['py_old', 'pa_1'],
    ['py_passed_on', 'pa_1'],
  ]);
  await fillProcessorAccounts(server.sql as unknown as Pool, defaultRetention, () => everyTenant(server.sql));
  expect((await server.sql.query(read, [tenant])).rows).toEqual(rows); // not written again
});

// Plans, and below locks, of statements that run at a place.
test.skipIf(isDistributedRun)('the numbers of payments and fees are read from indexes that hold them', async () => {
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

describe('in random lives of a merchant,', () => {
  test('all numbers are those of the lists', { timeout: limitMs }, async () => {
    const property = fc.asyncProperty(randomSteps(shareOf(30, 16)), async (steps) => {
      const life = new Life(server, await server.account());
      const start = Math.floor(Date.now() / 86_400_000) * 86_400;
      await life.begin();
      for (const step of steps) {
        await step(life);
        await life.rest();
      }
      await compareWithLists(life, start, start + 2 * 86_400); // it may be midnight
    });
    await fc.assert(property, { numRuns: shareOf(30, 2), seed: seed | 0, endOnFailure: true, verbose: 1 });
  });
});

async function compareWithLists(life: Life, start: number, end: number): Promise<void> {
  const { client } = await server.person(life.account.id, 'viewer');
  const get = async (path: string) => (await client.get(`/v1/${path}from=${start}&to=${end}`)).json;
  const { totals } = await get('statistics?bucket=day&');
  for (const total of totals) expect(total).toEqual(await counted(client, start, end, total.currency));
  const payments = await listed(client, 'payments', start, end);
  expect(totals.reduce((sum: number, { payments: count }: Shown) => sum + count, 0)).toBe(payments.length);
  for (const by of ['brand', 'country', 'decline_code'] as const)
    expect(countsIn((await get(`statistics/breakdown?by=${by}&`)).data)).toEqual(brokenDown(life, payments, by));
  const expected = await subscribed(life, client, start, end);
  expect((await get('statistics/subscriptions?')).totals).toEqual(expected);
}

const countsIn = (data: Shown[]) =>
  Object.fromEntries(data.map(({ currency, value, payments, volume }) => [`${currency} ${value}`, [payments, volume]]));

function brokenDown(life: Life, payments: Shown[], by: 'brand' | 'country' | 'decline_code') {
  const found = ({ payment_method, failure_decline_code, failure_code }: Shown) =>
    by === 'decline_code' ? (failure_decline_code ?? failure_code) : life.methods.get(payment_method)![by];
  const counted = payments.filter(({ status }) => by !== 'decline_code' || status === 'failed');
  const groups = Map.groupBy(counted, (payment) => `${payment.currency} ${found(payment)}`);
  const sums = [...groups].map(([key, group]) => [
    key,
    [group.length, group.reduce((sum, { amount_received }) => sum + amount_received, 0)],
  ]);
  return Object.fromEntries(sums);
}

/** The totals of subscriptions, from the lists of subscriptions and invoices. */
async function subscribed(life: Life, client: Client, start: number, end: number) {
  const subscriptions = await listed(client, 'subscriptions', start, end);
  const invoices = await listed(client, 'invoices', start, end);
  const all = ['eur', 'jpy', 'usd'].map((currency) => {
    const own = subscriptions.filter((one) => one.currency === currency);
    const active = own.filter(({ status }) => status === 'active' || status === 'past_due');
    const begun = own.filter(({ id }) => life.begun.has(id));
    const bills = invoices.filter((one) => one.currency === currency);
    const recovered = bills.filter(({ status, last_failure }) => status === 'paid' && last_failure !== undefined);
    const givenUp = bills.filter(({ status }) => status === 'uncollectible');
    const sum = (of: Shown[], member: string) => of.reduce((total, one) => total + one[member], 0);
    return {
      currency,
      mrr: Number(active.reduce((total, one) => total + revenueOf(one, life.prices, life.coupons), 0n)),
      active: active.length,
      new: begun.length,
      lost: begun.filter(({ status }) => status === 'canceled').length,
      recovered: recovered.length,
      recovered_amount: sum(recovered, 'amount_paid'),
      lost_invoices: givenUp.length,
      lost_amount: sum(givenUp, 'amount_due'),
    };
  });
  return all.filter(({ currency: _, ...counts }) => Object.values(counts).some((count) => count !== 0));
}

describe.skipIf(isDistributedRun)('the revenue of days', () => {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  const dayAgo = (days: number) => new Date((today - days * 86_400) * 1_000).toISOString().slice(0, 10);
  const sources = catalog.extensionsOf(subscriptionFigureSources);

  /** A tenant with two subscriptions, in a transaction that ends with the test: meanwhile no server keeps a day. */
  async function subscribers() {
    const life = new Life(server, await server.account());
    await life.begin();
    for (const at of [0, 1]) await life.subscribe('visa', at, 2, 4, false); // 2 × 999 a month, 2 × 12,345 a year
    const tenant = await tenantOf(server.sql, life.account.id, 'test');
    await server.sql.query('begin');
    onTestFinished(async () => void (await server.sql.query('rollback')));
    await server.sql.query('lock table revenue_days in exclusive mode');
    await server.sql.query('delete from revenue_days where tenant = $1', [tenant]);
    const read = async (from: number, now = today * 1_000) => {
      const days = daysOf({ from: today - from * 86_400, to: today + 86_400 });
      const { since, rows } = await readDays({ reads: new ConnectionReads(server.sql), tenant, now }, sources, days);
      const revenue = rows.map(({ at, counts: { mrr, active } }) => [dayAgo(from - at + 1), mrr, active]);
      return { since: since === undefined ? undefined : dayAgo((today - since) / 86_400), revenue };
    };
    /** As if they had been there before. */
    const age = (days: number) =>
      server.sql.query(`update subscriptions set id = $2 || right(id, 4) where tenant = $1`, [
        tenant,
        firstIdAt('sub', (today - days * 86_400) * 1_000).slice(0, -4),
      ]);
    return { tenant, read, age, pool: server.sql as unknown as Pool };
  }

  test('is kept when each has ended, also of days on which no server ran', async () => {
    const { tenant, read, age, pool } = await subscribers();
    await age(9);
    for (const _ of [1, 2]) await keepRevenueDays(pool, await everyTenant(pool), dayAgo(5));
    const [now, before] = [1_998 + 2_058, 1_998]; // 24,690 ÷ 12 = 2,057.5
    expect(await read(7)).toEqual({ since: dayAgo(5), revenue: [[dayAgo(0), now, 2]] });
    await server.sql.query(
      `update subscriptions set status = 'paused' where tenant = $1 and billing_interval = 'year'`,
      [tenant],
    );
    for (const _ of [1, 2]) await keepRevenueDays(pool, await everyTenant(pool), dayAgo(2));
    await server.sql.query(`update subscriptions set status = 'active' where tenant = $1`, [tenant]);
    await keepRevenueDays(pool, await everyTenant(pool), dayAgo(0));
    const revenue = [5, 4, 3].map((day) => [dayAgo(day), before, 1]);
    const later = [2, 1, 0].map((day) => [dayAgo(day), now, 2]);
    expect(await read(7)).toEqual({ since: dayAgo(5), revenue: [...revenue, ...later] });
    expect(await read(3)).toEqual({ since: undefined, revenue: [revenue[2], ...later] });
  });

  test('was nothing before the first subscription', async () => {
    const { read, pool } = await subscribers();
    await keepRevenueDays(pool, await everyTenant(pool), dayAgo(0));
    expect(await read(7)).toEqual({ since: undefined, revenue: [[dayAgo(0), 4_056, 2]] });
  });

  test('is not known until it is filled in for subscriptions of an earlier version', async () => {
    const { tenant, read, age, pool } = await subscribers();
    await age(9);
    await keepRevenueDays(pool, await everyTenant(pool), dayAgo(3));
    await server.sql.query('update subscriptions set mrr = null where tenant = $1', [tenant]);
    await keepRevenueDays(pool, await everyTenant(pool), dayAgo(1));
    expect(await read(7)).toEqual({ since: dayAgo(-1), revenue: [] });
    await fillRevenues(pool, await everyTenant(pool));
    await keepRevenueDays(pool, await everyTenant(pool), dayAgo(1));
    expect((await read(7)).revenue).toEqual([3, 2, 0].map((day) => [dayAgo(day), 4_056, 2]));
  });
});

test.each([
  [{ from, to: from }, 'parameter_invalid', 'to'],
  [{ from, to: from + 366 * 86_400 + 1 }, 'parameter_invalid', 'to'],
  [{ to: from }, 'parameter_missing', 'from'],
  [{ from, to: from + 1, currency: 'xau' }, 'currency_unknown', 'currency'],
])('statistics of subscriptions for %j are refused', async (query, code, param) => {
  const path = `/v1/statistics/subscriptions?${new URLSearchParams(query as never)}`;
  const { error } = (await viewer.get(path)).json;
  expect([error?.code, error?.param]).toEqual([code, param]);
});
