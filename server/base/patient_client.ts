import pg from 'pg';
import type { Host } from './database_url.ts';
import type { Hosts, SessionState } from './hosts.ts';
import { settlesWithin } from './keyed_queue.ts';
import type { SessionSettings } from './session_settings.ts';
import { after, type Timer } from './timers.ts';

/** How long the database may be silent, in milliseconds. */
export type Patience = {
  /** Until there is a connection: a new one that is checked, or one of a pool whose connections are all in use. */
  connectMs: number;
  /** From a statement to its reply. The outcome of a statement without a reply is unknown. */
  statementMs: number;
};

/** Callers are answered within 25 s, so a wait for a connection and for its reply ends before that. */
export const usualPatience: Patience = { connectMs: 5_000, statementMs: 19_000 };

/** For migrations and commands, whose statements may take hours, and which an operator watches. */
export const operatorPatience: Patience = { ...usualPatience, statementMs: Number.POSITIVE_INFINITY };

const goodbyeMs = 1_000;

/** After this time without a reply, it is checked whether the database still answers. */
export const doubtMs = 1_000;
/** A reply that is no older, on any connection, shows that the database answers. */
export const recentMs = 500;

/** The messages of pg for a caller that got no connection in time, and for a pool that is closing. */
export const busyPool = 'timeout exceeded when trying to connect';
export const endedPool = 'Cannot use a pool after calling end on the pool';

/** The database has not replied for too long. It may be frozen, or its host may have vanished without closing the connection. */
export class SilentDatabase extends Error {
  constructor(silentMs: number) {
    super(`the database has not replied for ${silentMs / 1_000} s`);
  }
}

/** Finds out whether the database has gone silent, for all connections together. */
export type SilenceWatch = {
  /** Called when a connection has waited for a reply for `doubtMs`. False while others get replies: call it again. */
  doubt(): boolean;
  /** Called for every reply to a statement. */
  heard(): void;
  /** The error of what is not begun because the database is silent; undefined while it is not. */
  refusal(): Error | undefined;
};

/**
 * Called for every failure of a connection, and for every error that the server reports.
 * `since`: from when on the connection waited for what failed; the moment of the failure if it waited for nothing.
 */
export type OnFailure = (error: Error, since: number) => void;

export type PatientOptions = pg.ClientConfig & {
  patience: Patience;
  /** The settings of the session. */
  session: SessionSettings;
  /** Which of several hosts to connect to. */
  hosts?: Hosts | undefined;
  onError: OnFailure;
  watch?: SilenceWatch | undefined;
  /** The connections that are not closed. */
  opened: Set<PatientClient>;
};

/** The protocol below a client, which pg does not declare. */
type Protocol = NodeJS.EventEmitter & {
  stream: NodeJS.EventEmitter & { destroyed: boolean; destroy(reason: Error): void };
};

/**
 * A connection that gives up. When a host vanishes without a reset, TCP keeps sending a statement for about 15 minutes. After a silence
 * this connection is destroyed instead, and so it cannot be used again.
 */
export class PatientClient extends pg.Client {
  readonly madeAt = performance.now();
  readonly session: SessionSettings;
  readonly #patience: Patience;
  readonly #watch: SilenceWatch | undefined;
  /** Settings that the server reports without being asked (ParameterStatus). */
  readonly #reported = new Map<string, string>();
  #silence: Timer | undefined;
  /** When it was made, or was sent the first statement whose reply is awaited. */
  #waitsSince: number | undefined = this.madeAt;
  #isEnding = false;
  #isCurrent = () => true;

