import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { type HealthSample, healthOf } from './health.ts';

const sample: HealthSample = {
  processor_account: 'pa_1',
  authorization: undefined,
  isUnknown: false,
  latencyMs: undefined,
};

test('rates are of what is decided, and times of what was answered', () => {
  expect(healthOf([])).toEqual({ requests: 0, approved: 0, declined: 0, not_sent: 0, unknown_outcomes: 0 });
  const answered = Array.from({ length: 20 }, (_, at) => ({ ...sample, latencyMs: 20 - at }));
  const decided = (['approved', 'approved', 'declined', 'not_sent'] as const).map((authorization) => ({
    ...sample,
    authorization,
  }));
  expect(healthOf([...answered, ...decided, { ...sample, isUnknown: true }])).toEqual({
    ...{ requests: 25, approved: 2, declined: 1, not_sent: 1, success_rate: 0.5 },
    ...{ median_ms: 10, p95_ms: 19, unknown_outcomes: 1 },
  });
});

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const read = async () => (await server.person(account.id, 'viewer')).client.get('/v1/processor_health');
const post = async (path: string, body: object) => (await account.test.post(path, body)).json;
const now = Date.now();

/** Attempts as they are stored, of a payment each. */
async function addAttempts(processor: string, wishes: object[]) {
  const { rows } = await server.sql.query('select tenant from processor_accounts where id = $1', [processor]);
  const usual = {
    ...{ age: 1_000, verb: 'authorize', state: 'approved', ms: 100, exchange: {}, overdue: false },
    decline_code: null,
  };
  for (const wish of wishes) {
    const { age, verb, state, ms, exchange, overdue, decline_code } = { ...usual, ...wish };
    await server.sql.query(
      `insert into attempts
         (tenant, id, version, payment, verb, state, connector, processor_account, deadline_at, finished_at, exchange, decline_code)
       values ($1, $2, 1, $3, $4, $5, 'simulator', $6, $7, $8, $9, $10)`,
      [
        ...[rows[0].tenant, newId('att', now - age), newId('py', now), verb, state, processor],
        ...[new Date(now + (overdue ? -1_000 : 60_000)), ms === null ? null : new Date(now - age + ms)],
        ...[exchange, decline_code],
      ],
    );
  }
}

test('the requests of 24 hours are counted by processor account', async () => {
  expect((await read()).json).toMatchObject({ object: 'processor_health', data: [] });
  const first = (await post('/v1/processor_accounts', { connector: 'simulator', name: 'First' })).id;
  const second = (await post('/v1/processor_accounts', { connector: 'simulator', name: 'Second' })).id;
  await addAttempts(first, [
    ...[{}, { ms: 300 }, { state: 'declined', ms: 200 }, { state: 'reversed' }, { state: 'not_sent', ms: 9_000 }],
    ...[
      { state: 'lost', ms: 8_000 },
      { verb: 'refund', ms: 50 },
      { state: 'unknown', ms: null },
    ],
    // In flight, and past its deadline; learned by an inquiry; a day old.
    ...[
      { state: 'open', ms: null },
      { state: 'open', ms: null, overdue: true },
    ],
    ...[{ ms: 7_000, exchange: { inquiry: {} } }, { age: 25 * 3_600_000 }],
  ]);
  // Undone before they were decided, or after a decline, they are no approvals.
  await addAttempts(second, [
    ...[
      { state: 'challenged', ms: null },
      { state: 'reversed', ms: null },
    ],
    ...[{ state: 'reversed', decline_code: 'authentication_failed', ms: 40 }],
  ]);
  const { json } = await read();
  expect(json.since).toBeGreaterThanOrEqual(Math.floor(now / 1_000) - 24 * 3_600);
  expect(json.data).toEqual([
    {
      ...{ processor_account: first, requests: 11, approved: 4, declined: 1, not_sent: 2, success_rate: 0.5714 },
      ...{ median_ms: 100, p95_ms: 300, unknown_outcomes: 2 },
    },
    {
      ...{ processor_account: second, requests: 3, approved: 0, declined: 1, not_sent: 0, success_rate: 0 },
      ...{ median_ms: 40, p95_ms: 40, unknown_outcomes: 0 },
    },
  ]);
  const other = await server.person((await server.account()).id, 'owner');
  expect((await other.client.get('/v1/processor_health')).json.data).toEqual([]);
});

test('with many requests, the newest are counted, by a range of the primary key', async () => {
  const { rows } = await server.sql.query('select tenant, id from processor_accounts order by id limit 1');
  const { tenant, id } = rows[0];
  const prefix = newId('att', now).slice(0, 12);
  await server.sql.query(
    `insert into attempts (tenant, id, version, payment, verb, state, connector, processor_account, deadline_at, finished_at, exchange)
     select $1, $2 || lpad(n::text, 14, 'z'), 1, 'py_' || n, 'authorize', 'approved', 'simulator', $3, now(), now(), '{}'
       from generate_series(1, 10500) n`,
    [tenant, prefix, id],
  );
  const { json } = await read();
  expect(json.data).toMatchObject([{ processor_account: id, requests: 10_000, success_rate: 1 }]);
  expect(json.since).toBe(Math.floor(now / 1_000));
});

test('connectors say what their accounts need, in the mode of the request; keys find neither', async () => {
  const { client } = await server.person(account.id, 'owner');
  const { data } = (await client.get('/v1/connectors')).json;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['simulator', 'stripe']);
  expect(data[0].settings[1]).toMatchObject({ name: 'behaves', choices: expect.arrayContaining(['unreachable']) });
  expect(data[1].credentials[0]).toEqual({
    ...{ name: 'secret_key', kind: 'text', required: true },
    description: 'A secret or restricted key of Stripe (sk_…, rk_…)',
  });
  const live = (await client.with({ 'X-Tollgate-Mode': 'live' }).get('/v1/connectors')).json.data;
  expect(live.map(({ name }: { name: string }) => name)).toEqual(['stripe']);
  for (const path of ['/v1/connectors', '/v1/processor_health'])
    expectRefusal(await account.test.get(path), 'url_unrecognized');
});
