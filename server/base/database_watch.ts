import { Unavailable } from './errors.ts';
import { settlesAwake } from './keyed_queue.ts';
import type { Log } from './log.ts';
import { type Patience, recentMs, type SilenceWatch, SilentDatabase, usualPatience } from './patient_client.ts';
import {
  type Connection,
  connect,
  type DatabaseAddress,
  isBusy,
  isOfServer,
  isTimeout,
  type Outage,
  reasonOf,
  type Sql,
  sqlState,
  Unfit,
} from './sql.ts';
import { every, pause } from './timers.ts';

const probeEveryMs = 500;
/** How long a new connection may take to answer while nothing else is heard of the database either. */
const silentMs = 2_000;
const askSilentEveryMs = 1_000;

/**
 * Whether the database can be written to, on a new connection. Rows of a temporary table take space on the same disk as all others.
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
  /** Called when open connections may have become useless. While no new ones can be opened, they are kept. */
  onStale?: () => void;
  /** Called when the database has gone silent: who waits for a connection is to be refused. */
  onSilent?: (refusal: Unavailable) => void;
};

/** The reason why the database cannot be used, if there is one. Errors such as a missing permission are no outage. */
type ProbeOutcome = { problem?: unknown; isSilent?: boolean };

type ConnectionFailure = { error: Error; since: number };

/**
 * Reports the outages of the database: one line when it goes, one when it is back. Every failure of a connection is passed to `report`;
 * what else fails because of it is logged at level debug.
 *
 * A silent database is one that answers nothing on a new connection, nor on any other, in the same two seconds: a slow statement alone is
 * no silence. Until a new connection is answered, everything that would have to wait for it is refused immediately.
 */
export class DatabaseWatch implements SilenceWatch {
  readonly #address: DatabaseAddress;
  readonly #options: WatchOptions;
  #failures: ConnectionFailure[] = [];
  #isInDoubt = false;
  #heardAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #probing: Promise<ProbeOutcome> | undefined;
  #away: { since: number; outage: Outage; isSilent: boolean } | undefined;
  #backAt = Number.NEGATIVE_INFINITY;
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

  /** Resolves once a probe that is under way has an outcome. */
  async decided(): Promise<void> {
    await this.#probing;
  }

