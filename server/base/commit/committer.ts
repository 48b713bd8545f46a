import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import { settlesWithin } from '../keyed_queue.ts';
import { checkWithin, type OnFailure, type SilenceWatch, SilentDatabase } from '../patient_client.ts';
import { hasMoved } from '../places/moved.ts';
import {
  type Connection,
  connect,
  type DatabaseAddress,
  dropStatements,
  isUnavailable,
  sqlState,
  Unreplicated,
} from '../sql.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import { commitByClaims } from './claim_form.ts';
import { findCommitted } from './lookup.ts';
import { crossesLocks, guardFailed, StatementBuilder } from './statement.ts';
import {
  type AnyUnit,
  type Derived,
  findMisplaced,
  isDecisive,
  rowName,
  type Unit,
  type UnitSize,
  unitSize,
} from './unit.ts';

const batchUnitsMax = 256;
const batchRowsMax = 20_000; // with derived ones: all callers wait for the batch
const batchBytesMax = 1_048_576;
const unitRowsMax = 10_000; // larger changes have to be made in steps
const unitBytesMax = 8 * batchBytesMax;
const queueUnitsMax = 10_000; // beyond this the database is not keeping up: further units are refused immediately
const forgottenMax = 32; // so many forgotten statements are dropped in one round trip

/** In milliseconds. A commit and its lookup together take less than 25 s, the time within which a caller is answered. */
export const commitPatience = {
  commitMs: 17_000, // a commit without a reply for so long is looked up on a new connection
  connectMs: 3_000, // with the check of the new connection
  reconnectMs: 2_000, // PostgreSQL is back within 200 ms of a crash; anything longer is an outage, reported immediately
  lookupMs: 2_000,
};

/** What commits units: one committer, or those of several places. */
export type Commits = { commit(unit: Unit): Promise<Verdict> };

/** committed: everything is on disk. conflict: nothing was written, because a key was taken, or a row that it depends on had changed. */
type Verdict = 'committed' | 'conflict';

export type CommitObserver = {
  committed?(unit: AnyUnit): void;
  batch(units: number, form: 'plain' | 'claims' | 'single', seconds: number): void;
};

export type CommitterOptions = {
  observer?: CommitObserver;
  /** Checks each new connection before anything is committed on it; rejects when nothing may be. */
  check?: (client: Connection) => Promise<void>;
  /** Rows that follow from inserted ones, and are committed with them. */
  derived?: readonly Derived[];
  /** Gives a unit with the rows that others add to it; undefined: it is committed as it is, without waiting. */
  extend?: (unit: Unit) => Promise<Unit> | undefined;
  /** A function of the database that keeps the tenants of a batch where they are until its end, or fails because they have moved. */
  hold?: string;
  /** Called when derived rows were committed; after a conflict, also when there may have been none. */
  onDerived?: () => void;
  /** Called for every failure of the connection, and for every error that the server reports. */
  onError?: OnFailure;
  /** While the database is silent, units are refused. Those in flight are not: their outcome is waited for, and looked up. */
  watch?: SilenceWatch;
  patience?: Partial<typeof commitPatience>;
  tracing?: Tracing;
};

type WaitingUnit = PromiseWithResolvers<Verdict> & { unit: AnyUnit; size: UnitSize };

// A foreign key that fails (23503): the row that is referred to was deleted meanwhile, or is referred to meanwhile.
const conflictStates = new Set([guardFailed, '40P01', '40001', '23505', '23503']);

/**
 * Group commit. Units that wait at the same moment become one transaction, and one fsync serves them all. A batch never lingers: it is
 * the units that arrived while the last batch was in flight. One connection is enough; more were measured and no faster.
 */
export class Committer {
  readonly #address: DatabaseAddress;
  readonly #options: CommitterOptions;
  readonly #patience: typeof commitPatience;
  readonly #statements: StatementBuilder;
  #queue: WaitingUnit[] = [];
  #connection: Connection | undefined;
  #draining: Promise<void> | undefined;
  #closed = false;
  #isAbandoned = false;
  #isStarved = false;

  constructor(address: DatabaseAddress, options: CommitterOptions = {}) {
    this.#address = address;
    this.#options = options;
    this.#patience = { ...commitPatience, ...options.patience };
    this.#statements = new StatementBuilder(options.derived ?? [], options.hold);
  }

  /** Whether the last attempt to connect has failed. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  /** The span of a commit includes the wait for the batch before it. */
  commit(unit: Unit): Promise<Verdict> {
    const { tracing = noTracing, extend } = this.#options;
    const extended = extend?.(unit);
    if (extended !== undefined) return extended.then((whole) => this.#traced(whole, tracing));
    return this.#traced(unit, tracing);
  }

  #traced(unit: Unit, tracing: Tracing): Promise<Verdict> {
    if (tracing === noTracing) return this.#handIn(unit);
    const facts = { 'db.system.name': 'postgresql', 'tollgate.rows': unit.writes.length };
    return tracing.span({ name: 'commit', kind: 'client', place: 'child', facts }, async (span) => {
      const verdict = await this.#handIn(unit);
      span.note({ 'tollgate.verdict': verdict });
      return verdict;
    });
  }

