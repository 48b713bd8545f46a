import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Connection, connect } from '../base/sql.ts';
import { CitusCluster, needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { tidyNodes } from '../citus/leave.ts';
import { readTopology } from '../citus/shards.ts';
import { joinOwnSchema } from '../database.ts';
import { testMasterKey } from '../test/harness.ts';
import { say } from './cli.fixture.ts';

describe.skipIf(withoutCitus)(`tollgate places (${needsCitus})`, () => {
  let cluster: CitusCluster;
  let address: { connectionString: string };
  let sql: Connection;
  let account: string;
  beforeAll(async () => {
    cluster = await CitusCluster.start();
    const { name } = await cluster.createDatabase();
    address = { connectionString: cluster.url(0, name) };
    vi.stubEnv('DATABASE_URL', address.connectionString);
    vi.stubEnv('TOLLGATE_VAULT_KEY', testMasterKey);
    sql = await connect(address, 'test', { connectMs: 10_000, statementMs: 120_000 });
    const { stdout } = await say('accounts', 'create', '--name', 'Shop', '--json');
    account = JSON.parse(stdout).id;
    await sql.query(
      `insert into customers (tenant, id, version, metadata) select tenant, 'cus_' || n, 1, '{}' from tenants, generate_series(1, 50) n`,
    );
    await sql.query(
      `insert into audit (id, tenant, actor, action) select 1000 + tenant, tenant, 'test', 'test' from tenants`,
    );
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await sql?.end();
    await cluster?.stop();
  });

  test('is one place until the tables are distributed', async () => {
    const one = {
      code: 0,
      stdout: expect.stringContaining('which is one place. When that is not enough, read docs/scale.md'),
    };
    expect(await say('places')).toMatchObject(one);
    expect(await say('places', 'prepare')).toMatchObject(one);
    expect(await say('places', 'isolate', account)).toMatchObject({ ...one, code: 1 });
  });

  test('distribute without --yes prints its plan and changes nothing', async () => {
    const { code, stderr } = await say('places', 'distribute');
    expect(code).toBe(2);
    expect(stderr).toContain(`ok     worker 127.0.0.1:${cluster.nodes[1]!.port}: Citus`);
    expect(stderr).toMatch(/has \d+ MB\. Its tables of tenants are copied to the workers, as 8 places/);
    expect(stderr).toContain('run it again with --yes');
    expect((await sql.query(`select to_regnamespace('local') as made`)).rows).toEqual([{ made: null }]);
    expect((await say('places', 'distribute', '--shards', '17', '--yes')).stderr).toContain('from 1 to 16');
  });

  test('distribute is refused while a server is connected, and where a worker is not fit', async () => {
    const server = await connect(address, 'test');
    await joinOwnSchema(server);
    const { stderr } = await say('places', 'distribute', '--yes', '--shards', '2');
    expect(stderr).toContain('cannot be distributed while servers are connected: process');
    await server.end();
    await sql.query(
      `create table requests_rest partition of requests default;
       insert into requests (id, at, method, path, status, duration_us, address) values ('req_1', now(), 'GET', '/', 401, 1, '')`,
    );
    const { code: refused, stdout: checks } = await say('places', 'distribute', '--yes', '--shards', '2');
    expect([refused, checks]).toEqual([
      1,
      expect.stringContaining('wrong  rows: 1 rows of requests belong to no account'),
    ]);
    await sql.query('drop table requests_rest');
    await cluster.endNode(cluster.nodes[2]!);
    const { code, stdout } = await say('places', 'distribute', '--yes', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks.at(-1)).toMatchObject({
      state: 'wrong',
      message: expect.stringMatching(/^does not answer: .*ECONNREFUSED.*Start PostgreSQL/),
    });
    await cluster.startNode(cluster.nodes[2]!);
  });

  test('distribute goes on where it was interrupted; until then, commands say what to do', async () => {
    await sql.query('create schema directory; create table directory.used_signatures ()');
    expect((await say('places', 'distribute', '--yes', '--shards', '2')).code).toBe(1);
    const refused = await say('accounts', 'list');
    expect(refused.stderr).toContain('which is not finished. Run: tollgate places distribute');
    await sql.query('drop table directory.used_signatures');
    const { stdout, stderr, code } = await say('places', 'distribute', '--yes', '--shards', '2', '--json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('distribute payments')]);
    const { ok, rows } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(rows).toContainEqual({ table: 'public.customers', before: 100, after: 100 });
    expect(rows).toContainEqual({ table: 'public.audit', before: 2, after: 2 });
    expect((await sql.query(`select action from directory.audit order by id`)).rows.at(-1)).toEqual({
      action: 'places.distribute',
    });
    expect((await say('places', 'distribute')).stdout).toContain('distributed already');
    expect(JSON.parse((await say('accounts', 'list', '--json')).stdout)).toMatchObject([{ id: account }]);
  });

  const shownPlaces = async () => JSON.parse((await say('places', '--json')).stdout);

  test('shows what each place has, and which are down', async () => {
    const { ranges } = (await readTopology(sql))!;
    const places = await shownPlaces();
    expect(places.map(({ place }: { place: string }) => place).toSorted()).toEqual(
      ranges.map(({ shard }) => `place_${shard}`).toSorted(),
    );
    const sum = (member: string) => places.reduce((all: number, one: Record<string, number>) => all + one[member]!, 0);
    expect([sum('tenants'), places[0].state, places[0].events_per_second]).toEqual([2, 'serving', 0]);
    expect(places[0].bytes).toBeGreaterThan(100_000);
    const { stdout } = await say('places');
    expect(stdout.split('\n')[0]).toMatch(/^place +server +shards +tenants +size +events\/s +state$/);
    expect(stdout).toMatch(/place_\d+ +127\.0\.0\.1:\d+ +\d+ +[012] +[\d.]+ MB +0 +serving/);
    const worker = cluster.nodes[1]!;
    await cluster.endNode(worker);
    onTestFinished(() => cluster.startNode(worker));
    const states = (await shownPlaces()).map(({ node, state }: Record<string, string>) => [node, state]);
    expect(Object.fromEntries(states)).toEqual({
      [`127.0.0.1:${worker.port}`]: 'down',
      [`127.0.0.1:${cluster.nodes[2]!.port}`]: 'serving',
    });
  });

  test('prepare makes what a node lacks', async () => {
    const worker = await cluster.connect(1, new URL(address.connectionString).pathname.slice(1));
    onTestFinished(() => worker.end());
    await worker.query(`set citus.enable_ddl_propagation = off; drop schema local cascade`);
    const lacking = (await shownPlaces()).filter(({ state }: { state: string }) => state === 'not prepared');
    expect(lacking.map(({ node }: { node: string }) => node)).toEqual([`127.0.0.1:${cluster.nodes[1]!.port}`]);
    expect((await say('places', 'prepare')).stdout).toContain('Prepared: 2 places');
    expect((await shownPlaces()).every(({ state }: { state: string }) => state === 'serving')).toBe(true);
  });

  test('isolate gives each mode of an account a place, once', async () => {
    const isolated = async () => JSON.parse((await say('places', 'isolate', account, '--json')).stdout);
    const { before, after } = await isolated();
    const placesOf = (homes: { place: string }[]) => homes.map(({ place }) => place);
    expect(new Set([...placesOf(before), ...placesOf(after)]).size).toBe(new Set(placesOf(before)).size + 2);
    expect((await isolated()).after).toEqual(after);
    const own = (await shownPlaces()).filter(({ place }: { place: string }) => placesOf(after).includes(place));
    expect(own).toMatchObject([
      { tenants: 1, state: 'serving' },
      { tenants: 1, state: 'serving' },
    ]);
    expect((await sql.query('select count(*) as n from customers')).rows).toEqual([{ n: 100 }]);
    const removed = await tidyNodes(address); // the schemas of the places that were split
    expect(removed.map((shard) => `place_${shard}`).toSorted()).toEqual([...new Set(placesOf(before))].toSorted());
    expect(await tidyNodes(address)).toEqual([]);
  });
});
