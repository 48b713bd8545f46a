import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CuttingProxy } from '../../base/commit/cutting_proxy.fixture.ts';
import { Unavailable } from '../../base/errors.ts';
import { onePool } from '../../base/places/sql_at.ts';
import { openPool } from '../../base/sql.ts';
import { Idempotency, type KeyUse } from '../../http/running/idempotency.ts';
import type { Client } from '../client.ts';
import { startServer } from '../harness.ts';
import { numbers } from '../numbers.ts';
import { type Cluster, Clusters } from '../postgres_cluster.ts';
import { isTorture, seed, shareOf } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';
import { atSomeMoment, expectReplays, Load, verify, wanting } from './customer_load.ts';
import { expectBooks, expectShop, keyringOf, openShop, type Shop } from './shop.ts';

vi.setConfig({ testTimeout: testMs });

const failovers = shareOf(20, 1);
const servingAgainMs = 30_000;
const webhooks = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };

const clusters = new Clusters();
const children = new Children();
const random = numbers(seed);
console.log(`failover tests with TEST_SEED=${seed}`);

/** The address that the server has, which is moved to the promoted standby. */
let proxy: CuttingProxy;
let primary: Cluster;
let standby: Cluster;
let server: Running;
let key: string;
let client: Client;
let shop: Shop;
/** Lets a paused standby go on. */
let resume = () => {};

beforeAll(async () => {
  primary = await clusters.make();
  standby = await clusters.addStandby(primary);
  proxy = new CuttingProxy(primary.address());
  await proxy.listen();
  const { host, port } = proxy.through(primary.address()) as { host: string; port: number };
  const DATABASE_URL = `postgres://tollgate@${host}:${port}/tollgate`;
  const environment = children.serveEnvironment({ DATABASE_URL, ...webhooks });
  server = await children.serve(environment);
  key = (await children.account(environment)).test_secret_key;
  client = server.client(key);
  shop = await openShop(client);
}, testMs);
afterEach(() => {
  resume();
  resume = () => {};
});
afterAll(async () => {
  await children.cleanUp();
  await proxy?.close();
  await clusters.cleanUp();
});

test.each(['pg_cancel_backend', 'pg_terminate_backend'])(
  'a replay whose wait for the standby is ended by %s is not answered',
  async (how) => {
    const made = await wanting(client, how);
    expect(made.status).toBe(200);
    const sql = await primary.connect();
    const pool = openPool(primary.address(), { use: 'durable', connectionsMax: 1, onError: () => {} });
    const keyring = await keyringOf(sql);
    const idempotency = new Idempotency(onePool(pool), keyring);
    const text = `select * from idempotency where request_id = $1`;
    const { rows } = await sql.query<KeyUse>(text, [made.headers['request-id']]);
    resume = await standby.pauseReceiving();
    const unanswered = expect(idempotency.replay(rows[0]!)).rejects.toThrow(Unavailable);
    await until('the replay waits', patienceMs, async () => {
      const waiting = `wait_event = 'SyncRep' and query like 'with used as%'`;
      return (await sql.query(`select ${how}(pid) from pg_stat_activity where ${waiting}`)).rows.length > 0;
    });
    await unanswered;
    resume();
    expect(await idempotency.replay(rows[0]!)).toMatchObject({ status: 200 });
    await pool.end();
    await sql.end();
  },
);

test.runIf(isTorture)(
  'a base backup of a database under load is complete: nothing is missing, and it needs no migration',
  async () => {
    const load = new Load('backup', random, () => client);
    let backup: Cluster;
    let before: number;
    try {
      await atSomeMoment(load, random);
      before = load.intents.filter(({ answer }) => answer !== undefined).length;
      backup = await clusters.backUp(primary);
    } finally {
      await load.end();
    }
    await backup.start({ synchronous_standby_names: '' }); // the copy has the primary's settings, and no standby
    const restored = await startServer({ databaseUrl: backup.url(), environment: webhooks });
    try {
      const { rows } = await restored.sql.query(`select count(*)::int from customers where name like 'backup-%'`);
      expect(rows[0].count).toBeGreaterThanOrEqual(before);
      await expectShop(restored.client(key), shop);
      await expectBooks(restored.sql);
    } finally {
      await restored.stop();
      await backup.end('SIGINT');
    }
  },
);

test('when the primary is lost, the promoted standby has every acknowledged write, and the server uses it', async () => {
  const load = new Load('failover', random, () => client);
  const measured: number[] = [];
  try {
    for (let failover = 0; failover < failovers; failover += 1) {
      if (failover > 0) standby = await clusters.addStandby(primary);
      await atSomeMoment(load, random);
      const killedAt = performance.now();
      await primary.end('SIGKILL');
      await standby.promote();
      proxy.moveTo(standby.address());
      primary = standby;
      const promotedAt = performance.now();
      await until('an answer after the failover', patienceMs, () => load.lastBegan > promotedAt);
      measured.push(Math.round(performance.now() - killedAt));
    }
  } finally {
    await load.end();
  }
  console.log(`measured: serving again ${measured.join(', ')} ms after the loss; ${JSON.stringify(load.counts)}`);
  expect(Math.max(...measured)).toBeLessThan(servingAgainMs);
  expect(server.child.ending).toBeUndefined();
  const sql = children.keep(await primary.connect());
  await verify(load, sql, 'failover', failovers * 50);
  await expectReplays(load, client, random);
  await expectShop(client, shop);
  await expectBooks(sql);
});
