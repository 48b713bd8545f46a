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
  #opening: Promise<CitusPlaces<ConnectedPlace>> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get directory(): Connection {
    return this.#options.directory;
  }

  async at<T>(tenant: Tenant, work: (place: PlaceConnection) => Promise<T>): Promise<T> {
    const places = await this.#places();
    return places.at(tenant, (place) => place.run(work));
  }

  async everywhere<T>(work: (place: PlaceConnection) => Promise<T>, tenants?: readonly Tenant[]): Promise<T[]> {
    const ends = await this.#settled(work, tenants);
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (failures.length > 0) throw joined(failures);
    return ends.map((end) => (end as PromiseFulfilledResult<T>).value);
  }

  async find<T>(work: (place: PlaceConnection) => Promise<T | undefined>): Promise<T | undefined> {
    const ends = await this.#settled(work);
    for (const end of ends) if (end.status === 'fulfilled' && end.value !== undefined) return end.value;
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (failures.length > 0) throw joined(failures);
    return undefined;
  }

  /** Begins anew at all of them when one has moved: its shard may have been split, and then there are others. */
  async #settled<T>(
    work: (place: PlaceConnection) => Promise<T>,
    tenants?: readonly Tenant[],
  ): Promise<PromiseSettledResult<T>[]> {
    const places = await this.#places();
    for (let tries = 1; ; tries++) {
      const wanted = tenants === undefined ? places.all() : [...new Set(tenants.map((tenant) => places.of(tenant)))];
      const ends = await Promise.allSettled(wanted.map((place) => place.run(work)));
      const isMoved = ends.some((end) => end.status === 'rejected' && hasMoved(end.reason));
      if (!isMoved || tries === triesMax) return ends;
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
    const has = (place: ConnectedPlace, tenant: Tenant) => places!.of(tenant) === place;
    const node = ({ shard }: ConnectedPlace) => nodeOf(places!.topology, shard);
    const first = readTopology(directory) as Promise<Topology>;
    const metadata = new ClusterMetadata(address, silentLog);
    let places: CitusPlaces<ConnectedPlace> | undefined;
    places = await CitusPlaces.open<ConnectedPlace>({
      directory: new ConnectedPlace({ name: 'directory', shard: 0, has, node, connect: async () => directory }),
      log: silentLog,
      arrivesWhenUsed: true,
      // Later, the connection to the directory may be in use.
      ask: () => (places === undefined ? first : metadata.ask()),
      arrive: (shard, at) => arriveAt(address, shard, at),
      open: (shard, hosts) =>
        new ConnectedPlace({
          name: placeSchema(shard),
          shard,
          has,
          node,
          connect: () => connectTo(address, { shard, hosts, patience }),
        }),
      close: async (place) => place.dropIdle(),
    });
    return places;
  }

  async close(): Promise<void> {
    const places = await this.#opening?.catch(() => undefined);
    if (places === undefined) return;
    places.stop();
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

type ConnectedPlaceOptions = {
  name: string;
  shard: number;
  has(place: ConnectedPlace, tenant: Tenant): boolean;
  /** The server that has it now. */
  node(place: ConnectedPlace): string;
  connect(): Promise<Connection>;
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

  get shard(): number {
    return this.#options.shard;
  }

  async run<T>(work: (place: PlaceConnection) => Promise<T>): Promise<T> {
    try {
      this.#opening ??= this.#options.connect();
      const sql = await this.#opening;
      return await work({
        name: this.name,
        node: this.#options.node(this),
        sql,
        has: (tenant) => this.#options.has(this, tenant),
        change: (tenants, changes) =>
          transaction(sql, async () => {
            await sql.query('select hold($1)', [tenants]);
            return changes();
          }),
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.dropIdle();
      throw PlaceDown.of(this.name, this.#options.node(this), error);
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