  #handIn(unit: Unit): Promise<Verdict> {
    if (this.#closed || this.#queue.length >= queueUnitsMax)
      return Promise.reject(new Unavailable(this.#closed ? 'the server is stopping' : 'too many commits are waiting'));
    const refused = this.#options.watch?.refusal();
    if (refused !== undefined) return Promise.reject(refused);
    const misplaced = findMisplaced(unit);
    if (misplaced !== undefined) return Promise.reject(new MixedUnit(misplaced.table.name));
    const size = unitSize(unit, this.#options.derived ?? []);
    if (size.rows > unitRowsMax || size.bytes > unitBytesMax) return Promise.reject(new UnitTooLarge(unit, size));
    const waiting = { ...Promise.withResolvers<Verdict>(), unit, size };
    this.#queue.push(waiting);
    this.#draining ??= new Promise((done) => setImmediate(() => this.#drain().then(done)));
    return waiting.promise;
  }

  /** Waits for the units that were handed in, then closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#connection?.end().catch(() => {});
  }

  /** Closes immediately. Units that wait are refused; the outcome of those in flight is unknown. */
  abandon(): void {
    this.#closed = true;
    this.#isAbandoned = true;
    this.refuseWaiting(new Unavailable('the server is stopping'));
    if (this.#connection !== undefined) this.#hangUp(this.#connection);
  }

  /** Refuses the units of which nothing was sent yet. */
  refuseWaiting(error: Error): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(error);
  }

  /** Gives up a connection that may be dead, unless a commit is in flight on it. */
  dropIdle(): void {
    if (this.#draining === undefined && this.#connection !== undefined) this.#hangUp(this.#connection);
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#commitBatch(batch);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
      await this.#dropForgotten();
    }
    this.#draining = undefined;
  }

  /** Many at a time, so that hardly any batch waits for it. A new connection has none of the names. */
  async #dropForgotten(): Promise<void> {
    if (this.#statements.forgotten.length < forgottenMax) return;
    const names = this.#statements.forgotten.splice(0);
    const client = this.#connection;
    if (client === undefined) return;
    await this.#patiently(client, dropStatements(client, names)).catch(() => this.#hangUp(client));
  }

  /** Takes units in order, but leaves units that touch a row of this batch for the next one. */
  #nextBatch(): WaitingUnit[] {
    const batch: WaitingUnit[] = [];
    const left: WaitingUnit[] = [];
    const touched = new Set<string>();
    const size = { rows: 0, bytes: 0 };
    for (const waiting of this.#queue) {
      const isOver = size.rows + waiting.size.rows > batchRowsMax || size.bytes + waiting.size.bytes > batchBytesMax;
      const full = batch.length >= batchUnitsMax || (batch.length > 0 && isOver);
      const rows = waiting.unit.writes.filter(isDecisive).map(rowName);
      if (full || rows.some((row) => touched.has(row))) {
        left.push(waiting);
      } else {
        batch.push(waiting);
        size.rows += waiting.size.rows;
        size.bytes += waiting.size.bytes;
      }
      // A unit that has to wait keeps its place before later ones on the same row.
      for (const row of rows) touched.add(row);
    }
    this.#queue = left;
    return batch;
  }

  async #commitBatch(batch: WaitingUnit[]): Promise<void> {
    const started = performance.now();
    const report = (form: 'plain' | 'claims' | 'single') =>
      this.#options.observer?.batch(batch.length, form, (performance.now() - started) / 1_000);
    const writes = batch.flatMap((waiting) => waiting.unit.writes);
    if (crossesLocks(writes)) return this.#commitByClaims(batch).finally(() => report('claims'));
    const client = await this.#connect();
    try {
      const result = await this.#patiently(client, client.query<{ derived: number }>(this.#statements.build(writes)));
      report('plain');
      if (result.rows[0]!.derived > 0) this.#options.onDerived?.();
      for (const waiting of batch) this.#settle(waiting, 'committed');
    } catch (error) {
      if (isUnavailable(error)) return this.#lookUp(batch, error);
      if (this.#isElsewhere(error)) throw error;
      if (!conflictStates.has(sqlState(error) ?? '')) return this.#commitSingly(batch).finally(() => report('single'));
      await this.#commitByClaims(batch).finally(() => report('claims'));
    }
  }

  async #commitByClaims(batch: WaitingUnit[]): Promise<void> {
    const client = await this.#connect();
    const units = batch.map((waiting) => waiting.unit);
    try {
      const held = await this.#patiently(client, commitByClaims(client, units, this.#statements));
      for (const [at, waiting] of batch.entries()) this.#settle(waiting, held[at] ? 'committed' : 'conflict');
      this.#options.onDerived?.();
    } catch (error) {
      if (isUnavailable(error)) return this.#lookUp(batch, error);
      if (this.#isElsewhere(error)) throw error;
      await this.#commitSingly(batch);
    }
  }

  /** The last resort, when a batch fails for another reason than a claim or a guard: only the unit at fault fails. */
  async #commitSingly(batch: WaitingUnit[]): Promise<void> {
    for (const waiting of batch) {
      try {
        const client = await this.#connect();
        await this.#patiently(client, client.query(this.#statements.build(waiting.unit.writes)));
        this.#settle(waiting, 'committed');
        this.#options.onDerived?.();
      } catch (error) {
        if (isUnavailable(error)) await this.#lookUp([waiting], error);
        else if (conflictStates.has(sqlState(error) ?? '')) waiting.resolve('conflict');
        else waiting.reject(error);
      }
    }
  }

  /** Whether the tenants of a batch live elsewhere now. A batch that this is said of is refused as a whole, and nothing of it is written. */
  #isElsewhere(error: unknown): boolean {
    return this.#options.hold !== undefined && hasMoved(error);
  }

