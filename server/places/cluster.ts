import type { Log } from '../base/log.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { arrive, prepareArrival } from '../citus/arrive.ts';
import { directorySession, nodeAddress, placeSession } from '../citus/nodes.ts';
import { CitusPlaces } from '../citus/places.ts';
import { isPrepared, type NodeFacts, prepareNode, readNodeFacts } from '../citus/prepare.ts';
import { type CitusNode, placeSchema, readTopology, type Topology, workersOf } from '../citus/shards.ts';
import type { OpenPlaces, PlacesOptions } from './open_places.ts';
import { abandonPlace, closePlace, openPlace, type Place } from './place.ts';
import type { PoolSizes } from './pools.ts';

export type ClusterAddress = Extract<DatabaseAddress, { connectionString: string }>;

type ClusterPlaces = OpenPlaces & { readonly topology: Topology };

/** Several places share the connections that a server admits. Idle ones are closed after a minute. */
export const directorySizes: PoolSizes = { reads: 4, durable: 2, relaxed: 2, leases: 1, connectors: 1 };
export const placeSizes: PoolSizes = { reads: 3, durable: 2, relaxed: 2, leases: 1, connectors: 1 };
/** To the coordinator, beside those of the directory, to ask which server has which place. */
export const metadataConnections = 1;

const askPatience = { connectMs: 1_500, statementMs: 1_500 };
const arrivalPatience = { connectMs: 3_000, statementMs: 60_000 };

/** The directory is a schema of the coordinator, and the places of tenants are schemas of the servers that have their shards. */
export async function openCluster(address: ClusterAddress, options: PlacesOptions): Promise<ClusterPlaces> {
  const { log } = options;
  const directory = openPlace({
    ...options,
    name: 'directory',
    homes: ['directory'],
    sizes: directorySizes,
    address: { ...address, session: directorySession },
  });
  const metadata = new ClusterMetadata(address, log);
  const places: CitusPlaces<Place> = await CitusPlaces.open<Place>({
    directory,
    log,
    arrivesWhenUsed: options.arrivesWhenUsed ?? false,
    ask: () => metadata.ask(),
    arrive: (shard, node) => arriveAt(address, shard, node),
    prepareArrival: (shard, node) => asOwner(address, node, (sql) => prepareArrival(sql, shard)),
    open: (shard, hosts) =>
      openPlace({
        ...options,
        name: placeSchema(shard),
        homes: ['tenant'],
        numbering: 'arrived',
        sizes: placeSizes,
        log: log.child({ place: placeSchema(shard) }),
        address: { ...address, hosts, session: placeSession({ shard }) },
        hold: 'hold',
        onError: (error) => places?.noticed(error),
      }),
    close: closePlace,
  });
  const stop = () => {
    metadata.close();
    return [directory, ...places.stop()];
  };
  return Object.assign(places, {
    isCluster: true,
    close: () => Promise.all(stop().map(closePlace)),
    abandon: () => stop().forEach(abandonPlace),
  });
}

export function arriveAt(address: ClusterAddress, shard: number, node: CitusNode): Promise<void> {
  return asOwner(address, node, async (sql) => {
    if (!(await isPrepared(sql))) await prepareNode(sql, await nodeFacts(address));
    await arrive(sql, shard);
  });
}

/** Asked of the coordinator: the node was added to the cluster, and nobody has prepared it. */
async function nodeFacts(address: ClusterAddress): Promise<NodeFacts> {
  const sql = await connect(address, 'arrive', arrivalPatience);
  try {
    return await readNodeFacts(sql);
  } finally {
    await sql.end().catch(() => {});
  }
}

/** As the owner of the tables, on a connection for this alone. */
async function asOwner(
  address: ClusterAddress,
  node: CitusNode,
  work: (sql: Connection) => Promise<void>,
): Promise<void> {
  const sql = await connect(nodeAddress(address, node), 'arrive', arrivalPatience);
  try {
    await work(sql);
  } finally {
    await sql.end().catch(() => {});
  }
}

/** Who is where. The workers have Citus' metadata too, and are asked while the coordinator does not answer. */
export class ClusterMetadata {
  readonly #address: ClusterAddress;
  readonly #log: Log;
  #known: Topology | undefined;
  /** To the coordinator, which is asked often: a new connection takes Citus longer than the answer. */
  #kept: Connection | undefined;
  #isClosed = false;

  constructor(address: ClusterAddress, log: Log) {
    this.#address = address;
    this.#log = log;
  }

  async ask(): Promise<Topology> {
    const isKept = this.#kept !== undefined;
    try {
      this.#kept ??= await connect(this.#address, 'places', askPatience);
      this.#known = await topologyOf(this.#kept);
      if (this.#isClosed) this.#drop();
      return this.#known;
    } catch (error) {
      this.#drop();
      return this.#askOthers(error, isKept ? [this.#address] : []);
    }
  }

  /** Also what is being opened at this moment. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    void this.#kept?.end().catch(() => {});
    this.#kept = undefined;
  }

  /** The coordinator first where a kept connection has broken, and then the workers. */
  async #askOthers(failure: unknown, first: readonly ClusterAddress[]): Promise<Topology> {
    const workers = workersOf([...(this.#known?.nodes.values() ?? [])]);
    const addresses = [...first, ...workers.map((node) => nodeAddress(this.#address, node))];
    for (const address of addresses)
      try {
        this.#known = await askOne(address);
        return this.#known;
      } catch (error) {
        this.#log.debug({ error: String(error) }, 'a server did not say where tenants live');
      }
    throw failure;
  }
}

async function askOne(address: ClusterAddress): Promise<Topology> {
  const sql = await connect(address, 'places', askPatience);
  try {
    return await topologyOf(sql);
  } finally {
    await sql.end().catch(() => {});
  }
}

async function topologyOf(sql: Connection): Promise<Topology> {
  const topology = await readTopology(sql);
  if (topology === undefined) throw new Error('the tables of the cluster are not distributed');
  return topology;
}