  constructor(options: PatientOptions) {
    super(options);
    const { patience, session, hosts, watch, opened } = options;
    const onError = (error: Error) => options.onError(error, this.#waitsSince ?? performance.now());
    this.#patience = patience;
    this.#watch = watch;
    this.session = session;
    if (hosts !== undefined) this.#chooseAmong(hosts, onError);
    opened.add(this);
    this.on('error', () => {}); // the statement in flight rejects as well, and is handled there
    this.#protocol.stream.on('error', () => {}); // pg listens from `connect` on, and an error without a listener ends the process
    this.on('drain', () => {
      this.#silence?.cancel();
      this.#waitsSince = undefined;
      watch?.heard();
    });
    // It is about to connect. A separate timer: the first statement may be sent before `connect` is emitted.
    const connecting = watch && after(doubtMs, () => watch.doubt());
    this.on('connect', () => connecting?.cancel());
    // Not an override, which would have to repeat all overloads of pg.
    const query = this.query as (...form: unknown[]) => unknown;
    this.query = ((...form: unknown[]) => {
      this.#waitsSince ??= performance.now();
      this.#awaitReply();
      return query.apply(this, form);
    }) as typeof this.query;
    this.#protocol.on('parameterStatus', ({ parameterName: name, parameterValue: value }) =>
      this.#reported.set(name, value),
    );
    this.#protocol.on('error', onError);
    this.#protocol.on('errorMessage', onError);
    this.#protocol.on('end', () => {
      connecting?.cancel();
      this.#silence?.cancel();
      opened.delete(this);
      if (!this.#isEnding) onError(new Error('Connection terminated unexpectedly'));
    });
  }

  /** False when what this connection was opened for is on another host by now. */
  get isCurrent(): boolean {
    return this.#isCurrent();
  }

  /** Connects to one of several hosts, and only to one of the right kind. */
  #chooseAmong(hosts: Hosts, onError: (error: Error) => void): void {
    const connect = this.connect.bind(this) as () => Promise<unknown>;
    const connectToOne = async () => {
      const host = await this.#chooseHost(hosts, onError);
      const port = host.port === '' ? {} : { port: Number(host.port) };
      Object.assign(this, { host: host.host, ...port });
      try {
        await connect();
        hosts.check(host, await this.state());
        this.#isCurrent = () => hosts.isCurrent?.(host) ?? true;
      } catch (error) {
        hosts.forget(host);
        this.#isEnding = true; // a session of another kind is no failure of its connection
        this.hangUp();
        throw error;
      }
      return this;
    };
    // Not an override, as above.
    this.connect = ((callback?: (error: Error | null, client?: this) => void) => {
      const connecting = connectToOne();
      if (callback === undefined) return connecting;
      connecting.then((client) => callback(null, client), callback);
    }) as typeof this.connect;
  }

  async #chooseHost(hosts: Hosts, onError: (error: Error) => void): Promise<Host> {
    try {
      const host = await hosts.choose();
      if (this.#protocol.stream.destroyed) throw new Error('Connection terminated');
      return host;
    } catch (error) {
      onError(error as Error);
      this.#isEnding = true;
      this.#protocol.emit('end'); // a socket that was never opened does not close
      throw error;
    }
  }

  /** PostgreSQL reports it with every connection. A pooler may not. */
  async state(): Promise<SessionState> {
    const [standby, readOnly] = ['in_hot_standby', 'default_transaction_read_only'].map((n) => this.#reported.get(n));
    if (standby !== undefined && readOnly !== undefined)
      return { isStandby: standby === 'on', isReadOnly: readOnly === 'on' };
    const { rows } = await this.query<SessionState>(
      `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only')::bool as "isReadOnly"`,
    );
    return rows[0]!;
  }

  /** Says goodbye, but does not wait for the host to hear it. */
  override end(callback?: (error: Error) => void): Promise<void> {
    this.#isEnding = true;
    after(goodbyeMs, () => this.hangUp());
    return callback === undefined ? super.end() : (super.end(callback) as never);
  }

  /** Destroys the connection. The server finishes the statement in flight or aborts it; here its outcome is unknown. */
  hangUp(reason = new Error('Connection terminated')): void {
    this.#protocol.stream.destroy(reason);
  }

  #awaitReply(leftMs = this.#patience.statementMs, unsureAfterMs = doubtMs): void {
    const watch = this.#watch;
    this.#silence?.cancel();
    if (watch === undefined || leftMs <= unsureAfterMs) this.#giveUpAfter(leftMs);
    else
      this.#silence = after(unsureAfterMs, () => {
        if (watch.doubt()) this.#giveUpAfter(leftMs - unsureAfterMs);
        else this.#awaitReply(leftMs - unsureAfterMs, recentMs);
      });
  }

  #giveUpAfter(ms: number): void {
    const { statementMs } = this.#patience;
    if (Number.isFinite(ms)) this.#silence = after(ms, () => this.hangUp(new SilentDatabase(statementMs)));
  }

  get #protocol(): Protocol {
    return (this as unknown as { connection: Protocol }).connection;
  }
}

/** Checks a new connection. Making it and checking it take no longer than the limit. */
export async function checkWithin(
  limitMs: number,
  client: PatientClient,
  check: (client: PatientClient) => Promise<void>,
): Promise<void> {
  const checking = check(client);
  const leftMs = limitMs - (performance.now() - client.madeAt);
  if (!(await settlesWithin(checking, leftMs))) client.hangUp(new SilentDatabase(limitMs));
  return checking;
}

/** A database that has refused one connection more is asked again after this time. */
const refusedMs = 1_000;
const outOfResources = /^53/;

/** Whether the server had no resources for one more connection: no free slot (max_connections), memory or disk. */
function isOutOfResources(error: unknown): boolean {
  return error instanceof pg.DatabaseError && outOfResources.test(`${error.code}`);
}

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;

