import { Unavailable } from '../base/errors.ts';
import type { Hosts } from '../base/hosts.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import type { Log } from '../base/log.ts';
import { hasMoved } from '../base/places/moved.ts';
import type { Places } from '../base/places/places.ts';
import { SingleFlight } from '../base/single_flight.ts';
import { reasonOf, refusesMoved } from '../base/sql.ts';
import { installation, type Tenant } from '../base/tenant.ts';
import { after, every, pause, type Timer } from '../base/timers.ts';
import { type CitusNode, type ShardRange, shardOf, type Topology } from './shards.ts';

/** How long work waits for a tenant that moves. Its writes are blocked for some 100 ms of a move. */
const patienceMs = 2_000;
const againAfterMs = 20;
const lookEveryMs = 5_000;
const lookWhileMovingMs = 1_000;
/** Longer than anybody waits in the queues of a place whose shard was split. It answers all of them that it has moved. */
const closeAfterMs = 30_000;

/** What routing needs of a place. */
export type RoutedPlace = {
  readonly name: string;
  /** Gives up the connections to where it was. */
  dropIdle(): void;
};

export type CitusPlacesOptions<Place extends RoutedPlace> = {
  directory: Place;
  log: Log;
  /** Asks the coordinator or, while it is away, a worker. */
  ask(): Promise<Topology>;
  /** Prepares the schema of a place on the server that has its shards now. */
  arrive(shard: number, node: CitusNode): Promise<void>;
  /** Makes what it can of that while its shards are still on their way there. */
  prepareArrival?(shard: number, node: CitusNode): Promise<void>;
  open(shard: number, hosts: Hosts): Place;
  close(place: Place): Promise<void>;
  /** Otherwise places are prepared before anybody waits for them. */
  arrivesWhenUsed?: boolean;
};

type OpenedPlace<Place> = { place: Place; hosts: PlaceHosts };

/**
 * The places of a Citus cluster: a place is a group of shards, by the shard of one table, on the server that has them now. Where they are is
 * known from Citus' metadata, which are asked again every few seconds, when a connection fails, and when a place says that it has moved.
 */
export class CitusPlaces<Place extends RoutedPlace> implements Places<Place> {
  readonly #options: CitusPlacesOptions<Place>;
  readonly #open = new Map<number, OpenedPlace<Place>>();
  /** Of places whose shard was split. */
  readonly #leaving = new Map<Place, Timer>();
  /** Shards on their way here, whose place is being made at this moment. */
  readonly #preparing = new Set<number>();
  readonly #asking = new SingleFlight(() => this.#refresh());
  #topology: Topology;
  #timer: Timer | undefined;
  #lookSoon: Timer | undefined;
  #isStopped = false;

  private constructor(options: CitusPlacesOptions<Place>, topology: Topology) {
    this.#options = options;
    this.#topology = topology;
  }

  static async open<Place extends RoutedPlace>(options: CitusPlacesOptions<Place>): Promise<CitusPlaces<Place>> {
    const places = new CitusPlaces(options, await options.ask());
    await places.#adopt(places.#topology);
    places.#timer = every(lookEveryMs, () => void places.look().catch(() => {}));
    return places;
  }

  get directory(): Place {
    return this.#options.directory;
  }

  all(): readonly Place[] {
    return [...this.#open.values()].map(({ place }) => place);
  }

  get topology(): Topology {
    return this.#topology;
  }

  /** The installation, which is no account, is at home in the directory. */
  of(tenant: Tenant): Place {
    if (tenant === installation) return this.directory;
    return this.#open.get(shardOf(this.#topology, tenant).shard)!.place;
  }

  async at<T>(tenant: Tenant, work: (place: Place) => Promise<T>): Promise<T> {
    const place = this.of(tenant);
    try {
      return await work(place);
    } catch (error) {
      if (!hasMoved(error)) throw error;
      return this.#again(tenant, work, place, error);
    }
  }

  async #again<T>(tenant: Tenant, work: (place: Place) => Promise<T>, first: Place, moved: unknown): Promise<T> {
    let [before, failure, isPatient, isKnown] = [first, moved, true, true];
    const timer = after(patienceMs, () => {
      isPatient = false;
    });
    try {
      while (isPatient) {
        const looked = this.look().then(
          () => true,
          () => false,
        );
        isKnown = (await settlesWithin(looked, patienceMs)) && (await looked);
        before.dropIdle(); // what was idle is connected to where it was
        const place = this.of(tenant);
        if (place === before) await pause(againAfterMs);
        before = place;
        const outcome = await work(place).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        if ('value' in outcome) return outcome.value;
        failure = outcome.error;
        if (!hasMoved(failure)) break;
      }
      throw outOfPatience(failure, isKnown);
    } finally {
      timer.cancel();
    }
  }

  /** Asks where everything is now. Those who ask while an answer is awaited share it. */
  look(): Promise<unknown> {
    return this.#asking.run();
  }

  /** For errors of connections that nobody waits for: leases, sweeps. */
  noticed(error: unknown): void {
    if (hasMoved(error)) void this.look().catch(() => {});
  }

