import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { type DatabaseUrl, type Host, parseDatabaseUrl, type Target } from './database_url.ts';
import { Unavailable } from './errors.ts';
import { getOrMake } from './get_or_make.ts';
import { HostChoice, type Hosts, type SessionState } from './hosts.ts';
import {
  busyPool,
  checkWithin,
  endedPool,
  type OnFailure,
  type Patience,
  PatientClient,
  PatientPool,
  type SilenceWatch,
  SilentDatabase,
  usualPatience,
} from './patient_client.ts';
import { commitOn, holdWrites } from './places/holding.ts';
import { rowMaker } from './row_maker.ts';
import { type PoolUse, type SessionSettings, sessionSettings, startOptions } from './session_settings.ts';
import { Unfit } from './unfit.ts';

/** How to reach the database: a connection string, or the embedded server's parts. */
export type DatabaseAddress =
  | {
      connectionString: string;
      /** For commands that change nothing, which a standby can serve. */
      isReadOnly?: boolean;
      /** Others than those in the connection string. */
      hosts?: Hosts;
      /** Further settings of each session. */
      session?: SessionSettings;
    }
  | { host: string; port: number; user: string; password: string; database: string };

export type Sql = Pick<pg.ClientBase, 'query'>;
export type Row = Record<string, unknown>;

const int8Oid = 20;
const dateOid = 1082;
/**
 * Counts, amounts and epoch times fit a double; pg would return them as strings. A date stays text: pg would turn it into midnight in
 * this machine's time zone.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8Oid) return Number as never;
    return oid === dateOid ? (String as never) : pg.types.getTypeParser(oid, format as never);
  },
};

type SessionOptions = { name: string; use: PoolUse; patience: Patience };

function settings(address: DatabaseAddress, options: SessionOptions) {
  const url = 'connectionString' in address ? parseDatabaseUrl(address.connectionString) : undefined;
  return {
    ...(url === undefined ? address : { connectionString: url.forDriver }),
    ...ours(options, url?.options, 'connectionString' in address ? address.session : {}),
    hosts: url && (('hosts' in address && address.hosts) || hostChoice(address, url, options.patience)),
  };
}

/** Not PGOPTIONS nor PGAPPNAME: the driver would read them where these are not set. */
function ours({ name, use, patience }: SessionOptions, given = '', further: SessionSettings = {}) {
  const session = { ...sessionSettings(use), ...further };
  return {
    types,
    application_name: `tollgate ${name}`, // Tollgate finds its own connections by it
    connectionTimeoutMillis: patience.connectMs,
    patience,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    session,
    options: startOptions(given, session),
  };
}

/** The choice of all connections to one address. */
const choices = new WeakMap<DatabaseAddress, HostChoice>();

function hostChoice(address: DatabaseAddress, url: DatabaseUrl, patience: Patience): HostChoice | undefined {
  const target = targetFor(address, url);
  if (target === 'any' && url.hosts.length === 1) return undefined;
  return getOrMake(choices, address, () => {
    const ask = async ({ host, port }: Host): Promise<SessionState> => {
      const driver = {
        connectionString: url.forDriver,
        ...ours({ name: 'hosts', use: 'reads', patience }, url.options),
      };
      const client = new PatientClient({ ...driver, onError: () => {}, opened: new Set() });
      Object.assign(client, { host, ...(port !== '' && { port: Number(port) }) });
      try {
        await client.connect();
        return await client.state();
      } finally {
        void client.end().catch(() => {});
      }
    };
    return new HostChoice(url.hosts, target, ask);
  });
}

/** A connection for changes needs a writable host, and looks for one even if the address does not ask for it. */
function targetFor(address: DatabaseAddress, { target, hosts }: DatabaseUrl): Target {
  if ('connectionString' in address && address.isReadOnly) return target ?? 'any';
  return target === 'primary' || (hosts.length === 1 && target === undefined) ? (target ?? 'any') : 'read-write';
}

/** A change is on the database server, but not on its synchronous standby: a failover would lose it. */
export class Unreplicated extends Unavailable {}

/**
 * When PostgreSQL stops waiting for a synchronous standby, the statement does not fail: PostgreSQL sends a warning, and then the result
 * (the wait was cancelled) or nothing more (the connection was terminated). Its text may be translated; the routine it comes from is not.
 */
