import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CuttingProxy } from '../base/commit/cutting_proxy.fixture.ts';
import type { DatabaseAddress } from '../base/sql.ts';
import type { Answer } from './client.ts';
import { eventually } from './eventually.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from './harness.ts';

/** A gateway whose database is behind a proxy. It waits for the database a second where production waits 20. */
const patience = { connectMs: 500, statementMs: 1_000, commitMs: 800 };
const stopLimits = { abandonAfterMs: 1_000, endAfterMs: 5_000 };
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: CuttingProxy;
let server: TestServer;
let account: TestAccount;

async function start(): Promise<TestServer> {
  return startServer({ databaseUrl: urlOf(proxy.through(database.address)), patience, stopLimits });
}

function urlOf(address: DatabaseAddress): string {
  const { user, password, port, database: name } = address as Extract<DatabaseAddress, { host: string }>;
  return `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
}

beforeAll(async () => {
  database = await createDatabase();
  proxy = new CuttingProxy(database.address);
  await proxy.listen();
  server = await start();
  account = await server.account();
});
beforeEach(() => {
  server.logged.length = 0;
});
afterEach(async () => {
  proxy.comeBack();
  await eventually(async () => expect(await serves()).toBe(true));
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await database.drop();
});

const create = () => account.test.post('/v1/customers', { name: 'Ada' });

/** Every kind of connection is used: rate limits, reads, commits, saved answers, readiness. */
async function serves(): Promise<boolean> {
  const key = { 'Idempotency-Key': `key ${Math.random()}` };
  const made = await account.test.post('/v1/customers', { name: 'Ada' }, key);
  const again = await account.test.post('/v1/customers', { name: 'Ada' }, key);
  const answers = [made, again, await account.test.get('/v1/customers'), await server.anonymous.get('/readyz')];
  return answers.every(({ status }) => status === 200);
}

function expectUnavailable({ status, headers, json }: Answer): void {
  expect([status, json.error?.code, headers['retry-after']]).toEqual([500, 'unavailable', '1']);
}

describe('a database that sends nothing any more', () => {
  test('is given up: requests are answered with 500 unavailable, and served again when it is back', async () => {
    expect(await serves()).toBe(true);
    proxy.goSilent();
    const answers = await Promise.all([create(), create(), account.test.get('/v1/customers')]);
    for (const answer of answers) expectUnavailable(answer);
    proxy.comeBack();
    await eventually(async () => expect(await serves()).toBe(true));
  });

  test('does not keep the server from stopping', { timeout: 60_000 }, async () => {
    const doomed = await start();
    const client = doomed.client(account.testKey);
    expect((await client.get('/v1/customers')).status).toBe(200);
    proxy.goSilent();
    const stuck = Array.from({ length: 8 }, () => client.post('/v1/customers', { name: 'Ada' }).catch(() => undefined));
    await doomed.stop();
    await Promise.all(stuck);
  });
});