  /** Returns the places that are still to be closed, also those that it has left. */
  stop(): Place[] {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#lookSoon?.cancel();
    for (const timer of this.#leaving.values()) timer.cancel();
    return [...this.all(), ...this.#leaving.keys()];
  }

  async #refresh(): Promise<void> {
    try {
      const topology = await this.#options.ask();
      if (!this.#isStopped) await this.#adopt(topology);
    } catch (error) {
      this.#options.log.debug({ error: reasonOf(error) }, 'could not read where tenants live');
      throw error;
    }
  }

  /** New places are open before any tenant is sent there; old ones are closed after the last was. */
  async #adopt(topology: Topology): Promise<void> {
    const shards = new Set(topology.ranges.map(({ shard }) => shard));
    await Promise.all(topology.ranges.map((range) => this.#placeAt(range, topology)));
    this.#topology = topology;
    for (const [shard, { place }] of this.#open) {
      if (shards.has(shard)) continue;
      this.#open.delete(shard);
      this.#leave(place);
    }
    this.#prepare(topology);
  }

  #leave(place: Place): void {
    const close = () => {
      this.#leaving.delete(place);
      void this.#options.close(place);
    };
    this.#leaving.set(place, after(closeAfterMs, close));
  }

  /** The first look may be too early: Citus says what it will copy, and then makes the tables. */
  #prepare({ coming, nodes }: Topology): void {
    this.#lookSoon?.cancel();
    const { prepareArrival, log } = this.#options;
    if (coming.length === 0 || prepareArrival === undefined) return;
    this.#lookSoon = after(lookWhileMovingMs, () => void this.look().catch(() => {}));
    for (const { shard, group } of coming) {
      const node = nodes.get(group);
      if (node === undefined || this.#preparing.has(shard)) continue;
      this.#preparing.add(shard);
      prepareArrival(shard, node)
        .catch((error) => {
          log.debug({ shard, error: reasonOf(error) }, 'a place could not be prepared before it arrives');
        })
        .finally(() => this.#preparing.delete(shard));
    }
  }

  async #placeAt({ shard, group }: ShardRange, { nodes }: Topology): Promise<void> {
    const node = nodes.get(group);
    const known = this.#open.get(shard);
    if (known !== undefined) return known.hosts.goTo(node, () => known.place.dropIdle());
    const { open, arrive, log, arrivesWhenUsed = false } = this.#options;
    const hosts = new PlaceHosts({
      arrivesWhenUsed,
      arrive: (at) => arrive(shard, at),
      onFailure: () => void this.look().catch(() => {}),
    });
    await hosts.goTo(node, () => {});
    const place = open(shard, hosts);
    this.#open.set(shard, { place, hosts });
    log.debug({ place: place.name, node: node && nameOf(node) }, 'a place of tenants was opened');
  }
}

type PlaceHostsOptions = { arrivesWhenUsed: boolean; arrive(node: CitusNode): Promise<void>; onFailure(): void };

/** The server of a place. A new connection goes to where the place is now, after its schema was prepared there. */
class PlaceHosts implements Hosts {
  readonly #options: PlaceHostsOptions;
  #node: CitusNode | undefined;
  #arriving: { at: CitusNode; ended: Promise<void> } | undefined;
  #hasArrived = false;

  constructor(options: PlaceHostsOptions) {
    this.#options = options;
  }

  /** Resolves also when the server cannot be reached: the place is down until a connection can be made. */
  async goTo(node: CitusNode | undefined, left: () => void): Promise<void> {
    if (node !== undefined && this.#isAt(node)) return;
    this.#node = node;
    this.#hasArrived = false;
    left();
    // Those of other places do not wait for one whose shard is being changed again already. Who uses it waits for it.
    if (!this.#options.arrivesWhenUsed) await settlesWithin(this.#arrive(), patienceMs);
  }

  async choose() {
    await this.#arrive();
    return hostOf(this.#node!);
  }

  forget(): void {
    this.#options.onFailure();
  }

  check(): void {}

  isCurrent(host: { host: string; port: string }): boolean {
    return this.#node !== undefined && host.host === this.#node.host && host.port === String(this.#node.port);
  }

  #isAt({ group, host, port }: CitusNode): boolean {
    const node = this.#node;
    return node?.group === group && node.host === host && node.port === port;
  }

  async #arrive(): Promise<void> {
    if (this.#hasArrived) return;
    const node = this.#node;
    if (node === undefined) throw new Unavailable('the server of a place is not in the cluster');
    if (this.#arriving?.at !== node) this.#arriving = { at: node, ended: this.#options.arrive(node) };
    const arriving = this.#arriving;
    try {
      await arriving.ended;
      if (this.#node === node) this.#hasArrived = true;
    } finally {
      if (this.#arriving === arriving) this.#arriving = undefined;
    }
  }
}

function hostOf({ host, port }: CitusNode) {
  return { host, port: String(port) };
}

export function nameOf({ host, port }: Pick<CitusNode, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/** The server that has a shard. */
export function nodeOf({ ranges, nodes }: Topology, shard: number): string {
  const node = nodes.get(ranges.find((range) => range.shard === shard)?.group ?? -1);
  return node === undefined ? 'no server of the cluster' : nameOf(node);
}

/** A tenant that is still on its way is refused for the moment. Where it is known where the tenant lives, a missing table is a defect. */
function outOfPatience(error: unknown, isKnown: boolean): unknown {
  if (!refusesMoved(error) && (isKnown || !hasMoved(error))) return error;
  return new Unavailable('the account is being moved to another server', { cause: error });
}
