import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CuttingProxy } from '../../base/commit/cutting_proxy.fixture.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: CuttingProxy;
let server: Running;
let key: string;

// Only under torture: a server waits 22 s for what is in flight, and server/test/outage.test.ts shows the same with shorter limits.
beforeAll(async () => {
  if (!isTorture) return;
  database = await createDatabase();
  proxy = new CuttingProxy(database.address);
  await proxy.listen();
  const { port, user, password, database: name } = proxy.through(database.address) as unknown as Record<string, string>;
  const environment = children.serveEnvironment({
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${port}/${name}`,
  });
  server = await children.serve(environment);
  key = (await children.account(environment)).test_secret_key;
});
afterAll(async () => {
  await children.cleanUp();
  await proxy?.close();
  await database?.drop();
});

test.runIf(isTorture)('a process whose database is silent ends within 25 s of SIGTERM, as on every stop', async () => {
  const { child } = server;
  const client = server.client(key);
  expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
  proxy.goSilent();
  const stuck = Array.from({ length: 8 }, () => client.post('/v1/customers', { name: 'Ada' }).catch(() => undefined));
  await until('the requests are under way', patienceMs, () => proxy.open > 0);
  const asked = performance.now();
  expect(await child.stop('SIGTERM', 60_000)).toEqual({ code: 0, signal: null });
  const took = performance.now() - asked;
  console.log(`measured: ended ${Math.round(took)} ms after SIGTERM`);
  expect(took).toBeLessThan(26_000); // 25 s, and the time to start looking
  const answers = await Promise.all(stuck);
  expect(answers.filter((answer) => answer?.status === 200)).toEqual([]);
  expect(existsSync(`/proc/${child.pid}`)).toBe(false);
  await until('its connections are closed', patienceMs, () => proxy.open === 0);
});