/** Members of a pool that pg does not declare. */
type PoolInternals = {
  _clients: pg.PoolClient[];
  _pendingQueue: { callback(error: Error): void }[];
  _pulseQueue(): void;
};

/** A pool of patient connections. */
export class PatientPool extends pg.Pool {
  readonly #opened: Set<PatientClient>;
  readonly #connected = new Set<pg.PoolClient>();
  readonly #idle = new Set<PatientClient>();
  readonly #connectionsMax: number;
  readonly #connectMs: number;
  readonly #watch: SilenceWatch | undefined;

  #isStarved = false;

  constructor(options: pg.PoolConfig & Omit<PatientOptions, 'opened'> & { max: number }) {
    const opened = new Set<PatientClient>();
    super({ ...options, opened, Client: PatientClient } as unknown as pg.PoolConfig);
    this.#opened = opened;
    this.#connectionsMax = options.max;
    this.#connectMs = options.patience.connectMs;
    this.#watch = options.watch;
    this.on('error', () => {}); // about an idle connection, which reports it as well
    this.#connectPatiently(options.onError);
    this.on('connect', (client) => this.#connected.add(client));
    this.on('acquire', (client) => this.#idle.delete(client as unknown as PatientClient));
    this.on('release', (_, client) => this.#keep(client as unknown as PatientClient));
    this.on('remove', (client) => {
      this.#idle.delete(client as unknown as PatientClient);
      this.#connected.delete(client);
    });
  }

  /**
   * Callers whom the database refuses a new connection wait for one of the others. Who finds all in use for too long is reported. While
   * the database is silent, nobody waits for it.
   */
  #connectPatiently(onError: OnFailure): void {
    const connect = this.connect as (callback: Connected) => void;
    const connectWith = (callback: Connected) => {
      const refused = this.#watch?.refusal();
      if (refused !== undefined) return process.nextTick(callback, refused);
      const since = performance.now();
      const deadline = since + this.#connectMs;
      let timer: Timer | undefined;
      let isOver = false;
      const end: Connected = (error, client, release) => {
        if (isOver) return release?.(); // too late
        isOver = true;
        timer?.cancel();
        if (client !== undefined) this.#isStarved = false;
        else if (isOutOfResources(error)) this.#isStarved = this.#openCount === 0;
        if (error?.message === busyPool) onError(error, since);
        callback(error, client, release);
      };
      const attempt = (): void =>
        connect.call(this, (error, ...rest) => {
          if (isOver || !this.#shrinks(error)) return end(error, ...rest);
          timer ??= after(deadline - performance.now(), () => end(error));
          attempt();
        });
      attempt();
    };
    this.connect = ((callback?: Connected) => {
      if (callback !== undefined) return connectWith(callback);
      return new Promise<pg.PoolClient>((resolve, reject) => {
        connectWith((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }) as typeof this.connect;
  }

  /** When the database accepts no further connection, those that are open are all of the pool for a while. */
  #shrinks(error: Error | undefined): boolean {
    const open = this.#openCount;
    if (!isOutOfResources(error) || open === 0) return false;
    this.options.max = open;
    after(refusedMs, () => this.#grow());
    return true;
  }

  /** The pool closes a connection that has had its last use. Who waits for one gets another. */
  #keep(client: PatientClient): void {
    if (client.isCurrent) this.#idle.add(client);
    else (client as unknown as { _poolUseCount: number })._poolUseCount = Number.POSITIVE_INFINITY;
  }

  /** Whether the database has refused the only connection that the pool would have had. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  get #openCount(): number {
    return this.#internals._clients.filter((client) => this.#connected.has(client)).length;
  }

  /** Waiting callers ask for new connections again: pg would let them wait for the open ones. */
  #grow(): void {
    this.options.max = this.#connectionsMax;
    for (let free = this.#connectionsMax - this.totalCount; free > 0; free--) this.#internals._pulseQueue();
  }

  /** Gives up idle connections that may be dead: each one would cost a caller the whole patience. */
  dropIdle(): void {
    for (const client of this.#idle) client.hangUp();
  }

  /** Callers that wait for a connection are refused. pg would let them wait until their patience ends. */
  refuseWaiting(error: Error): void {
    for (const { callback } of this.#internals._pendingQueue.splice(0)) callback(error);
  }

  /** Closes everything immediately. Callers that wait for a connection are refused; the outcome of statements in flight is unknown. */
  abandon(): void {
    if (!this.ending) void this.end();
    this.refuseWaiting(new Error(endedPool));
    for (const client of this.#opened) client.hangUp();
  }

  get #internals(): PoolInternals {
    return this as unknown as PoolInternals;
  }
}
