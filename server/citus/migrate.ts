import type { LockOptions } from '../base/lock_wait.ts';
import type { MigratedCluster } from '../base/migrate.ts';
import { MigrationError } from '../base/migration.ts';
import { operatorPatience } from '../base/patient_client.ts';
import { type Connection, connect, query, reasonOf, type Sql, transaction } from '../base/sql.ts';
import { adoptRestored } from '../ledger/restored.ts';
import { arrive, lockArrival } from './arrive.ts';
import { distributeNew } from './distribute.ts';
import { nodeSchema } from './homes.ts';
import { quoted } from './names.ts';
import { nodeAddress } from './nodes.ts';
import { prepareNode, readNodeFacts } from './prepare.ts';
import { type CitusNode, placeSchema, readTopology, type Topology } from './shards.ts';
import { changeShared } from './shared.ts';
import { hasTable } from './tables.ts';

/** The owner's connections to the servers of a cluster. */
export type ClusterSessions = {
  topology: Topology;
  /** Of those that are in use, with the coordinator first. */
  nodes: readonly { node: CitusNode; sql: Connection }[];
  end(): Promise<void>;
};

/** Connects to all servers, or says which of them does not answer. */
export async function openSessions(
  coordinator: Connection,
  address: { connectionString: string },
): Promise<ClusterSessions> {
  const topology = (await readTopology(coordinator))!;
  const opened: Connection[] = [];
  const end = async () => void (await Promise.all(opened.map((sql) => sql.end())));
  const open = async (node: CitusNode) => {
    const sql = await connect(nodeAddress(address, node), 'migrate', operatorPatience);
    opened.push(sql);
    return sql;
  };
  const nodes = [];
  for (const node of [...topology.nodes.values()]
    .filter(({ isActive }) => isActive)
    .toSorted((a, b) => a.group - b.group))
    try {
      nodes.push({ node, sql: node.isCoordinator ? coordinator : await open(node) });
    } catch (error) {
      await end();
      throw new MigrationError(
        `the server ${node.host}:${node.port} of the cluster does not answer (${reasonOf(error)}), and all are needed. Nothing was changed. Start it, then run the command again`,
        { cause: error },
      );
    }
  return { topology, nodes, end };
}

/**
 * Migrations are run at the coordinator, and Citus changes the shards. What they mean besides: new tables of tenants are distributed, the
 * directory's copies are changed with those of the places, and every node and place is made again as the tables are now.
 */
export async function migratedCluster(coordinator: Connection, sessions: ClusterSessions): Promise<MigratedCluster> {
  // The time-outs of a transaction hold on the workers too, and what was changed there may be used by its next statement.
  await coordinator.query(
    `set citus.propagate_set_commands = 'local'; set citus.multi_shard_modify_mode = 'sequential'`,
  );
  return {
    others: sessions.nodes.filter(({ sql }) => sql !== coordinator).map(({ sql }) => sql),
    async clear() {
      for (const { sql } of sessions.nodes) await dropViews(sql);
    },
    async follow(run) {
      await changeShared(coordinator, run);
      await distributeNew(coordinator);
    },
    finish: () => prepareAll(coordinator, sessions),
  };
}

/** Makes every node and each place as they are to be now. */
export async function prepareAll(coordinator: Sql, { topology, nodes }: ClusterSessions): Promise<void> {
  await prepareNodes(coordinator, nodes);
  for (const { node, sql } of nodes)
    for (const { shard, group } of topology.ranges) if (group === node.group) await arrive(sql, shard);
}

/** Without their places, which servers make when they come to them. */
export async function prepareNodes(coordinator: Sql, nodes: ClusterSessions['nodes']): Promise<void> {
  const facts = await readNodeFacts(coordinator);
  for (const { sql } of nodes) await prepareNode(sql, facts);
}

/** Continues the ledgers of places whose server was restored on another one, as `adoptRestored` does for one PostgreSQL. */
export async function adoptPlaces(
  { topology, nodes }: ClusterSessions,
  optionsOf: (node: CitusNode) => LockOptions,
): Promise<boolean> {
  let adopted = 0;
  for (const { node, sql } of nodes)
    for (const { shard, group } of topology.ranges) {
      if (group !== node.group) continue;
      await arrive(sql, shard);
      await sql.query(`set search_path = ${placeSchema(shard)}, ${nodeSchema}`);
      try {
        if (await adoptRestored(sql, optionsOf(node))) adopted++;
      } finally {
        await sql.query('reset search_path').catch(() => {});
      }
    }
  return adopted > 0;
}

/** PostgreSQL refuses to drop a column that a view reads, or to change its type. `arrive` makes the views again after the migration. */
async function dropViews(sql: Connection): Promise<void> {
  if (!(await hasTable(sql, `${nodeSchema}.places`))) return;
  const places = await query<{ shard: number }>(sql, `select shard from ${nodeSchema}.places`, []);
  for (const { shard } of places)
    await transaction(sql, async () => {
      await lockArrival(sql, shard);
      const views = await viewsOf(sql, placeSchema(shard));
      if (views.length > 0) await sql.query(`drop view ${views.join(', ')} cascade`);
      await sql.query(`update ${nodeSchema}.places set layout = '' where shard = $1`, [shard]);
    });
}

async function viewsOf(sql: Sql, schema: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    sql,
    `select relname as name from pg_class where relkind = 'v' and relnamespace = to_regnamespace($1)`,
    [schema],
  );
  return rows.map(({ name }) => `${schema}.${quoted(name)}`);
}
