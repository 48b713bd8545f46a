import { Unavailable } from '../errors.ts';
import { settlesWithin } from '../keyed_queue.ts';
import { type Connection, connect, type DatabaseAddress, isUnavailable, sqlState } from '../sql.ts';
import { commitByClaims } from './claim_form.ts';
import { findCommitted } from './lookup.ts';
import { crossesLocks, guardFailed, StatementBuilder } from './statement.ts';
import { type Derived, isDecisive, rowName, type Unit, unitBytes } from './unit.ts';

const batchUnitsMax = 256;
const batchBytesMax = 1_048_576;
const queueUnitsMax = 10_000; // past this the database is not keeping up: refuse at once rather than pile up
const commitPatienceMs = 20_000; // a commit without an answer for so long is looked up on a new connection
const lookupPatienceMs = 2_000; // PostgreSQL is back within 200 ms of a crash; longer than this is an outage, told at once

/** committed: everything is on disk. conflict: nothing was written, because a claim was taken or a guarded row had moved on. */
export type Verdict = 'committed' | 'conflict';

export type CommitObserver = {
  batch(units: number, form: 'plain' | 'claims' | 'single', seconds: number): void;
};

export type CommitterOptions = {
  observer?: CommitObserver;
  /** Looks at each new connection before anything is committed on it, and rejects when nothing may be. */
  check?: (client: Connection) => Promise<void>;
  /** The rows that follow from others are written with them. */
  derived?: readonly Derived[];
  /** Called when derived rows were committed; after a conflict, also when there may be none. */
  onDerived?: () => void;
};

type Waiting = {
  unit: Unit;
  bytes: number;
  resolve: (verdict: Verdict) => void;
  reject: (error: unknown) => void;
};

const conflictStates = new Set([guardFailed, '40P01', '40001', '23505']);

/**
 * Group commit. Units that wait at the same moment become one transaction, and one fsync serves them all. A batch never lingers:
 * it is what gathered while the last one was on its way. One connection does it all; more were measured to be no faster.
 */
export class Committer {
  readonly #address: DatabaseAddress;
  readonly #options: CommitterOptions;
  readonly #statements: StatementBuilder;
  #queue: Waiting[] = [];
  #connection: Connection | undefined;
  #replicationInDoubt = false;
  #idle = Promise.resolve();
  #running = false;
  #closed = false;

  constructor(address: DatabaseAddress, options: CommitterOptions = {}) {
    this.#address = address;
    this.#options = options;
    this.#statements = new StatementBuilder(options.derived ?? []);
  }

  commit(unit: Unit): Promise<Verdict> {
    if (this.#closed || this.#queue.length >= queueUnitsMax)
      return Promise.reject(new Unavailable(this.#closed ? 'the server is stopping' : 'too many commits are waiting'));
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
    this.#queue.push({ unit, bytes: unitBytes(unit), resolve, reject });
    if (!this.#running) {
      this.#running = true;
      this.#idle = new Promise((done) => setImmediate(() => this.#drain().then(done)));
    }
    return promise;
  }

  /** Waits for what was handed in, then hangs up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#idle;
    await this.#connection?.end().catch(() => {});
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#commitBatch(batch);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#running = false;
  }

  /** Takes units in order, but leaves for the next batch those that touch a row which this batch already touches. */
  #nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const touched = new Set<string>();
    let bytes = 0;
    for (const waiting of this.#queue) {
      const full = batch.length >= batchUnitsMax || (batch.length > 0 && bytes + waiting.bytes > batchBytesMax);
      const rows = waiting.unit.writes.filter(isDecisive).map(rowName);
      if (full || rows.some((row) => touched.has(row))) {
        left.push(waiting);
      } else {
        batch.push(waiting);
        bytes += waiting.bytes;
      }
      // A unit that has to wait keeps its place before later ones on the same row.
      for (const row of rows) touched.add(row);
    }
    this.#queue = left;
    return batch;
  }

  async #commitBatch(batch: Waiting[]): Promise<void> {
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
      for (const waiting of batch) waiting.resolve('committed');
    } catch (error) {
      if (isUnavailable(error)) return this.#lookUp(batch, error);
      if (!conflictStates.has(sqlState(error) ?? '')) return this.#commitSingly(batch).finally(() => report('single'));
      await this.#commitByClaims(batch).finally(() => report('claims'));
    }
  }

