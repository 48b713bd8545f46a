import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { createDatabase } from '../test/harness.ts';
import { CitusCluster, needsCitus, withoutCitus } from './cluster.fixture.ts';
import { hashOf } from './hash.ts';
import { isDistributed, readTopology, shardOf, type Topology } from './shards.ts';

const tenants = Array.from({ length: 2_000 }, (_, at) => at + 1) as Tenant[];

test('a PostgreSQL without Citus is not distributed', async () => {
  const { address, drop } = await createDatabase();
  const sql = await connect(address, 'test');
  expect(await readTopology(sql)).toBeUndefined();
  await sql.end();
  await drop();
});

test('a tenant is in the range that holds its hash', () => {
  const edges = [-2_147_483_648, -1_905_060_026, -1_905_060_025, 0, 1_134_484_726];
  const ranges = edges.map((min, at) => {
    return { shard: at, min, max: (edges[at + 1] ?? 2_147_483_648) - 1, group: 1 };
  });
  const topology: Topology = { nodes: new Map(), ranges, coming: [] };
  for (const tenant of tenants) {
    const { min, max } = shardOf(topology, tenant);
    expect(min <= hashOf(tenant) && hashOf(tenant) <= max).toBe(true);
  }
  expect([1, 2].map((tenant) => shardOf(topology, tenant as Tenant).shard)).toEqual([1, 4]); // at an edge each
});

describe.skipIf(withoutCitus)(`with Citus (${needsCitus})`, () => {
  let cluster: CitusCluster;
  let nodes: Connection[];
  beforeAll(async () => {
    cluster = await CitusCluster.start();
    const { name } = await cluster.createDatabase({ isMigrated: false });
    nodes = await Promise.all(cluster.nodes.map((_, at) => cluster.connect(at, name)));
  });
  afterAll(async () => {
    for (const sql of nodes ?? []) await sql.end();
    await cluster?.stop();
  });

  test('a Citus without distributed tables is not distributed', async () => {
    expect(await isDistributed(nodes[0]!)).toBe(false);
    await nodes[0]!.query('create table payments (tenant int4 not null, id text, primary key (tenant, id))');
    expect(await readTopology(nodes[0]!)).toBeUndefined();
  });

  test('coordinator and workers answer the same, and put tenants where Citus puts them', async () => {
    await nodes[0]!.query(`select create_distributed_table('payments', 'tenant', shard_count => 4)`);
    const [asked, ...others] = await Promise.all(nodes.map((sql) => readTopology(sql)));
    for (const other of others) expect(other).toEqual(asked);
    expect([...asked!.nodes.values()].map(({ port, isCoordinator }) => [port, isCoordinator])).toEqual(
      cluster.nodes.map(({ port }, at) => [port, at === 0]),
    );
    const { rows } = await nodes[0]!.query<{ tenant: Tenant; hash: number; shard: number; port: number }>(
      `select t as tenant, worker_hash(t) as hash, s.shard, n.nodeport as port
         from unnest($1::int4[]) t, lateral (select get_shard_id_for_distribution_column('payments', t) as shard) s
         join pg_dist_placement p on p.shardid = s.shard join pg_dist_node n on n.groupid = p.groupid`,
      [tenants],
    );
    expect(rows).toHaveLength(tenants.length);
    for (const { tenant, hash, shard, port } of rows) {
      expect(hashOf(tenant)).toBe(hash);
      const range = shardOf(asked!, tenant);
      expect([range.shard, asked!.nodes.get(range.group)!.port]).toEqual([shard, port]);
    }
  });

  test('a moved shard is found on its new node, and a split one in its parts', async () => {
    const before = (await readTopology(nodes[0]!))!;
    const { shard, group } = shardOf(before, tenants[0]!);
    const [from, to] = group === 1 ? [1, 2] : [2, 1];
    const ports = [from, to].map((at) => cluster.nodes[at!]!.port);
    await nodes[0]!.query(`select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)`, [shard, ...ports]);
    for (const sql of nodes)
      expect(shardOf((await readTopology(sql))!, tenants[0]!)).toMatchObject({ shard, group: to });
    await nodes[0]!.query(`select isolate_tenant_to_new_shard('payments', 1)`);
    const after = (await readTopology(nodes[1]!))!;
    const { min, max } = shardOf(after, tenants[0]!);
    expect([min, max]).toEqual([hashOf(tenants[0]!), hashOf(tenants[0]!)]);
    expect(after.ranges).toHaveLength(before.ranges.length + 2);
  });
});
