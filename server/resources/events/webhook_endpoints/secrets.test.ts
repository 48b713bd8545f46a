import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { openPool, type Pool } from '../../../base/sql.ts';
import { masterKeys } from '../../../database.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import { rotateVault, Vault } from '../../../vault/index.ts';
import { expectRefused, makeEndpoint, newUrl, path, startWebhookServer } from './endpoints.fixture.ts';
import { webhookEndpointsTable } from './store.ts';
import { secretIds } from './webhook_endpoint.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;
let tenant: Tenant;
let pool: Pool;
let vault: Vault;
let reads: Reads;

beforeAll(async () => {
  server = await startWebhookServer({ onePostgres: true });
  second = await startWebhookServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
  const address = { connectionString: server.databaseUrl };
  pool = openPool(address, { use: 'durable', connectionsMax: 2, onError: () => {} });
  reads = new Reads(pool);
  const masters = await masterKeys(server.sql, server.config);
  vault = new Vault({ masters, keyring: server.gateway.keyring, durable: onePool(pool), clock: systemClock });
});
afterAll(async () => {
  await pool.end();
  await second.stop();
  await server.stop();
});

const make = async () =>
  (await account.test.post(path, { url: newUrl(), enabled_events: ['payment.*'] })).json as {
    id: `we_${string}`;
    secret: string;
  };
const rotate = (id: string, body: object = {}) => account.test.post(`${path}/${id}/rotate_secret`, body);
const stored = async (id: string): Promise<string[]> =>
  (await server.sql.query(`select id from vault_secrets where id like $1 || '/%' order by id`, [id])).rows.map((row) =>
    row.id.slice(id.length + 1),
  );

/** What deliveries are signed with at a moment. */
async function inUse(id: `we_${string}`, now = Date.now()): Promise<(string | undefined)[]> {
  const endpoint = (await reads.one(webhookEndpointsTable, tenant, id))!;
  const [current, previous] = secretIds(endpoint, now);
  const open = async (at: string | undefined) => at && (await vault.openSecret(reads, tenant, at))?.open();
  return [await open(current), await open(previous)];
}

describe('the secret of an endpoint', () => {
  test('is in the vault as it was shown', async () => {
    const { id, secret } = await make();
    expect(await inUse(id)).toEqual([secret, undefined]);
    expect((await make()).secret).not.toBe(secret);
  });

  test('is replaced, and the old one is used beside it for a day', async () => {
    const { id, secret: first } = await make();
    const before = (await account.test.get(`${path}/${id}`)).json;
    const answer = await rotate(id);
    expect(answer.status).toBe(200);
    const { secret, ...rest } = answer.json;
    expect(rest).toEqual(before);
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/);
    expect(await inUse(id)).toEqual([secret, first]);
    const day = 24 * 3_600_000;
    expect(await inUse(id, Date.now() + day - 60_000)).toEqual([secret, first]);
    expect(await inUse(id, Date.now() + day)).toEqual([secret, undefined]);
  });

  const overlaps: [number | undefined, number][] = [
    [1, 1],
    [168, 168],
    [undefined, 24],
  ];
  test.each(overlaps)('with an overlap of %s hours has two for %s', async (overlap_hours, hours) => {
    const { id } = await make();
    const now = Date.now();
    await rotate(id, { overlap_hours });
    const { previous_until } = (await reads.one(webhookEndpointsTable, tenant, id))!;
    expect(Math.abs(previous_until!.getTime() - now - hours * 3_600_000)).toBeLessThan(10_000);
  });

  test('without an overlap is the only one immediately, and the old one is destroyed', async () => {
    const { id } = await make();
    const { secret } = (await account.test.form(`${path}/${id}/rotate_secret`, 'overlap_hours=0')).json;
    expect(await inUse(id)).toEqual([secret, undefined]);
    expect(await stored(id)).toEqual(['2']);
  });

  test('replaced again and again has the one before it, and nothing older', async () => {
    const { id } = await make();
    const second = (await rotate(id)).json.secret;
    const third = (await rotate(id)).json.secret;
    expect(await inUse(id)).toEqual([third, second]);
    expect(await stored(id)).toEqual(['2', '3']);
    await rotate(id, { overlap_hours: 0 });
    expect(await stored(id)).toEqual(['4']);
    await rotate(id);
    expect(await stored(id)).toEqual(['4', '5']);
  });

  test.each([-1, 169, 1.5, '24', true])('is not replaced with an overlap of %s', async (overlap_hours) => {
    const { id } = await make();
    expectRefused(await rotate(id, { overlap_hours }), 'parameter_invalid', 'overlap_hours');
    expect(await stored(id)).toEqual(['1']);
  });

  test('replaced on two servers concurrently ends with the last two', async () => {
    const { id } = await make();
    const other = second.client(account.testKey);
    const at = `${path}/${id}/rotate_secret`;
    const answers = await Promise.all([account.test.post(at), other.post(at), account.test.post(at)]);
    for (const { status } of answers) expect([200, 429]).toContain(status);
    const secrets = answers.filter(({ status }) => status === 200).map(({ json }) => json.secret);
    const now = await inUse(id);
    expect(secrets).toContain(now[0]);
    expect(await stored(id)).toHaveLength(2);
  });

  test('is destroyed with the endpoint, and so is the previous one', async () => {
    const { id } = await make();
    await rotate(id);
    expect(await stored(id)).toEqual(['1', '2']);
    await account.test.delete(`${path}/${id}`);
    expect(await stored(id)).toEqual([]);
  });
});

