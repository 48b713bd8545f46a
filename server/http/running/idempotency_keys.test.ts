import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../test/client.ts';
import { eventually } from '../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';

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
