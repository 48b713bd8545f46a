import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import type { Client } from '../../test/client.ts';
import { eventually } from '../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { canonicalJson } from '../reading/canonical.ts';

let server: TestServer;
let account: TestAccount;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  client = account.test;
});
afterAll(() => server.stop());

const keyed = (key: string) => ({ 'Idempotency-Key': key });

async function storedKey(requestId: unknown): Promise<string> {
  const { rows } = await server.sql.query('select key from idempotency where request_id = $1', [requestId]);
  return rows[0].key;
}

async function loggedKey(requestId: unknown): Promise<string> {
  return eventually(async () => {
    const { rows } = await server.sql.query('select idempotency_key from requests where id = $1', [requestId]);
    expect(rows).toHaveLength(1);
    return rows[0].idempotency_key;
  });
}

describe('a key that looks like a secret', () => {
  const secrets: [what: string, key: () => string][] = [
    ['a card number', () => '4242424242424242'],
    ['a card number in fours', () => '5555 5555 5555 4444'],
    ['a text that holds a card number', () => 'k-378282246310005'],
    ['a card number with an amount', () => '4242424242424242-2000'],
    ['an API key', () => account.testKey],
  ];
  test.each(secrets)('%s is a key like any other, and shown nowhere', async (_what, key) => {
    const first = await client.post('/v1/customers', { name: 'Ada' }, keyed(key()));
    const again = await client.post('/v1/customers', { name: 'Ada' }, keyed(key()));
    expect([first.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    const shown = await loggedKey(first.headers['request-id']);
    expect(shown).toMatch(/^digest:[0-9a-f]{12}$/);
    expect(await loggedKey(again.headers['request-id'])).toBe(shown); // the two can be found together
    expect(await storedKey(first.headers['request-id'])).not.toContain(key());
  });
});

describe('any other key', () => {
  test('is stored as a keyed hash, and shown in the request log', async () => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', { name: 'Ada' }, keyed(key));
    expect(await storedKey(first.headers['request-id'])).toMatch(/^[\w-]{43}$/);
    expect(await loggedKey(first.headers['request-id'])).toBe(key);
  });

  test('is stored differently by each account and mode', async () => {
    const key = randomUUID();
    const other = await server.account();
    const answers = await Promise.all(
      [account.test, account.live, other.test].map((one) => one.post('/v1/customers', {}, keyed(key))),
    );
    const stored = await Promise.all(answers.map(({ headers }) => storedKey(headers['request-id'])));
    expect(new Set(stored).size).toBe(3);
  });
});

test('the migration notes an upgrade where there are accounts, and none in a new database', async () => {
  const { sql } = server;
  expect((await sql.query('select 1 from idempotency_upgrade')).rows).toEqual([]);
  const file = join(import.meta.dirname, '..', '..', 'migrations', '0023_hashed_idempotency_keys.sql');
  await sql.query('begin');
  await sql.query('drop table idempotency_upgrade');
  await sql.query(readFileSync(file, 'utf8'));
  const { rows } = await sql.query('select migrated_at = now() as noted from idempotency_upgrade');
  await sql.query('rollback');
  expect(rows).toEqual([{ noted: true }]);
});

describe('after an upgrade from the version that stored keys in clear', () => {
  const hourMs = 3_600_000;
  let clock: VirtualClock;
  let upgraded: TestServer;
  let tenant: number;
  let payment_method: string;

  beforeAll(async () => {
    await server.sql.query('insert into idempotency_upgrade values (now())');
    clock = virtualClock(Date.now());
    upgraded = await startServer({ databaseUrl: server.databaseUrl, clock });
    client = upgraded.client(account.testKey);
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      account.id,
    ]);
    tenant = rows[0].tenant;
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035 };
    payment_method = (await client.post('/v1/payment_methods', { type: 'card', card })).json.id;
  });
  afterAll(() => upgraded.stop());

  const charge = () => ({ amount: 100, currency: 'EUR', payment_method });
  const fingerprintOf = (body: object) =>
    server.gateway.keyring.hmac('fingerprint', `payments.create\n\n${canonicalJson(body)}`);

  /** A record as the previous version wrote it: answered, or unfinished and resumed by an attempt. */
  async function recordOfPrevious(
    record: { answer?: string; resumeBy?: string },
    key: string = randomUUID(),
  ): Promise<string> {
    await server.sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, resume_by)
       values ($1, $2, $3, 'payments.create', 'req_earlier', $4, $5, $6)`,
      [
        tenant,
        key,
        fingerprintOf(charge()),
        record.answer === undefined ? null : 200,
        record.answer === undefined ? null : Buffer.from(record.answer),
        record.resumeBy ?? null,
      ],
    );
    return key;
  }

  const payments = async () =>
    (await server.sql.query('select count(*)::int4 as n from payments where tenant = $1', [tenant])).rows[0].n;

  async function expectAnswerOfPrevious(itsKey: string = randomUUID()): Promise<void> {
    const answer = (await client.post('/v1/payments', { ...charge(), amount: 700 })).text;
    const key = await recordOfPrevious({ answer }, itsKey);
    const before = await payments();
    const replay = await client.post('/v1/payments', charge(), keyed(key));
    expect([replay.status, replay.text]).toEqual([200, answer]);
    const other = await client.post('/v1/payments', { ...charge(), amount: 200 }, keyed(key));
    expect(other.json.error.code).toBe('idempotency_key_reused');
    expect(await payments()).toBe(before);
  }

  /** The attempt of the previous version has ended: its payment is the answer, however many ask for it concurrently. */
  async function expectResumedOfPrevious(): Promise<void> {
    const paid = (await client.post('/v1/payments', charge())).json.id;
    const attempt = await server.sql.query('select id from attempts where tenant = $1 and payment = $2', [
      tenant,
      paid,
    ]);
    const key = await recordOfPrevious({ resumeBy: attempt.rows[0].id });
    const before = await payments();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post('/v1/payments', charge(), keyed(key))),
    );
    expect(answers.map(({ json }) => json.id)).toEqual(Array(5).fill(paid));
    expect(await payments()).toBe(before);
  }

  let firstDay: { key: string; text: string };

  describe('on the first day, when servers of that version may still run', () => {
    test('a record is written as they read it', async () => {
      const key = randomUUID();
      const first = await client.post('/v1/payments', charge(), keyed(key));
      firstDay = { key, text: first.text };
      const { rows } = await server.sql.query('select fingerprint from idempotency where tenant = $1 and key = $2', [
        tenant,
        key,
      ]);
      expect(rows).toEqual([{ fingerprint: fingerprintOf(charge()) }]);
      const again = await client.post('/v1/payments', charge(), keyed(key));
      expect(again.text).toBe(first.text);
    });

    test('a key that they refuse is hashed', async () => {
      const first = await client.post('/v1/customers', {}, keyed('4000056655665556'));
      expect(await storedKey(first.headers['request-id'])).toMatch(/^[\w-]{43}$/);
    });

    test('a key that they did not refuse is found, although it contains a card number', () =>
      expectAnswerOfPrevious('4242424242424242-2000-7'));

    test('their answers are found', () => expectAnswerOfPrevious());
    test('their unfinished requests are resumed', expectResumedOfPrevious);
  });

  describe('on the second day, when they do not', () => {
    beforeAll(() => clock.advance(25 * hourMs));

    test('a record is written with a hashed key, and with a fingerprint of the meaning', async () => {
      const key = randomUUID();
      const first = await client.post('/v1/payments', charge(), keyed(key));
      expect(await storedKey(first.headers['request-id'])).toMatch(/^[\w-]{43}$/);
      const again = await client.post('/v1/payments', { ...charge(), currency: 'eur' }, keyed(key));
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    });

    test('a record of the first day is found', async () => {
      expect((await client.post('/v1/payments', charge(), keyed(firstDay.key))).text).toBe(firstDay.text);
    });

    test('their answers are found', () => expectAnswerOfPrevious());
    test('their unfinished requests are resumed', expectResumedOfPrevious);
  });

  test('later, when all their records have expired, keys in clear are not looked for', async () => {
    clock.advance(25 * hourMs);
    const key = await recordOfPrevious({ answer: '{}' });
    expect((await client.post('/v1/payments', charge(), keyed(key))).json.status).toBe('succeeded');
  });
});