describe('under an idempotency key', () => {
  test('the answer with the secret comes again, from any server, and nothing is made twice', async () => {
    const headers = { 'Idempotency-Key': `make-${newUrl()}` };
    const body = { url: newUrl(), enabled_events: ['*'] };
    const first = await account.test.post(path, body, headers);
    const again = await second.client(account.testKey).post(path, body, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const { id } = first.json;
    const turn = { 'Idempotency-Key': `turn-${id}` };
    const turned = await account.test.post(`${path}/${id}/rotate_secret`, {}, turn);
    expect((await account.test.post(`${path}/${id}/rotate_secret`, {}, turn)).text).toBe(turned.text);
    expect(await stored(id)).toEqual(['1', '2']);
  });
});

test('no secret appears in clear in any table, log line, event or other answer', async () => {
  const keyed = { 'Idempotency-Key': `secrecy-${newUrl()}` };
  const made = await account.test.post(path, { url: newUrl(), enabled_events: ['*'] }, keyed);
  const { id } = made.json;
  const turned = await account.test.post(`${path}/${id}/rotate_secret`, {}, { 'Idempotency-Key': `secrecy-${id}` });
  const secrets: string[] = [made.json.secret, turned.json.secret];
  await account.test.post(path, { url: newUrl(), enabled_events: ['*'], secret: secrets[0] });
  const answers = [
    await account.test.post(`${path}/${id}/test`),
    await account.test.get(`${path}/${id}`),
    await account.test.get(path),
    await account.test.get(`${path}/${id}/deliveries`),
    await account.test.get('/v1/events?limit=100'),
    await account.test.post(`${path}/${id}`, { description: 'x' }),
    await account.test.delete(`${path}/${await makeEndpoint(account.test)}`),
  ];
  await server.settled();
  await expect
    .poll(async () => (await server.sql.query('select 1 from requests where object_id = $1', [id])).rows.length)
    .toBeGreaterThan(3);
  const texts = [...answers.map(({ text }) => text), ...server.logged, ...second.logged];
  const { rows: tables } = await server.sql.query(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  for (const { name } of tables) {
    const { rows } = await server.sql.query(`select t::text as printed, t.* from ${name} t`);
    for (const row of rows)
      for (const value of Object.values(row))
        texts.push(`${name} ${Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)}`);
  }
  expect(texts.length).toBeGreaterThan(100);
  for (const secret of secrets)
    for (const part of [secret.slice(6), Buffer.from(secret.slice(6)).toString('hex')])
      expect(texts.filter((text) => text.includes(part)).map((text) => text.slice(0, 60))).toEqual([]);
});

// The last one: without the usual minute of grace, the servers go on sealing with a key that is gone, and are refused.
test('a secret is the same after the keys of the vault were rotated', async () => {
  const { id, secret } = await make();
  const masters = await masterKeys(server.sql, server.config);
  const done = await rotateVault({ at: oneConnection(server.sql), masters, pause: async () => {}, graceMs: 0 });
  expect(done).toMatchObject({ unfinished: 0, unreadable: [] });
  expect(done.secrets).toBeGreaterThan(0);
  expect(await inUse(id)).toEqual([secret, undefined]);
});
