import type { Hosts } from '../base/hosts.ts';
import { silentLog } from '../base/log.ts';
import type { Patience } from '../base/patient_client.ts';
import type { ConnectionsAt, PlaceConnection } from '../base/places/connections.ts';
import { hasMoved } from '../base/places/moved.ts';
import { PlaceDown } from '../base/places/place_down.ts';
import { type Connection, connect, isUnavailable, transaction } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { pause } from '../base/timers.ts';
import { placeSession } from '../citus/nodes.ts';
import { CitusPlaces, nodeOf } from '../citus/places.ts';
import { placeSchema, readTopology, type Topology } from '../citus/shards.ts';
import { joinOwnSchema } from '../database.ts';
import { arriveAt, type ClusterAddress, ClusterMetadata } from './cluster.ts';

const againAfterMs = 20;
/** A move blocks its tenants for a moment; several may follow each other. */
const triesMax = 100;

type ConnectionOptions = { address: ClusterAddress; directory: Connection; patience: Patience };

/** The connections of a command to the places of a cluster. What needs the directory alone opens none of them. */
export class ClusterConnections implements ConnectionsAt {
  readonly #options: ConnectionOptions;
  readonly #metadata: ClusterMetadata;
  #opening: Promise<CitusPlaces<ConnectedPlace>> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#metadata = new ClusterMetadata(options.address, silentLog);
  }

  get directory(): Connection {
    return this.#options.directory;
  }

  async at<T>(tenant: Tenant, work: (place: PlaceConnection) => Promise<T>): Promise<T> {
    const places = await this.#places();
    return places.at(tenant, (place) => place.run(work));
  }

  async everywhere<T>(work: (place: PlaceConnection) => Promise<T>, tenants?: readonly Tenant[]): Promise<T[]> {
    const { values, failures } = await this.#settled(work, tenants);
    if (failures.length > 0) throw joined(failures);
    return values;
  }

  async find<T>(work: (place: PlaceConnection) => Promise<T | undefined>): Promise<T | undefined> {
    const { values, failures } = await this.#settled(work);
    const found = values.find((value) => value !== undefined);
    if (found === undefined && failures.length > 0) throw joined(failures);
    return found;
  }

  /** Begins anew at all of them when one has moved: its shard may have been split, and then there are others. */
  async #settled<T>(
    work: (place: PlaceConnection) => Promise<T>,
    tenants?: readonly Tenant[],
  ): Promise<{ values: T[]; failures: unknown[] }> {
    const places = await this.#places();
    for (let tries = 1; ; tries++) {
      const wanted = tenants === undefined ? places.all() : [...new Set(tenants.map((tenant) => places.of(tenant)))];
      const ends = await Promise.allSettled(wanted.map((place) => place.run(work)));
      const values = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      if (!failures.some(hasMoved) || tries === triesMax) return { values, failures };
      await places.look();
      for (const place of wanted) place.dropIdle();
      await pause(againAfterMs);
    }
  }

  #places(): Promise<CitusPlaces<ConnectedPlace>> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<CitusPlaces<ConnectedPlace>> {
    const { address, directory, patience } = this.#options;
    const first = readTopology(directory) as Promise<Topology>;
    let places: CitusPlaces<ConnectedPlace> | undefined;
    const place = (name: string, shard: number, open: () => Promise<Connection>) =>
      new ConnectedPlace({
        name,
        node: () => nodeOf(places!.topology, shard),
        has: (tenant) => places!.of(tenant).name === name,
        open,
      });
    places = await CitusPlaces.open<ConnectedPlace>({
      directory: place('directory', 0, async () => directory),
      log: silentLog,
      arrivesWhenUsed: true,
      // Later, the connection to the directory may be in use.
      ask: () => (places === undefined ? first : this.#metadata.ask()),
      arrive: (shard, at) => arriveAt(address, shard, at),
      open: (shard, hosts) => place(placeSchema(shard), shard, () => connectTo(address, { shard, hosts, patience })),
      close: async (place) => place.dropIdle(),
    });
    return places;
  }

  async close(): Promise<void> {
    const places = await this.#opening?.catch(() => undefined);
    if (places === undefined) return;
    places.stop();
    this.#metadata.close();
    for (const place of places.all()) place.dropIdle();
  }
}

async function connectTo(
  address: ClusterAddress,
  { shard, hosts, patience }: { shard: number; hosts: Hosts; patience: Patience },
): Promise<Connection> {
  const sql = await connect({ ...address, hosts, session: placeSession({ shard }) }, 'command', patience);
  try {
    await joinOwnSchema(sql);
    return sql;
  } catch (error) {
    void sql.end().catch(() => {});
    throw error;
  }
}

type ConnectedPlaceOptions = Pick<PlaceConnection, 'name' | 'has'> & {
  /** The server that has it now. */
  node(): string;
  open(): Promise<Connection>;
};

/** A place with one connection at most. */
class ConnectedPlace {
  readonly #options: ConnectedPlaceOptions;
  #opening: Promise<Connection> | undefined;

  constructor(options: ConnectedPlaceOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  async run<T>(work: (place: PlaceConnection) => Promise<T>): Promise<T> {
    const { name, has, node, open } = this.#options;
    try {
      this.#opening ??= open();
      const sql = await this.#opening;
      return await work({
        name,
        node: node(),
        sql,
        has,
        change: (tenants, changes) =>
          transaction(sql, async () => {
            await sql.query('select hold($1)', [tenants]);
            return changes();
          }),
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.dropIdle();
      throw PlaceDown.of(name, node(), error);
    }
  }

  dropIdle(): void {
    void this.#opening?.then((sql) => sql.end()).catch(() => {});
    this.#opening = undefined;
  }
}

/** The failure of several places: a defect first, else all places that are down. */
function joined(failures: readonly unknown[]): unknown {
  const other = failures.find((failure) => !(failure instanceof PlaceDown));
  return other ?? PlaceDown.all(failures as PlaceDown[]);
}