  #settle(waiting: WaitingUnit, verdict: Verdict): void {
    if (verdict === 'committed') this.#options.observer?.committed?.(waiting.unit);
    waiting.resolve(verdict);
  }

  /** Waits for a statement that may include a commit. It is never cancelled: the connection is abandoned instead. */
  async #patiently<T>(client: Connection, running: Promise<T>): Promise<T> {
    if (!(await settlesWithin(running, this.#patience.commitMs))) {
      running.catch(() => {});
      const silence = new SilentDatabase(this.#patience.commitMs);
      this.#hangUp(client, silence);
      throw new Unavailable('the database has not replied to a commit', { cause: silence });
    }
    return running;
  }

  /** The reply was lost. Units that a new connection finds are committed; the outcome of the others stays unknown. */
  async #lookUp(batch: WaitingUnit[], cause: unknown): Promise<void> {
    if (this.#connection !== undefined) this.#hangUp(this.#connection);
    const unknown = new Unavailable('the outcome of a commit is unknown', { cause });
    const units = batch.map((waiting) => waiting.unit);
    const found = isSettled(cause) ? [] : await this.#findCommitted(units);
    for (const [at, waiting] of batch.entries()) {
      if (found[at]) this.#settle(waiting, 'committed');
      else waiting.reject(unknown);
    }
  }

  async #findCommitted(units: AnyUnit[]): Promise<boolean[]> {
    const { reconnectMs, lookupMs } = this.#patience;
    const deadline = performance.now() + reconnectMs;
    for (let leftMs = reconnectMs; leftMs > 0 && !this.#isAbandoned; leftMs = deadline - performance.now()) {
      const client = await this.#connect(leftMs).catch(() => undefined);
      if (client !== undefined) {
        const looking = findCommitted(client, units).catch((error): boolean[] => {
          this.#hangUp(client, error);
          return [];
        });
        if (!(await settlesWithin(looking, lookupMs))) this.#hangUp(client, new SilentDatabase(lookupMs));
        return looking;
      }
      await sleep(20);
    }
    return [];
  }

  /** Opens the connection, and checks it, within the time. */
  async #connect(limitMs = this.#patience.connectMs): Promise<Connection> {
    if (this.#connection !== undefined && !this.#connection.isCurrent) this.#hangUp(this.#connection);
    if (this.#connection !== undefined) return this.#connection;
    try {
      const { check, onError, watch } = this.#options;
      const statementMs = 2 * this.#patience.commitMs; // `#patiently` is earlier
      const client = await connect(this.#address, 'commit', { connectMs: limitMs, statementMs }, onError, watch);
      if (check !== undefined)
        await checkWithin(limitMs, client, check).catch(async (error) => {
          await client.end().catch(() => {});
          throw error;
        });
      client.on('end', () => {
        if (this.#connection === client) this.#connection = undefined;
      });
      this.#connection = client;
      this.#isStarved = false;
      return client;
    } catch (error) {
      if (this.#isElsewhere(error)) throw error;
      this.#isStarved = true;
      throw new Unavailable('the database cannot be reached', { cause: error });
    }
  }

  #hangUp(client: Connection, reason?: Error): void {
    if (this.#connection === client) this.#connection = undefined;
    client.hangUp(reason);
  }
}

const readOnly = '25006';

/**
 * Whether a lookup could change nothing: the standby does not have the units, or nothing was written, because the session is read-only.
 * Such a session stays read-only, so the lookup must not open the connection of the next commit either.
 */
function isSettled(cause: unknown): boolean {
  return cause instanceof Unreplicated || sqlState(cause) === readOnly;
}

class MixedUnit extends Error {
  constructor(table: string) {
    super(`a unit of one tenant, or of the directory, has a row of another home in ${table}`);
  }
}

/** An operation or a job that writes so much in one commit is a defect: it has to do its work in steps. */
class UnitTooLarge extends Error {
  constructor({ writes }: Unit, { rows, bytes }: UnitSize) {
    super(
      `a change of ${rowName(writes[0]!)} with ${rows} rows and ${bytes} bytes is too large for one commit; nothing was written`,
    );
  }
}