function failUnreplicated(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine !== 'SyncRepWaitForLSN') return;
    const failure = new Unreplicated('a change is on the database server but not on its standby');
    // Fails the statement in flight now: its result may follow in the same packet. The connection is not used again.
    internals(client).emit('error', failure);
  });
}

/** Parts of pg that it does not declare. */
function internals(client: pg.ClientBase): EventEmitter & { parsedStatements: Record<string, string> } {
  return (client as unknown as { connection: ReturnType<typeof internals> }).connection;
}

export function openPool(
  address: DatabaseAddress,
  options: {
    use: PoolUse;
    connectionsMax: number;
    patience?: Patience;
    onError: OnFailure;
    watch?: SilenceWatch;
    /** Checks each new connection before it is used; rejects when it may not be. */
    check?: (client: Sql) => Promise<void>;
    /** As in `holdWrites`. */
    hold?: string | undefined;
  },
): PatientPool {
  const { use, connectionsMax, patience = usualPatience, onError, watch, check, hold } = options;
  const pool = new PatientPool({
    ...settings(address, { name: use, use, patience }),
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    onError,
    watch,
    ...(check && { onConnect: (client) => checkWithin(patience.connectMs, client as unknown as PatientClient, check) }),
  });
  pool.on('connect', failUnreplicated);
  if (hold !== undefined) holdWrites(pool, hold);
  return pool;
}

/** One connection outside any pool. The server does not cancel its statements: the outcome of a cancelled commit is unknown. */
export async function connect(
  address: DatabaseAddress,
  name: string,
  patience = usualPatience,
  onError: OnFailure = () => {},
  watch?: SilenceWatch,
): Promise<PatientClient> {
  const client = new PatientClient({
    ...settings(address, { name, use: 'durable', patience }),
    onError,
    watch,
    opened: new Set(),
  });
  failUnreplicated(client);
  await client.connect();
  return client;
}

/** Drops named statements, here and on the server. Names that this connection has not prepared are skipped. */
export async function dropStatements(client: pg.Client, names: readonly string[]): Promise<void> {
  const { parsedStatements } = internals(client);
  const prepared = names.filter((name) => name in parsedStatements);
  for (const name of prepared) delete parsedStatements[name]; // pg would keep their texts
  if (prepared.length > 0) await client.query(prepared.map((name) => `deallocate ${name}`).join('; '));
}

/** The message of an error, or of its cause. When a host has several addresses, Node's own message names none of their failures. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unavailable && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The SQLSTATE of an error that came from the server; undefined for a broken connection. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether an error is about the server, not the statement: the connection broke, or the server is stopping, starting, read-only or out
 * of a resource, waits for its standby, was restored, has a certificate that is not trusted, or refuses this user or database.
 */
export function isOfServer(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25006|28|3D|53|57P|58)/.test(state);
  if (!(error instanceof Error)) return false;
  if (error instanceof SilentDatabase || error instanceof Unfit) return true;
  const code = `${(error as NodeJS.ErrnoException).code}`;
  return connectionCodes.test(code) || untrusted.test(code) || broken.test(error.message);
}

/** Whether the server is there and refuses changes: a resource is used up, or it is read-only. */
export function refusesChanges(error: unknown): boolean {
  if (error instanceof Unavailable && error.cause !== undefined) return refusesChanges(error.cause);
  return /^(25006|53|58)/.test(sqlState(error) ?? '');
}

const connectionCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** How Node and OpenSSL refuse a certificate. */
const untrusted = /CERT|SIGNATURE|ISSUER|^ERR_(TLS|SSL)/;
const broken =
  /Connection terminated|not queryable|Client was closed|timeout expired|Query read timeout|not support SSL/;

/** Whether nothing was heard of the server in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof SilentDatabase || (error instanceof Error && error.message.includes('timeout expired'));
}

/** Whether a pool had no connection to give. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === busyPool;
}

/** Whether a pool is closed, because the server is stopping. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && error.message === endedPool;
}

/** Why a statement was not run, or has no known outcome, although the server is there. */
function hindrance(error: unknown): string | undefined {
  if (sqlState(error) === queryCanceled) return 'the database cancelled a statement';
  if (isBusy(error)) return 'all database connections for this work are in use';
  return isEnded(error) ? 'the server is stopping' : undefined;
}

