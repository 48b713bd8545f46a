import type { Clock } from '../../base/clock.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import { jsonPage, type Page, type Rendered } from '../../base/page.ts';
import { SchemaMismatch } from '../../base/schema_lock.ts';
import type { Pool } from '../../base/sql.ts';

const databaseTimeoutMs = 2_000;
const decisionMs = 1_500;
const sharedMs = 250; // load balancers ask often, and are not counted
const unreachable = 'database unreachable';

type ReadinessOptions = {
  reads: Pool;
  clock: Pick<Clock, 'monotonic'>;
  watch: {
    /** Why the database cannot be used; undefined when it can. */
    trouble(): string | undefined;
    /** False after a failure that has not been looked into yet. */
    isSure(): boolean;
    /** Resolves once a doubt that is being looked into is decided. */
    decided(): Promise<void>;
  };
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

/** Whether this server should get requests. Callers within 250 ms share an answer of the database, and only one query is in flight. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #asking: Promise<string | undefined> | undefined;
  #known: { reason: string | undefined; at: number } | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  async render(): Promise<Rendered> {
    const obstacle = await this.#obstacle();
    return obstacle === undefined ? jsonPage(200, { status: 'ready' }) : jsonPage(500, obstacle);
  }

  async isReady(): Promise<boolean> {
    return (await this.#obstacle()) === undefined;
  }

  async #obstacle(): Promise<Unready | undefined> {
    if (this.#options.isDraining()) return { status: 'stopping' };
    const reason = this.#options.watch.trouble() ?? (await this.#reason());
    return reason === undefined ? undefined : { status: 'unavailable', reason };
  }

  /** Why the database cannot be used; undefined when it answers. */
  async #reason(): Promise<string | undefined> {
    const { clock, watch } = this.#options;
    const known = this.#known;
    if (known !== undefined && watch.isSure() && clock.monotonic() - known.at < sharedMs) return known.reason;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const asking = this.#asking;
    const isAnswered = await settlesWithin(asking, databaseTimeoutMs);
    // So that requests are refused immediately from the first answer that says so.
    if (!isAnswered) await settlesWithin(watch.decided(), decisionMs);
    const reason = isAnswered ? await asking : unreachable;
    this.#known = { reason, at: clock.monotonic() };
    return reason;
  }

  /** The connection of a query without a reply is given up, so that the next query tells whether the database is back. */
  async #ask(): Promise<string | undefined> {
    const query = { text: 'select 1', query_timeout: databaseTimeoutMs };
    return this.#options.reads.query(query).then(
      () => undefined,
      (error) => (error instanceof SchemaMismatch ? 'schema mismatch' : unreachable),
    );
  }
}
