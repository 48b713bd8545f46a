import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads } from '../../../base/reads.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { paymentStatuses } from '../../payments/payments/payment.ts';
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
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
     select $1, id, 1, 100 + n, case when status = 'succeeded' then 50 + n else 0 end, currency, 'pm_x', status, 0 from ${row}`,
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

  test('of as many buckets as can be asked for are answered', async () => {
    for (const [bucket, seconds] of [
      ['hour', 744 * hour],
      ['day', 366 * 86_400],
    ] as const)
      expect((await ask({ from, to: from + seconds, bucket })).status).toBe(200);
  });
});

test('the numbers of payments are read from an index that holds them', async () => {
  const plans: string[] = [];
  const explaining = {
    async rows(text: string, values: unknown[]) {
      const { rows } = await server.sql.query(`explain ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    },
  } as unknown as Reads;
  await server.sql.query('vacuum analyze payments');
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
});
