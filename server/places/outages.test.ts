import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { placeSchema } from '../citus/shards.ts';
import { tenantOf } from '../operations/tenants.ts';
import { answer, startReceiver } from '../outbox/receiver.fixture.ts';
import type { Answer } from '../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { unusedPort } from '../test/unused_port.ts';

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };

describe.skipIf(withoutCitus)(`servers of a cluster that are down (${needsCitus})`, () => {
  let world: DistributedWorld;
  let server: TestServer;
  let metricsPort: number;
  const shops: { account: TestAccount; method: string; worker: number }[] = [];
  beforeAll(async () => {
    world = await DistributedWorld.start();
    metricsPort = await unusedPort();
    const environment = {
      ...{ SIMULATOR: 'local', METRICS_PORT: String(metricsPort), WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' },
    };
    server = await startServer({ databaseUrl: world.address.connectionString, environment });
    const seen = () => new Set(shops.map(({ worker }) => worker));
    while (seen().size < 2) {
      const account = await server.account();
      const made = await account.test.post('/v1/payment_methods', { type: 'card', card });
      shops.push({ account, method: made.json.id, worker: await workerOf(account) });
    }
  });
  afterAll(async () => {
    await server?.stop();
    await world?.stop();
  });

  async function workerOf({ id }: TestAccount): Promise<number> {
    const { port } = await world.nodeOf(await world.rangeOf(await tenantOf(world.sql, id, 'test')));
    return world.cluster.nodes.findIndex((node) => node.port === port);
  }
  const placeNames = async () =>
    ['directory', ...(await world.topology()).ranges.map(({ shard }) => placeSchema(shard))].toSorted();
  const shopAt = (worker: number) => shops.find((shop) => shop.worker === worker)!;
  const pay = ({ account, method }: (typeof shops)[0]): Promise<Answer> =>
    account.test.post('/v1/payments', { amount: 1_000, currency: 'eur', payment_method: method });
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const valuesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value!);
  const placesUp = async () => valuesOf(await metrics(), /^tollgate_place_up\{place="\w+"\} (\d)$/gm);
  const status = async (answer: Promise<Answer>) => (await answer).status;
  /** Longer than anything that the directory said is used while it answers. */
  const soon = () => new Promise((resolve) => setTimeout(resolve, 1_200));

  test('and those that are up show how large they are, with the tables that each of them has', async () => {
    const text = await metrics();
    expect(valuesOf(text, /^tollgate_database_bytes\{place="(\w+)"\} \d+$/gm).toSorted()).toEqual(await placeNames());
    const ofTable = (name: string) =>
      valuesOf(
        text,
        new RegExp(`^tollgate_table_bytes\\{place="(\\w+)",table="${name}"\\} [1-9]\\d+$`, 'gm'),
      ).toSorted();
    const tenantPlaces = (await placeNames()).filter((name) => name !== 'directory');
    for (const name of ['payments', 'requests', 'ledger_sealer']) expect(ofTable(name), name).toEqual(tenantPlaces);
    expect(ofTable('accounts')).toEqual(['directory']);
    expect(ofTable('audit')).toEqual(await placeNames());
  });

  test('a worker takes down its tenants, and nobody else', async () => {
    const [first, second] = [shopAt(1), shopAt(2)];
    await world.cluster.endNode(world.cluster.nodes[1]!, 'SIGKILL');
    const refused = await pay(first);
    expect([refused.status, refused.json.error.code]).toEqual([500, 'unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await status(pay(second))).toBe(200);
    const ready = await server.anonymous.get('/readyz');
    expect([ready.status, Object.keys(ready.json.unavailable_places).length]).toEqual([200, 2]);
    expect((await placesUp()).toSorted()).toEqual(['0', '0', '1', '1', '1']); // with the directory
    const { client } = await server.key(second.account.id, {});
    expect(await status(client.get('/v1/payments'))).toBe(200);
    await world.cluster.startNode(world.cluster.nodes[1]!);
    await expect.poll(() => status(pay(first))).toBe(200);
  });

  test('a worker that is down keeps a server from starting for nobody but its tenants', async () => {
    const [first, second] = [shopAt(1), shopAt(2)];
    await world.cluster.endNode(world.cluster.nodes[1]!, 'SIGKILL');
    const other = await startServer({
      databaseUrl: world.address.connectionString,
      environment: { SIMULATOR: 'local' },
    });
    onTestFinished(() => other.stop());
    const payThere = ({ account, method }: (typeof shops)[0]) =>
      other.client(account.testKey).post('/v1/payments', { amount: 1_000, currency: 'eur', payment_method: method });
    expect(await status(payThere(second))).toBe(200);
    const refused = await payThere(first);
    expect([refused.status, refused.json.error.code]).toEqual([500, 'unavailable']);
    expect((await other.anonymous.get('/readyz')).status).toBe(200);
    await world.cluster.startNode(world.cluster.nodes[1]!);
    await expect.poll(() => status(payThere(first))).toBe(200);
  });

  test('a worker that nobody has prepared is prepared by the first server that comes there', async () => {
    const shop = shopAt(1);
    const home = async () => world.rangeOf(await tenantOf(world.sql, shop.account.id, 'test'));
    const { group } = await home();
    for (const range of (await world.topology()).ranges) if (range.group === group) await world.move(range);
    const bare = await world.cluster.connect(1, new URL(world.address.connectionString).pathname.slice(1));
    await bare.query('set citus.enable_ddl_propagation = off; drop schema local cascade');
    await bare.end();
    expect(await status(pay(shop))).toBe(200);
    await world.move(await home());
    expect(await workerOf(shop.account)).toBe(1);
    expect(await status(pay(shop))).toBe(200);
  });

  test('a place whose shard is locked for long refuses writes, and no connection waits for it any more', async () => {
    const [locked, other] = [shopAt(1), shopAt(2)];
    const range = await world.rangeOf(await tenantOf(world.sql, locked.account.id, 'test'));
    const owner = await world.owner(range);
    await owner.query('begin');
    await owner.query('select pg_catalog.lock_shard_metadata(7, array[$1::int8])', [range.shard]); // as Citus does
    const refused = await Promise.all(Array.from({ length: 20 }, () => pay(locked)));
    for (const { status: code, json } of refused) expect([code, json.error.code]).toEqual([500, 'unavailable']);
    expect(await status(pay(other))).toBe(200);
    const waiting = `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and clock_timestamp() - query_start > interval '8 seconds'`;
    expect((await owner.query(waiting)).rows).toEqual([]);
    await owner.query('rollback');
    await expect.poll(() => status(pay(locked))).toBe(200);
  });

  test('the directory keeps nobody from paying who was seen by this instance, nor from hearing of it', async () => {
    const receiver = await startReceiver(answer('200 OK', 'thanks'));
    for (const shop of shops) {
      const { test: client } = shop.account;
      const spare = { connector: 'simulator', name: 'Spare' };
      expect(await status(client.post('/v1/processor_accounts', spare))).toBe(200);
      const endpoint = { url: `http://127.0.0.1:${receiver.port}/`, enabled_events: ['payment.succeeded'] };
      expect(await status(client.post('/v1/webhook_endpoints', endpoint))).toBe(200);
      expect((await pay(shop)).json).toMatchObject({ status: 'succeeded', processor: { connector: 'simulator' } });
    }
    const heard = () => receiver.received().match(/POST \/ HTTP/g)?.length;
    await expect.poll(heard).toBe(shops.length);
    const unseen = await server.account();
    await world.cluster.endNode(world.cluster.nodes[0]!, 'SIGKILL');
    for (let round = 0; round < 3; round++) {
      await soon();
      for (const worker of [1, 2]) expect(await status(pay(shopAt(worker)))).toBe(200);
      await expect.poll(heard).toBe(shops.length + 2 * (round + 1));
    }
    const refused = await pay({ ...shopAt(1), account: unseen });
    expect([refused.status, refused.json.error.code]).toEqual([500, 'unavailable']);
    expect(await status(server.anonymous.get('/readyz'))).toBe(500);
    await world.cluster.startNode(world.cluster.nodes[0]!);
    await expect.poll(() => status(unseen.test.get('/v1/payments'))).toBe(200);
    await expect.poll(() => status(server.anonymous.get('/readyz'))).toBe(200);
  });
});
