import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { arrive } from './arrive.ts';
import { CitusCluster } from './cluster.fixture.ts';
import { distribute, finishDistribution } from './distribute.ts';
import { openSessions, prepareNodes } from './migrate.ts';
import { nodeAddress, placeSession } from './nodes.ts';
import { type CitusNode, readTopology, type ShardRange, shardOf, type Topology } from './shards.ts';

const patience = { connectMs: 10_000, statementMs: 120_000 };

/** A cluster with a distributed database, and what a test does with it. */
export class DistributedWorld {
  readonly cluster: CitusCluster;
  readonly address: { connectionString: string };
  /** The owner's, at the coordinator. */
  readonly sql: Connection;
  readonly #opened: Connection[] = [];

  private constructor(cluster: CitusCluster, address: { connectionString: string }, sql: Connection) {
    this.cluster = cluster;
    this.address = address;
    this.sql = sql;
  }

  /** `fill` writes rows before the tables are distributed. */
  static async start({
    shards = 4,
    settings = {} as Record<string, string>,
    fill = async (_sql: Connection, _url: string) => {},
  } = {}): Promise<DistributedWorld> {
    const cluster = await CitusCluster.start(2, settings);
    const { name } = await cluster.createDatabase();
    const address = { connectionString: cluster.url(0, name) };
    const sql = await connect(address, 'test', patience);
    const world = new DistributedWorld(cluster, address, sql);
    await fill(sql, address.connectionString);
    await distribute(sql, shards);
    await world.prepare();
    await finishDistribution(sql);
    return world;
  }

  async prepare(): Promise<void> {
    const sessions = await openSessions(this.sql, this.address);
    await prepareNodes(this.sql, sessions.nodes);
    await sessions.end();
  }

  async topology(): Promise<Topology> {
    return (await readTopology(this.sql))!;
  }

  async rangeOf(tenant: number): Promise<ShardRange> {
    return shardOf(await this.topology(), tenant as Tenant);
  }

  async nodeOf({ group }: ShardRange): Promise<CitusNode> {
    return (await this.topology()).nodes.get(group)!;
  }

  /** The owner's connection to the node of a shard. */
  async owner(range: ShardRange): Promise<Connection> {
    return this.#keep(await connect(nodeAddress(this.address, await this.nodeOf(range)), 'test', patience));
  }

  /** The address of a place, which is made if it is not there. */
  async arrived(range: ShardRange): Promise<DatabaseAddress> {
    const owner = await this.owner(range);
    await arrive(owner, range.shard);
    return { ...nodeAddress(this.address, await this.nodeOf(range)), session: placeSession(range) };
  }

  async place(range: ShardRange): Promise<Connection> {
    return this.#keep(await connect(await this.arrived(range), 'test', patience));
  }

  /** Moves a shard with all that lies beside it to the other worker, while it is used; returns where it is then. */
  async move(range: ShardRange, mode = 'force_logical'): Promise<ShardRange> {
    const { nodes } = await this.topology();
    const from = nodes.get(range.group)!;
    const to = [...nodes.values()].find((node) => !node.isCoordinator && node !== from)!;
    const values = [range.shard, from.host, from.port, to.host, to.port, mode];
    const mover = await connect(this.address, 'test', patience);
    await mover
      .query('select citus_move_shard_placement($1, $2, $3, $4, $5, $6::citus.shard_transfer_mode)', values)
      .finally(() => mover.end());
    return { ...range, group: to.group };
  }

  async stop(): Promise<void> {
    for (const sql of [...this.#opened, this.sql]) await sql.end().catch(() => {});
    await this.cluster.stop();
  }

  #keep(sql: Connection): Connection {
    this.#opened.push(sql);
    return sql;
  }
}