/**
 * By which a place of a cluster refuses what is asked for tenants that are elsewhere; how Citus refuses to lock a shard that was split; and a
 * lock that was waited for too long, which is Citus' own while it moves a shard.
 */
export function refusesMoved(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === 'TG001' ||
    state === '55P03' ||
    (state === 'XX000' && /^could not find valid entry for shard/.test((error as Error).message))
  );
}

const queryCanceled = '57014'; // by a time-out, or by an administrator

/** Whether an error says nothing about what was asked: a later attempt may succeed. The outcome of a write is unknown. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Unavailable || isOfServer(error) || hindrance(error) !== undefined;
}

/** The error for the caller of a statement. */
function failureOf(error: unknown): unknown {
  if (error instanceof Unavailable || !isUnavailable(error)) return error;
  return new Unavailable(hindrance(error) ?? 'the database did not answer', { cause: error });
}

/**
 * The level at which work logs its failure. The watch reports the failures of the database itself, once for all: what fails because of
 * them is for debugging. So is what fails because tenants have just moved to another server.
 */
export function failureLevel(error: unknown): 'debug' | 'warn' {
  if (isOfServer(error) || isBusy(error) || isEnded(error) || refusesMoved(error)) return 'debug';
  return error instanceof Unavailable && error.cause !== undefined ? failureLevel(error.cause) : 'warn';
}

/** Runs one statement, which is prepared if it has a name. Throws `Unavailable` when the database cannot answer. */
export async function query<T extends Row>(
  sql: Sql | pg.Pool,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<T[]> {
  try {
    if (name === undefined) return (await (sql as Sql).query<T>({ text, values: values as unknown[] })).rows;
    const { fields, rows } = await (sql as Sql).query({ name, text, values: values as unknown[], rowMode: 'array' });
    return rows.length === 0 ? [] : (rows.map(rowMaker(text, fields)) as T[]);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Several statements in one transaction on the caller's connection; a failure of `work` rolls it back. */
export async function transaction<T>(client: Sql, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a broken connection has rolled back already
    throw error;
  }
}

/** Several statements in one transaction on a connection of the pool; rolled back unless `work` keeps it. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: Sql) => Promise<{ isKept: boolean; result: T }>,
  begin = 'begin',
): Promise<T> {
  let client: pg.PoolClient | undefined;
  let broken = true;
  try {
    client = await pool.connect();
    await client.query(begin);
    const { isKept, result } = await work(client);
    await client.query(isKept ? commitOn(pool) : 'rollback');
    broken = false;
    return result;
  } catch (error) {
    throw failureOf(error);
  } finally {
    client?.release(broken); // closing the connection ends a transaction that is still open
  }
}

/** The pages of a long query: the database sorts its rows once, and only one page is in memory here. */
export async function* inPages<T extends Row>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
  pageRows: number,
): AsyncGenerator<T[], void, undefined> {
  const client = await pool.connect().catch((error) => {
    throw failureOf(error);
  });
  let broken = true;
  try {
    await query(client, 'begin read only', []);
    await query(client, 'set local statement_timeout = 0', []); // the first page takes as long as the sorting
    yield* cursorPages<T>(client, 'pages', text, values, pageRows);
    await query(client, 'commit', []);
    broken = false;
  } finally {
    client.release(broken);
  }
}

/** The pages of a long query, in a transaction of the caller's. */
export async function* cursorPages<T extends Row>(
  client: Sql,
  cursor: string,
  text: string,
  values: unknown[],
  pageRows: number,
): AsyncGenerator<T[], void, undefined> {
  await query(client, `declare ${cursor} no scroll cursor for ${text}`, values);
  try {
    for (;;) {
      const rows = await query<T>(client, `fetch ${pageRows} from ${cursor}`, []);
      if (rows.length > 0) yield rows;
      if (rows.length < pageRows) return;
    }
  } finally {
    await client.query(`close ${cursor}`).catch(() => {}); // a failed transaction has closed it already
  }
}

export type { PoolUse } from './session_settings.ts';
export { type Outage, Unfit } from './unfit.ts';
export type Pool = pg.Pool;
export type Connection = PatientClient;
