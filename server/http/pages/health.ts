import type { Clock } from '../../base/clock.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import { jsonPage, type Page, type Rendered } from '../../base/page.ts';
import { SchemaMismatch } from '../../base/schema_lock.ts';
import type { Pool } from '../../base/sql.ts';

const databaseTimeoutMs = 2_000;
const decisionMs = 1_500;
const sharedMs = 250; // load balancers ask often, and are not counted
const unreachable = 'database unreachable';

/** What is asked of the directory, and of each place of tenants. */
export type WatchedPlace = {
  readonly name: string;
  readonly reads: Pool;
  readonly watch: {
    /** Why the database cannot be used; undefined when it can. */
    trouble(): string | undefined;
    /** False after a failure that has not been looked into yet. */
    isSure(): boolean;
    /** Resolves once a doubt that is being looked into is decided. */
    decided(): Promise<void>;
  };
};

type ReadinessOptions = {
  places: { directory: WatchedPlace; all(): readonly WatchedPlace[] };
  clock: Pick<Clock, 'monotonic'>;
  isDraining: () => boolean;
};

export function healthPages(version: string, readiness: Readiness): Page[] {
  return [
    { path: '/healthz', counted: false, isProbe: true, render: () => jsonPage(200, { status: 'ok' }) },
    { path: '/readyz', counted: false, isProbe: true, render: () => readiness.render() },
    { path: '/version', counted: true, render: () => jsonPage(200, { version, api_versions: ['v1'] }) },
  ];
}

type Unready = { status: 'stopping' } | { status: 'unavailable'; reason: string };
/** The places that do not serve, and why. */
type Ready = { status: 'ready'; unavailable_places?: Record<string, string> };

/** Whether this server should get requests: while the directory serves, and at least one place of tenants. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #health = new WeakMap<WatchedPlace, PlaceHealth>();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  async render(): Promise<Rendered> {
    const state = await this.#state();
    return jsonPage(state.status === 'ready' ? 200 : 500, state);
  }

  async isReady(): Promise<boolean> {
    return (await this.#state()).status === 'ready';
  }

  async isUp(place: WatchedPlace): Promise<boolean> {
    return (await this.troubleOf(place)) === undefined;
  }

  /** Why a place cannot be used; undefined when it can. */
  troubleOf(place: WatchedPlace): Promise<string | undefined> {
    const health = this.#health.get(place) ?? new PlaceHealth(place, this.#options.clock);
    this.#health.set(place, health);
    return health.trouble();
  }

  async #state(): Promise<Unready | Ready> {
    if (this.#options.isDraining()) return { status: 'stopping' };
    const { places } = this.#options;
    const { directory } = places;
    const others = places.all().filter((place) => place !== directory);
    const asking = others.map(async (place) => [place.name, await this.troubleOf(place)] as const);
    const reason = await this.troubleOf(directory);
    const down = (await Promise.all(asking)).filter((named): named is [string, string] => named[1] !== undefined);
    if (reason !== undefined) return { status: 'unavailable', reason };
    if (down.length === 0) return { status: 'ready' };
    if (down.length === others.length) return { status: 'unavailable', reason: down[0]![1] };
    return { status: 'ready', unavailable_places: Object.fromEntries(down) };
  }
}

/** Whether one place can be used. Callers within 250 ms share an answer of the database, and only one query is in flight. */
class PlaceHealth {
  readonly #place: WatchedPlace;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #asking: Promise<string | undefined> | undefined;
  #known: { reason: string | undefined; at: number } | undefined;

  constructor(place: WatchedPlace, clock: Pick<Clock, 'monotonic'>) {
    this.#place = place;
    this.#clock = clock;
  }

  async trouble(): Promise<string | undefined> {
    return this.#place.watch.trouble() ?? (await this.#reason());
  }

  async #reason(): Promise<string | undefined> {
    const { watch } = this.#place;
    const known = this.#known;
    if (known !== undefined && watch.isSure() && this.#clock.monotonic() - known.at < sharedMs) return known.reason;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const asking = this.#asking;
    const isAnswered = await settlesWithin(asking, databaseTimeoutMs);
    // So that requests are refused immediately from the first answer that says so.
    if (!isAnswered) await settlesWithin(watch.decided(), decisionMs);
    const reason = isAnswered ? await asking : unreachable;
    this.#known = { reason, at: this.#clock.monotonic() };
    return reason;
  }

  /** The connection of a query without a reply is given up, so that the next query tells whether the database is back. */
  async #ask(): Promise<string | undefined> {
    const query = { text: 'select 1', query_timeout: databaseTimeoutMs };
    return this.#place.reads.query(query).then(
      () => undefined,
      (error) => (error instanceof SchemaMismatch ? 'schema mismatch' : unreachable),
    );
  }
}