  refusal(): Unavailable | undefined {
    if (!this.#away?.isSilent) return undefined;
    return new Unavailable('the database is silent', { cause: new SilentDatabase(this.#silentMs) });
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  /** As long as others get replies, a connection without one only has a slow statement. */
  doubt(): boolean {
    if (performance.now() - this.#heardAt < recentMs) return false;
    if (this.#isStopped) return true;
    this.#isInDoubt = true;
    this.#looking ??= this.#look();
    return true;
  }

  report(error: Error, since = performance.now()): void {
    if (this.#isStopped || !(isOfServer(error) || isBusy(error))) return;
    this.#options.log.debug({ error: reasonOf(error) }, 'a database connection failed');
    const failure = { error, since };
    if (error instanceof SilentDatabase && this.#isNew(failure)) this.#options.onStale?.(); // the others may be dead as well
    this.#failures.push(failure);
    this.#looking ??= this.#look();
  }

  /** A connection that has waited since before the end of an outage fails because of it, even if it fails much later. */
  #isNew({ since }: ConnectionFailure): boolean {
    return since > this.#backAt;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Asks until the database answers and no connection has failed since. */
  async #look(): Promise<void> {
    let since = performance.now();
    while (this.#isInDoubt || this.#failures.length > 0 || this.#away !== undefined || this.#isCramped) {
      const failures = this.#failures.splice(0);
      this.#isInDoubt = false;
      if (this.#away === undefined) since = performance.now();
      this.#probing = this.#probe(failures.length > 0 || this.#away !== undefined || this.#isCramped);
      const { problem, isSilent = false } = await this.#probing;
      if (this.#isStopped) return;
      this.#noteRoom(problem);
      if (problem !== undefined && !this.#isCramped) this.#goneAway(problem, since, isSilent);
      else if (this.#away !== undefined) this.#isBack();
      else this.#brokeBriefly(failures);
      await (isSilent ? this.#untilHeard() : pause(probeEveryMs));
      if (this.#isStopped) return;
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

  #goneAway(problem: unknown, since: number, isSilent: boolean): void {
    const outage = outageOf(problem);
    const before = this.#away;
    this.#away = { since: before?.since ?? since, outage, isSilent };
    if (before?.outage !== outage) {
      this.#options.log.error({ error: reasonOf(problem) }, outage.message);
      if (outage === down) this.#options.onStale?.();
    }
    if (isSilent && !before?.isSilent) this.#options.onSilent?.(this.refusal()!);
  }

  #isBack(): void {
    const awaySeconds = Math.round((performance.now() - this.#away!.since) / 100) / 10;
    if (this.#away!.outage === readOnly) this.#options.onStale?.(); // a session that began read-only stays so
    this.#away = undefined;
    this.#backAt = performance.now();
    this.#options.log.info({ awaySeconds }, 'the database is back');
  }

  #brokeBriefly(reported: ConnectionFailure[]): void {
    const { log } = this.#options;
    const failures = reported.filter((failure) => this.#isNew(failure)).map(({ error }) => error);
    const broken = this.#isCramped ? [] : failures.filter((error) => !isBusy(error)); // each refused one has failed as well
    if (broken.length > 0)
      log.warn({ error: reasonOf(broken[0]), failures: broken.length }, 'a database connection broke');
    const refused = failures.filter(isBusy).length;
    if (refused > 0) log.warn({ refused }, 'all database connections for some work are in use; part of it is refused');
  }

  /** After a mere doubt it is enough that the database answers: it may be slow, and the rest of the probe may take too long. */
  async #probe(isFull: boolean): Promise<ProbeOutcome> {
    const greeting = this.#greet();
    if (await this.#isSilent(greeting)) {
      void greeting.then(close, () => {}); // it may be answered after all
      return { problem: new SilentDatabase(this.#silentMs), isSilent: true };
    }
    try {
      const client = await greeting;
      this.heard();
      try {
        if (isFull) await client.query(probeText);
        if (isFull) await this.#options.check(client);
      } finally {
        await client.end();
      }
      return {};
    } catch (error) {
      return isOfServer(error) && (isFull || !isTimeout(error)) ? { problem: error } : {};
    }
  }

  /** A new connection that has had a reply. A pooler may accept it before the database does. */
  async #greet(): Promise<Connection> {
    const { connectMs } = this.#patience;
    const client = await connect(this.#address, 'watch', { connectMs, statementMs: connectMs });
    try {
      await client.query('select 1');
      return client;
    } catch (error) {
      close(client);
      throw error;
    }
  }

  /** Whether nothing is heard of the database in time, on the new connection or any other. A refusal is heard as well. */
  async #isSilent(greeting: Promise<Connection>): Promise<boolean> {
    const asked = performance.now();
    const reply = greeting.catch((error) => (isTimeout(error) ? new Promise(() => {}) : undefined));
    return !(await settlesAwake(reply, this.#silentMs)) && this.#heardAt < asked;
  }

  /** Asks a silent database again and again: an attempt that has begun in the silence may never be answered. */
  async #untilHeard(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ask = () => {
      if (this.#isStopped) return resolve();
      this.#greet().then(
        (client) => {
          close(client);
          resolve();
        },
        (error) => isTimeout(error) || resolve(),
      );
    };
    ask();
    const asking = every(askSilentEveryMs, ask);
    await promise;
    asking.cancel();
  }

  get #patience(): Patience {
    return this.#options.patience ?? usualPatience;
  }

  get #silentMs(): number {
    return Math.min(silentMs, this.#patience.connectMs);
  }
}

function close(client: Connection): void {
  void client.end().catch(() => {});
}
