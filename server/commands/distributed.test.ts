import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { Mode } from '../base/reads.ts';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { placeSchema } from '../citus/shards.ts';
import { requireConnections } from '../cluster/needed_connections.ts';
import { tenantOf } from '../operations/tenants.ts';
import { cardOf } from '../resources/payments/payments/payments.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { newestForMs } from '../vault/data_keys.ts';
import { rotateVault } from '../vault/index.ts';
import { connectCommands, say } from './cli.fixture.ts';
import { withConnection } from './context.ts';
import { followDatabase } from './listen/database.ts';
import type { EventSink } from './listen/options.ts';

const dayMs = 86_400_000;

describe.skipIf(withoutCitus)(`commands on a distributed database (${needsCitus})`, () => {
  let world: DistributedWorld;
  let server: TestServer;
  /** Both of its modes are on the first worker, and test mode of the other is on the second. */
  let here: TestAccount;
  let there: TestAccount;
  let hurry = 0;

  beforeAll(async () => {
    world = await DistributedWorld.start();
    const { now, monotonic } = systemClock;
    const clock = { now, monotonic: () => monotonic() + hurry, ahead: () => 0 };
    server = await startServer({ databaseUrl: world.address.connectionString, clock });
    for (let tries = 0; here === undefined || there === undefined; tries++) {
      expect(tries).toBeLessThan(50);
      const account = await server.account();
      const [test, live] = await Promise.all([portOf(account), portOf(account, 'live')]);
      if (test === port(1) && live === port(1)) here ??= account;
      else if (test === port(2)) there ??= account;
    }
    connectCommands(server, here);
    const certificates = inject('certificateDir');
    vi.stubEnv('TLS_CERT_FILE', join(certificates, 'server.pem'));
    vi.stubEnv('TLS_KEY_FILE', join(certificates, 'server-key.pem'));
    vi.stubEnv('PUBLIC_URL', 'https://localhost');
    vi.stubEnv('HOST', '127.0.0.1');
  }, 180_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
    await world?.stop();
  });

  const port = (node: number) => world.cluster.nodes[node]!.port;

  const testTenantOf = ({ id }: TestAccount) => tenantOf(world.sql, id, 'test');

  async function portOf({ id }: TestAccount, mode: Mode = 'test'): Promise<number> {
    const range = await world.rangeOf(await tenantOf(world.sql, id, mode));
    return (await world.nodeOf(range)).port;
  }

  async function pay(account: TestAccount): Promise<string> {
    const method = await account.test.post('/v1/payment_methods', cardOf('4242424242424242'));
    const wish = { amount: 2_000, currency: 'usd', payment_method: method.json.id };
    const paid = await account.test.post('/v1/payments', wish);
    expect(paid.json).toMatchObject({ status: 'succeeded' });
    return paid.json.id;
  }

  /** A statement where the account is. */
  async function change(account: TestAccount, text: string, ...values: unknown[]): Promise<void> {
    const tenant = await testTenantOf(account);
    const place = await world.place(await world.rangeOf(tenant));
    expect((await place.query(text, [tenant, ...values])).rowCount).toBeGreaterThan(0);
  }

  /** What a command prints as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print all kinds of things
  async function json(...args: string[]): Promise<any> {
    const { stdout, stderr } = await say(...args, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  test('make accounts, keys and invitations, which work at once', async () => {
    const made = await json('accounts', 'create', '--name', 'Shop');
    expect((await server.client(made.test_secret_key).get('/v1/payments')).status).toBe(200);
    const key = await json('keys', 'create', '--account', there.id, '--name', 'Backend');
    expect((await server.client(key.key).get('/v1/payments')).status).toBe(200);
    expect((await json('keys', 'list', '--account', there.id)).map(({ name }: { name: string }) => name)).toContain(
      'Backend',
    );
    await json('users', 'create', '--account', there.id, '--email', 'ada@example.com', '--role', 'owner', '--link');
    const ids = (await json('accounts', 'list')).map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([here.id, there.id, made.id]));
    expect((await say('status')).stdout).toContain('Migrations  up to date');
  });

  test('list what people have to see to at all places, longest first', async () => {
    const payments: string[] = [];
    for (const [days, account] of [here, there, here].entries()) {
      const id = await pay(account);
      const since = new Date(Date.now() - (10 - days) * dayMs);
      await change(account, 'update payments set flagged_at = $3 where tenant = $1 and id = $2', id, since);
      await change(
        account,
        `insert into notices (tenant, id, version, connector, event_id, reported, reason, failures, flagged_at)
         values ($1, $2, 1, 'stripe', $2, '[{"kind":"dispute_closed"}]', 'broken', 9, $3)`,
        `ntc_${days}`,
        since,
      );
      payments.push(id);
    }
    const unsettled = await json('payments', 'unsettled');
    const flagged = unsettled.filter(({ object }: { object: string }) => object === 'payment');
    expect(flagged.map(({ id, account }: { id: string; account: string }) => [id, account])).toEqual([
      [payments[0], here.id],
      [payments[1], there.id],
      [payments[2], here.id],
    ]);
    const notices = await json('notices', 'list');
    expect(notices.map(({ id, account }: { id: string; account: string }) => [id, account])).toEqual([
      ['ntc_0', here.id],
      ['ntc_1', there.id],
      ['ntc_2', here.id],
    ]);
    expect(await json('notices', 'dismiss', 'ntc_1')).toMatchObject({ id: 'ntc_1', account: there.id });
    expect(await json('notices', 'list')).toHaveLength(2);
    // The operation has found the payment where it is: it is settled already.
    expect((await say('payments', 'settle', payments[1]!, '--as', 'failed')).code).toBe(3);
    expect((await say('payments', 'settle', 'py_x', '--as', 'failed')).stderr).toBe('There is no payment py_x.\n');
    expect(await json('status')).toMatchObject({ migrations_pending: [], work: { needs_person: 3 } });
  });

  test('refund where the payment is, once', async () => {
    const payment = await pay(there);
    const refund = ['refunds', 'create', '--account', there.id, '--payment', payment, '--amount', '500'];
    const first = await json(...refund);
    const again = await say(...refund, '--json');
    expect(JSON.parse(again.stdout).id).toBe(first.id);
    expect(again.stderr).toContain('was made by an earlier run');
    await expect
      .poll(async () => (await json('logs', 'tail', '--account', there.id)).map(({ path }: { path: string }) => path))
      .toContain('/v1/payments');
    expect(await json('search', 'status')).toMatchObject({ walks_left: expect.any(Number) });
    expect((await json('search', 'rebuild', '--account', there.id)).walks_left).toBeGreaterThan(0);
  });

  test('verify the ledger of each place, and find what is wrong at one', async () => {
    const verified = await json('ledger', 'verify');
    expect(verified).toMatchObject({ ok: true, differences: [] });
    expect(verified.places).toHaveLength(4);
    const servers = new Set(verified.places.map((place: { server: string }) => place.server));
    expect([...servers].sort()).toEqual([1, 2].map((node) => `127.0.0.1:${port(node)}`).sort());
    const postings = (account: TestAccount) =>
      verified.chains.find(
        (one: { account: string; mode: string }) => one.account === account.id && one.mode === 'test',
      ).postings;
    expect([postings(here), postings(there)]).toEqual([2, 4]);
    const wrong = 'update postings set amount = amount + $2 where tenant = $1';
    await change(there, wrong, 1);
    const { code, stdout } = await say('ledger', 'verify', '--json');
    const broken = JSON.parse(stdout);
    expect([code, broken.ok]).toEqual([1, false]);
    for (const { account } of broken.differences) expect(account).toBe(there.id);
    const range = await world.rangeOf(await testTenantOf(there));
    const place = broken.places.find((one: { place: string }) => one.place === placeSchema(range.shard));
    expect(place.differences).toBe(broken.differences.length);
    await change(there, wrong, -1);
    expect(await json('ledger', 'repair')).toMatchObject({ ok: true, postings: [] });
  });

  test('compare the books of all accounts with a processor, and record what they find', async () => {
    const date = new Date().toISOString().slice(0, 10);
    const compared = await json('reconcile', '--connector', 'simulator', '--date', date, '--record');
    expect(compared).toMatchObject({ ok: true, differences: [], matched: 5 });
    for (const account of [here, there])
      expect((await account.test.get('/v1/reconciliations')).json.data).toMatchObject([{ differences: 0 }]);
  });

  test('rotate the vault at each place, also of those that move meanwhile', async () => {
    const range = await world.rangeOf(await testTenantOf(there));
    const rotation = await withConnection(({ at, masters }) => {
      const pause = async () => void (await world.move(range));
      return rotateVault({ at, masters, pause, graceMs: 60_000 });
    });
    expect(rotation).toMatchObject({ unfinished: 0, unreadable: [], cards: 4, tenants: 2, destroyed: 2 });
    hurry += newestForMs; // the pause is longer in which the server may still use what is destroyed then
    await pay(there);
    await world.move(await world.rangeOf(await testTenantOf(there)));
    expect(await portOf(there)).toBe(port(2));
    expect(await json('ledger', 'verify')).toMatchObject({ ok: true });
  }, 60_000);

  test('forward the events of an account, also those of after a move', async () => {
    const paid: Promise<string>[] = [];
    const events: string[] = [];
    const enough = new Error('enough events');
    const sink: EventSink = {
      begin: () => void paid.push(pay(there)),
      async event({ type }) {
        events.push(type);
        if (events.length === 2) throw enough;
        await world.move(await world.rangeOf(await testTenantOf(there)));
        await pay(there);
      },
    };
    const wanted = new Set(['payment.succeeded']);
    const options = { account: there.id, forwardTo: '' };
    await expect(followDatabase(options, { wanted, secret: undefined }, sink)).rejects.toBe(enough);
    await Promise.all(paid);
    expect(events).toEqual(['payment.succeeded', 'payment.succeeded']);
    await world.move(await world.rangeOf(await testTenantOf(there)));
    expect(await portOf(there)).toBe(port(2));
  }, 60_000);

  test('doctor looks at every server', async () => {
    const { checks } = await json('doctor', '--for', 'serve');
    const found = new Map(checks.map(({ name, message }: { name: string; message: string }) => [name, message]));
    expect(found.get('nodes')).toBe('all 3 servers of the cluster answer');
    expect(found.get('moves')).toBe('places can be moved and split while they are used');
    expect(found.get('places')).toBe('accounts are in 4 places on 2 servers');
    expect(found.get('connections')).toBe('every server has enough connections for a process');
    expect(found.get('search_index')).toMatch(/^the search index /);
  });

  test('the processes that serve do not start without connections enough on each server', async () => {
    const starting = (processes: number) => requireConnections(world.sql, world.address, { processes });
    await starting(2);
    await expect(starting(20)).rejects.toThrow(/needs \d+ connections to 127\.0\.0\.1:\d+, which admits \d+\. Raise/);
  });

  test('suspend and resume an account where it is', async () => {
    await json('accounts', 'suspend', there.id);
    expect(await json('accounts', 'wind-down', there.id)).toMatchObject({ account: there.id, applied: false });
    expect(await json('accounts', 'resume', there.id)).toMatchObject({ status: 'active' });
  });

  test('name the server that is down where they need it, and work where they do not', async () => {
    await world.cluster.endNode(world.cluster.nodes[2]!);
    const down = expect.stringMatching(new RegExp(`place_\\d+ on 127\\.0\\.0\\.1:${port(2)} cannot be used`));
    for (const args of [
      ['ledger', 'verify'],
      ['payments', 'unsettled'],
      ['notices', 'list'],
      ['routing', 'show', '--account', there.id],
    ])
      expect(await say(...args)).toMatchObject({ code: 5, stdout: '', stderr: down });
    expect((await json('status')).actions).toContainEqual(down);
    const { stdout } = await say('doctor', '--for', 'serve');
    expect(stdout).toContain(`WRONG  the server 127.0.0.1:${port(2)} does not answer`);
    await json('accounts', 'create', '--name', 'Later');
    await json('keys', 'create', '--account', there.id, '--name', 'Later');
    await json('routing', 'show', '--account', here.id);
    expect(await json('ledger', 'verify', '--account', here.id)).toMatchObject({ ok: true });
    expect((await json('notices', 'dismiss', 'ntc_0')).account).toBe(here.id);
    await world.cluster.startNode(world.cluster.nodes[2]!);
  });
});