  async #commitByClaims(batch: Waiting[]): Promise<void> {
    const client = await this.#connect();
    const units = batch.map((waiting) => waiting.unit);
    try {
      const held = await this.#patiently(client, commitByClaims(client, units, this.#statements));
      for (const [at, waiting] of batch.entries()) waiting.resolve(held[at] ? 'committed' : 'conflict');
      this.#options.onDerived?.();
    } catch (error) {
      if (isUnavailable(error)) return this.#lookUp(batch, error);
      await this.#commitSingly(batch);
    }
  }

  /** The last resort, when a batch fails for a reason that is neither a claim nor a guard: the one at fault fails alone. */
  async #commitSingly(batch: Waiting[]): Promise<void> {
    for (const waiting of batch) {
      try {
        const client = await this.#connect();
        await this.#patiently(client, client.query(this.#statements.build(waiting.unit.writes)));
        waiting.resolve('committed');
        this.#options.onDerived?.();
      } catch (error) {
        if (isUnavailable(error)) await this.#lookUp([waiting], error);
        else if (conflictStates.has(sqlState(error) ?? '')) waiting.resolve('conflict');
        else waiting.reject(error);
      }
    }
  }

  /** Waits for a statement that may hold a commit. Whatever happens it is never cancelled: the connection is given up instead. */
  async #patiently<T>(client: Connection, running: Promise<T>): Promise<T> {
    if (!(await settlesWithin(running, commitPatienceMs))) {
      running.catch(() => {});
      this.#hangUp(client);
      throw new Unavailable('a commit has not been answered');
    }
    const result = await running;
    if (this.#replicationInDoubt) {
      this.#replicationInDoubt = false;
      throw new InDoubt('a commit is on this server but not on its standby');
    }
    return result;
  }

  /** The reply was lost. Ask a new connection what is there: found is committed, everything else stays unknown to the caller. */
  async #lookUp(batch: Waiting[], cause: unknown): Promise<void> {
    if (this.#connection !== undefined) this.#hangUp(this.#connection);
    const unknown = new Unavailable('the fate of a commit is unknown', { cause });
    if (cause instanceof InDoubt) {
      for (const waiting of batch) waiting.reject(unknown);
      return;
    }
    try {
      const client = await this.#connectWithin(lookupPatienceMs);
      const found = await findCommitted(
        client,
        batch.map((waiting) => waiting.unit),
      );
      for (const [at, waiting] of batch.entries()) {
        if (found[at]) waiting.resolve('committed');
        else waiting.reject(unknown);
      }
    } catch {
      for (const waiting of batch) waiting.reject(unknown);
    }
  }

  async #connectWithin(milliseconds: number): Promise<Connection> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      try {
        return await this.#connect();
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async #connect(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    try {
      const client = await connect(this.#address, 'commit');
      await this.#options.check?.(client).catch(async (error) => {
        await client.end().catch(() => {});
        throw error;
      });
      client.on('end', () => {
        if (this.#connection === client) this.#connection = undefined;
      });
      client.on('notice', (notice) => {
        // PostgreSQL gave up waiting for a synchronous standby: a failover could lose what it calls committed.
        if (notice.message?.includes('synchronous replication')) this.#replicationInDoubt = true;
      });
      this.#connection = client;
      return client;
    } catch (error) {
      throw new Unavailable('the database cannot be reached', { cause: error });
    }
  }

  #hangUp(client: Connection): void {
    if (this.#connection === client) this.#connection = undefined;
    // Not `end()`: that would wait for the statement. Closing the socket leaves the server to finish or to notice.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

class InDoubt extends Unavailable {}
