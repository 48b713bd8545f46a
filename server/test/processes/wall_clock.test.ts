import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import type { Answer, Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { violationsOf } from '../payment_invariants.ts';
import { shareOfCases } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

/** Two servers on one database whose machines disagree about the time by two hours. The database is right. */
const errorsMs = { 'an hour fast': 3_600_000, 'an hour slow': -3_600_000 };
const names = Object.keys(errorsMs) as (keyof typeof errorsMs)[];

const children = new Children();
const receiver = new WebhookReceiver();
const servers = {} as Record<(typeof names)[number], Running>;
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
/** Expires in half an hour. */
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  sql = children.keep(await connect(database.address, 'test'));
  const environment = children.serveEnvironment({
    DATABASE_URL: database.url,
    SIMULATOR: 'remote',
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
  });
  const fixture = pathToFileURL(join(import.meta.dirname, 'wall_clock.fixture.ts')).href;
  for (const name of names)
    servers[name] = await children.serve({ ...environment, CLOCK_ERROR_MS: String(errorsMs[name]) }, [
      '--max-semi-space-size=16',
      '--import',
      fixture,
    ]);
  key = (await children.account(environment)).test_secret_key;
  await expireKeys('30 minutes');
  await receiver.listen();
});

afterAll(async () => {
  await children.cleanUp();
  await receiver.close();
  await database.drop();
});

async function expireKeys(fromNow: string): Promise<void> {
  await sql.query('update api_keys set expires_at = now() + $1::interval', [fromNow]);
}

const nowSeconds = () => Date.now() / 1_000;

function signedHeaders(body: string, timestamp: number): Record<string, string> {
  const digest = createHash('sha256').update(body).digest('hex');
  const text = `${timestamp}\nPOST\n/v1/customers\n\n${digest}`;
  return {
    'Content-Type': 'application/json',
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
  };
}

async function pay(client: Client, number: string, more: object = {}, headers = {}): Promise<Answer> {
  const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };
  const method = await client.post('/v1/payment_methods', { type: 'card', card });
  const payment = { amount: 2000, currency: 'usd', payment_method: method.json.id, ...more };
  return client.post('/v1/payments', payment, headers);
}

async function secondsUntil(column: string, from: string, id: string): Promise<number> {
  const text = `select extract(epoch from ${column} - now())::float8 as seconds from ${from} = $1`;
  return (await sql.query(text, [id])).rows[0].seconds;
}

/** A minute on either side: the machine of the test may be busy. */
function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThan(60);
}

describe.each(shareOfCases(['after the clocks have jumped', 'from the start'], 1))('%s', (when) => {
  beforeAll(async () => {
    if (when === 'from the start') return;
    for (const { child } of Object.values(servers)) child.signal('SIGUSR2');
    for (const { child } of Object.values(servers))
      await until('the clock has jumped', patienceMs, () => child.stderr.includes('has jumped'));
  });

  describe.each(shareOfCases(names, 1))('a server whose clock is %s', (name) => {
    const client = () => servers[name].client(key);

    test('names the right time in objects, ids and rate limits', async () => {
      const made = await client().post('/v1/customers', { name: 'Ada' });
      expect(made.status).toBe(200);
      expectNear(made.json.created, nowSeconds());
      expectNear(Number(made.headers['x-ratelimit-reset']), nowSeconds() + 30);
    });

    test('a key works until it expires, and not longer', async () => {
      expect((await client().get('/v1/customers')).status).toBe(200);
      await expireKeys('-1 minute');
      await until('the key has expired', patienceMs, async () => (await client().get('/v1/customers')).status === 401);
      await expireKeys('30 minutes');
      await until('the key works again', patienceMs, async () => (await client().get('/v1/customers')).status === 200);
    });

    test('a signature is valid for five minutes of the right time', async () => {
      const body = JSON.stringify({ name: `${when}, ${name}` });
      const now = Math.floor(nowSeconds());
      const send = (timestamp: number) =>
        client().request('POST', '/v1/customers', { body, headers: signedHeaders(body, timestamp) });
      expect((await send(now)).status).toBe(200);
      for (const wrong of [now - 3_600, now + 3_600])
        expect((await send(wrong)).json.error).toMatchObject({ code: 'signature_expired' });
    });

    test('an authorization and an idempotency key do not expire early', async () => {
      const headers = { 'Idempotency-Key': `${when}, ${name}` };
      const reserved = await pay(client(), '4242424242424242', { capture_method: 'manual' }, headers);
      expect(reserved.json.status).toBe('requires_capture');
      expectNear(await secondsUntil('due_at', 'payments where id', reserved.json.id), 7 * 86_400);
      const requestId = reserved.headers['request-id'] as string;
      expectNear(await secondsUntil('expires_at', 'idempotency where request_id', requestId), 86_400);
    });
  });

  test('a webhook carries the right time, which its receiver verifies', async () => {
    const client = servers['an hour fast'].client(key);
    const url = `${receiver.url}?${encodeURIComponent(when)}`;
    const endpoint = await client.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
    receiver.secret = endpoint.json.secret;
    const before = receiver.arrived.size;
    await servers['an hour slow'].client(key).post('/v1/customers', { name: 'told' });
    await until('the webhook has arrived', patienceMs, () => receiver.arrived.size > before);
    expect(receiver.violations).toEqual([]);
    await client.delete(`/v1/webhook_endpoints/${endpoint.json.id}`);
  });

  test('the work of both is leased once: unknown outcomes are settled, and nothing is done twice', async () => {
    const paid: Answer[] = [];
    for (const name of [...names, ...names]) paid.push(await pay(servers[name].client(key), '4000000000000408'));
    const ids = paid.map(({ json }) => json.id);
    expect(paid.map(({ json }) => json.status)).toEqual(ids.map(() => 'processing'));
    await sql.query(`update attempts set deadline_at = now() - interval '1 minute' where payment = any($1)`, [ids]);
    await sql.query(`update payments set due_at = now() - interval '1 second' where id = any($1)`, [ids]);
    const client = servers['an hour slow'].client(key);
    for (const id of ids)
      await until(`${id} is settled`, patienceMs, async () => {
        return (await client.get(`/v1/payments/${id}`)).json.status === 'succeeded';
      });
    expect(await violationsOf(sql, { rest: false })).toEqual([]);
  });
});
