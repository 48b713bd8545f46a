import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { connect } from '../../base/sql.ts';
import { makeKey } from '../../resources/people/api_keys/api_key.ts';
import type { Answer, Client } from '../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let account: TestAccount;
let client: Client;
let tenant: number;

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  account = await server.account();
  client = account.test;
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
});
afterAll(() => server.stop());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

function expectReplay(answer: Answer, of: Answer): void {
  expect([answer.status, answer.text]).toEqual([of.status, of.text]);
  expect(answer.headers['idempotent-replayed']).toBe('true');
}

/** The same key takes effect now, so nothing was saved before. */
async function expectFree(key: string, by: Client = client): Promise<void> {
  const answer = await by.post('/v1/customers', { name: key }, keyed(key));
  expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
  const { rows } = await server.sql.query('select count(*) from customers where name = $1', [key]);
  expect(rows).toEqual([{ count: 1 }]);
}

describe('an outcome that follows from stored state is saved', () => {
  test('404: the customer that was missing is there now, and the retry still gets the 404', async () => {
    const id = newId('cus', Date.now());
    const [update, deletion] = [randomUUID(), randomUUID()];
    const path = `/v1/customers/${id}`;
    const missing = await client.post(path, { name: 'Ada' }, keyed(update));
    const notDeleted = await client.delete(path, keyed(deletion));
    expect([missing.status, notDeleted.status]).toEqual([404, 404]);
    expect(missing.headers['idempotent-replayed']).toBeUndefined();
    await server.sql.query(`insert into customers (tenant, id, version, metadata) values ($1, $2, 1, '{}')`, [
      tenant,
      id,
    ]);
    expectReplay(await client.post(path, { name: 'Ada' }, keyed(update)), missing);
    expectReplay(await client.delete(path, keyed(deletion)), notDeleted);
    expect((await client.get(path)).json.name).toBeUndefined();
    expect((await client.post(path, { name: 'Ada' }, keyed(randomUUID()))).status).toBe(200);
  });

  test('400: the key would be accepted now, and the retry still gets the 400', async () => {
    const { id } = (await client.post('/v1/customers', { metadata: keys(50) })).json;
    const key = randomUUID();
    const refused = await client.post(`/v1/customers/${id}`, { metadata: { more: 1 } }, keyed(key));
    expect([refused.status, refused.json.error.code]).toEqual([400, 'metadata_too_many_keys']);
    await client.post(`/v1/customers/${id}`, { metadata: { k0: null } });
    const again = await client.post(`/v1/customers/${id}`, { metadata: { more: 1 } }, keyed(key));
    expectReplay(again, refused);
    expect(again.headers.link).toBe(refused.headers.link);
    expect((await client.get(`/v1/customers/${id}`)).json.metadata.more).toBeUndefined();
  });

  test('200 without a change', async () => {
    const { id } = (await client.post('/v1/customers', { name: 'Ada' })).json;
    const key = randomUUID();
    const same = await client.post(`/v1/customers/${id}`, { name: 'Ada' }, keyed(key));
    await client.post(`/v1/customers/${id}`, { name: 'Eve' });
    expectReplay(await client.post(`/v1/customers/${id}`, { name: 'Ada' }, keyed(key)), same);
    expect((await client.get(`/v1/customers/${id}`)).json.name).toBe('Eve');
  });
});

