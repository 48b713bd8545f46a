import type { Log } from './log.ts';
import { type Patience, usualPatience } from './patient_client.ts';
import {
  connect,
  type DatabaseAddress,
  isBusy,
  isOfServer,
  type Outage,
  reasonOf,
  type Sql,
  sqlState,
  Unfit,
} from './sql.ts';
import { pause } from './timers.ts';

const probeEveryMs = 500;

/**
 * Whether the database can be written to, on a new connection. Rows of a temporary table take room on the same disk as all others.
 * Nothing of it remains.
 */
const probeText = `begin; set local temp_tablespaces = '';
  create temporary table tollgate_probe on commit drop as select repeat('x', 1000) as filler from generate_series(1, 1000);
  rollback`;

const down: Outage = {
  reason: 'database unreachable',
  message: 'the database is down; requests are answered with 500 unavailable until it is back',
};

const readOnly: Outage = {
  reason: 'database refuses writes',
  message: 'the database is read-only, so nothing can be changed; check whether DATABASE_URL names the primary',
};

const tooManyConnections = '53300';

/** Outages of a database that can be reached, by SQLSTATE. */
const refusals: Readonly<Record<string, Outage>> = {
  '53100': {
    reason: 'database refuses writes',
    message:
      'the disk of the database is full, so nothing can be changed; free space there, and Tollgate continues by itself',
  },
  '53200': {
    reason: 'database out of memory',
    message:
      'the database is out of memory; give it more, or lower its settings for memory. Tollgate continues by itself',
  },
  [tooManyConnections]: {
    reason: 'database has no connections left',
    message:
      'the database has no connections left; raise its max_connections, or close other clients. Tollgate continues by itself',
  },
  '25006': readOnly,
};

function outageOf(problem: unknown): Outage {
  return problem instanceof Unfit ? problem.outage : (refusals[sqlState(problem) ?? ''] ?? down);
}

type WatchOptions = {
  log: Log;
  patience?: Patience | undefined;
  /** Rejects with `Unfit` while nothing may be changed. */
  check: (client: Sql) => Promise<void>;
  /** Whether some work has no connection at all. */
  isStarved?: () => boolean;
  /** Called when open connections may be of no use any more. While there are no new ones to be had, they are kept. */
  onStale?: () => void;
};

/**
 * Reports the outages of the database: one line when it goes, one when it is back. Every failure of a connection is passed to `report`;
 * what else fails because of it is logged at level debug.
 */
export class DatabaseWatch {
  readonly #address: DatabaseAddress;
  readonly #options: WatchOptions;
  #failures: Error[] = [];
  #looking: Promise<void> | undefined;
  #away: { since: number; outage: Outage } | undefined;
  /** The database refuses further connections, but there is at least one for all work. */
  #isCramped = false;
  #isStopped = false;

  constructor(address: DatabaseAddress, options: WatchOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** Why the database cannot be used at the moment, in a few words; undefined when it can. */
  trouble(): string | undefined {
    return this.#away?.outage.reason;
  }

  /** False after a failure, until the database was asked. */
  isSure(): boolean {
    return this.#looking === undefined;
  }

  report(error: Error): void {
    if (this.#isStopped || !(isOfServer(error) || isBusy(error))) return;
    this.#options.log.debug({ error: reasonOf(error) }, 'a database connection failed');
    this.#failures.push(error);
    this.#looking ??= this.#look();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Asks until the database answers and no connection has failed since. */
  async #look(): Promise<void> {
    let since = performance.now();
    while (this.#failures.length > 0 || this.#away !== undefined || this.#isCramped) {
      const failures = this.#failures.splice(0);
      if (this.#away === undefined) since = performance.now();
      const problem = await this.#probe();
      if (this.#isStopped) return;
      this.#noteRoom(problem);
      if (problem !== undefined && !this.#isCramped) this.#goneAway(problem, since);
      else if (this.#away !== undefined) this.#isBack();
      else this.#brokeBriefly(failures);
      await pause(probeEveryMs);
    }
    this.#looking = undefined;
  }

  /** A server that can do all of its work with the connections it has is ready, although it gets no others. */
  #noteRoom(problem: unknown): void {
    const { log, isStarved = () => true } = this.#options;
    const was = this.#isCramped;
    this.#isCramped = sqlState(problem) === tooManyConnections && !isStarved();
    if (this.#isCramped && !was)
      log.warn(
        { error: reasonOf(problem) },
        'the database allows no further connections; requests are served with those that are open, and wait longer',
      );
  }

  #goneAway(problem: unknown, since: number): void {
    const outage = outageOf(problem);
    if (this.#away?.outage === outage) return;
    this.#away = { since: this.#away?.since ?? since, outage };
    this.#options.log.error({ error: reasonOf(problem) }, outage.message);
    if (outage === down) this.#options.onStale?.();
  }

  #isBack(): void {
    const awaySeconds = Math.round((performance.now() - this.#away!.since) / 100) / 10;
    if (this.#away!.outage === readOnly) this.#options.onStale?.(); // a session that began read-only stays so
    this.#away = undefined;
    this.#options.log.info({ awaySeconds }, 'the database is back');
  }

  #brokeBriefly(failures: Error[]): void {
    const { log } = this.#options;
    const broken = this.#isCramped ? [] : failures.filter((error) => !isBusy(error)); // each refused one has failed as well
    if (broken.length > 0)
      log.warn({ error: reasonOf(broken[0]), failures: broken.length }, 'a database connection broke');
    const refused = failures.filter(isBusy).length;
    if (refused > 0) log.warn({ refused }, 'all database connections for some work are in use; part of it is refused');
  }

  /** The reason why it cannot be used. Other errors, such as a missing permission, are no outage. */
  async #probe(): Promise<unknown> {
    const { connectMs } = this.#options.patience ?? usualPatience;
    try {
      const client = await connect(this.#address, 'watch', { connectMs, statementMs: connectMs });
      try {
        await client.query(probeText);
        await this.#options.check(client);
      } finally {
        await client.end();
      }
    } catch (error) {
      return isOfServer(error) ? error : undefined;
    }
  }
}