describe('a request that did not begin to execute leaves its key free', () => {
  const json = { 'Content-Type': 'application/json' };
  const cases: [string, number, string, (key: string) => Promise<Answer>][] = [
    ['broken JSON', 400, 'body_invalid', (key) => client.post('/v1/customers', '{"name":', { ...keyed(key), ...json })],
    [
      'another content type',
      400,
      'content_type_unsupported',
      (key) => client.post('/v1/customers', 'x', { ...keyed(key), 'Content-Type': 'text/xml' }),
    ],
    [
      'a body too large',
      400,
      'body_too_large',
      (key) => client.post('/v1/customers', { name: 'n'.repeat(300_000) }, keyed(key)),
    ],
    [
      'a value that is invalid',
      400,
      'parameter_invalid',
      (key) => client.post('/v1/customers', { email: 'no' }, keyed(key)),
    ],
    [
      'an unknown parameter',
      400,
      'parameter_unknown',
      (key) => client.post('/v1/customers', { nmae: key }, keyed(key)),
    ],
    [
      'a metadata value too long',
      400,
      'metadata_value_too_long',
      (key) => client.post('/v1/customers', { metadata: { a: 'v'.repeat(501) } }, keyed(key)),
    ],
    [
      'too many metadata keys for a new customer',
      400,
      'metadata_too_many_keys',
      (key) => client.post('/v1/customers', { metadata: keys(51) }, keyed(key)),
    ],
    ['an unknown path', 404, 'url_unrecognized', (key) => client.post('/v1/nothing', { name: key }, keyed(key))],
    ['a retired version', 400, 'version_retired', (key) => client.post('/v0/customers', { name: key }, keyed(key))],
    ['no API key', 401, 'api_key_missing', (key) => server.anonymous.post('/v1/customers', { name: key }, keyed(key))],
    [
      'an unknown API key',
      401,
      'api_key_invalid',
      (key) => server.client(makeKey('secret', 'test').open()).post('/v1/customers', { name: key }, keyed(key)),
    ],
    [
      'a wrong signature',
      401,
      'signature_invalid',
      (key) =>
        client.post(
          '/v1/customers',
          { name: key },
          { ...keyed(key), 'X-Service-Signature': `sha256=${'0'.repeat(64)}` },
        ),
    ],
    [
      'an API key without the scope',
      403,
      'scope_missing',
      async (key) =>
        (await server.key(account.id, { scopes: ['customers:read'] })).client.post(
          '/v1/customers',
          { name: key },
          keyed(key),
        ),
    ],
    [
      'an API key that may not be used from here',
      403,
      'ip_not_allowed',
      async (key) =>
        (await server.key(account.id, { allowedIps: ['192.0.2.1'] })).client.post(
          '/v1/customers',
          { name: key },
          keyed(key),
        ),
    ],
  ];
  test.each(cases)('%s: %d %s', async (_, status, code, request) => {
    const key = randomUUID();
    const refused = await request(key);
    expect([refused.status, refused.json.error.code]).toEqual([status, code]);
    await expectFree(key);
  });

  test('too many requests: 429 rate_limited', async () => {
    const slow = await server.account({ rateLimit: 5 });
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      slow.id,
    ]);
    // A used-up window that does not end during this test.
    await server.sql.query(`insert into rate_windows values ($1, '', now() + interval '1 hour', 5)`, [rows[0].tenant]);
    const key = randomUUID();
    const refused = await slow.test.post('/v1/customers', { name: key }, keyed(key));
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    await server.sql.query('delete from rate_windows where tenant = $1', [rows[0].tenant]);
    // This server remembers the used-up window; another server asks the database.
    const other = await startServer({ databaseUrl: server.databaseUrl });
    onTestFinished(() => other.stop());
    await expectFree(key, other.client(slow.testKey));
  });
});

describe('a fault on our side', () => {
  test('without an effect leaves the key free: the retry does the work, once', async () => {
    const holder = await connect({ connectionString: server.databaseUrl }, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table customers in share mode');
    const key = randomUUID();
    const stuck = client.post('/v1/customers', { name: key }, keyed(key));
    await expect
      .poll(async () => {
        const { rows } = await server.sql.query(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
            where datname = current_database() and application_name = 'tollgate commit' and wait_event_type = 'Lock'`,
        );
        return rows;
      })
      .toEqual([{ ended: true }]);
    const failed = await stuck;
    expect([failed.status, failed.json.error.code, failed.headers['retry-after']]).toEqual([500, 'unavailable', '1']);
    await holder.query('rollback');
    await expectFree(key);
  });
});
