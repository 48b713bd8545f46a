import pg from 'pg';
import { Unavailable } from './errors.ts';

/** How to reach the database: a connection string, or the embedded server's parts. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

export type Sql = Pick<pg.ClientBase, 'query'>;
export type Row = Record<string, unknown>;

const connectTimeoutMs = 5_000;
const queryPatienceMs = 22_000; // a frozen server sends nothing, not even the error of its own time-out

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

/** The driver treats these modes like verify-full, and warns in each process that it may do otherwise one day. */
const strictModes = /([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/;

function settings(address: DatabaseAddress, name: string): pg.ClientConfig {
  return {
    ...('connectionString' in address
      ? { connectionString: address.connectionString.replace(strictModes, '$1verify-full') }
      : address),
    types,
    application_name: `tollgate ${name}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * What a pool is for. Reads time out. Durable writes do not: the outcome of a cancelled commit is unknown. Relaxed writes (rate limits,
 * the request log) may be lost when the database crashes.
 */
export type PoolUse = 'reads' | 'durable' | 'relaxed';

const poolOptions: Record<PoolUse, pg.PoolConfig> = {
  reads: { options: '-c statement_timeout=20s', query_timeout: queryPatienceMs },
  durable: {},
  relaxed: { options: '-c synchronous_commit=off', query_timeout: queryPatienceMs },
};

export function openPool(
  address: DatabaseAddress,
  options: { use: PoolUse; connectionsMax: number; onError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    ...settings(address, options.use),
    ...poolOptions[options.use],
    max: options.connectionsMax,
    idleTimeoutMillis: 60_000,
  });
  // Without listeners, a connection that the server closes would end this process: an idle one, and one that is in use. The statement
  // in flight on the latter fails, or the next one, and the failure is handled there.
  pool.on('error', options.onError);
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** One connection outside any pool. No statement time-out: the outcome of a cancelled commit is unknown. */
export async function connect(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = new pg.Client(settings(address, name));
  client.on('error', () => {}); // the query in flight rejects as well, and is handled there
  await client.connect();
  return client;
}

/** The message of an error. When a host has several addresses, Node's own message names none of their failures. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The SQLSTATE of an error that came from the server; undefined for a broken connection. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether an error is about the server, not the statement: the connection broke, or the server is stopping, starting, read-only or out
 * of a resource, or refuses this user or database.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unavailable) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25006|28|3D|53|57P|58)/.test(state);
  if (!(error instanceof Error)) return false;
  return connectionCodes.test(`${(error as NodeJS.ErrnoException).code}`) || broken.test(error.message);
}

const connectionCodes = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const broken =
  /Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect|Query read timeout/;

/** Runs one statement. Throws `Unavailable` when the database cannot answer. */
export async function query<T extends Row>(
  sql: Sql | pg.Pool,
  text: string,
  values: unknown[],
  name?: string,
): Promise<T[]> {
  try {
    const result = await (sql as Sql).query<T>(name === undefined ? { text, values } : { name, text, values });
    return result.rows;
  } catch (error) {
    throw isUnavailable(error) ? new Unavailable('the database did not answer', { cause: error }) : error;
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
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const { isKept, result } = await work(client);
    await client.query(isKept ? 'commit' : 'rollback');
    broken = false;
    return result;
  } finally {
    client.release(broken); // closing the connection ends a transaction that is still open
  }
}

/** The pages of a long query: the database sorts its rows once, and only one page is in memory here. */
export async function* inPages<T extends Row>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
  pageRows: number,
): AsyncGenerator<T[], void, undefined> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin read only; set local statement_timeout = 0'); // the first page takes as long as the sorting
    yield* cursorPages<T>(client, 'pages', text, values, pageRows);
    await client.query('commit');
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

/**
 * Runs work that only one process may do at a time, over several transactions. A second process calls `queued` and waits. A process that
 * dies releases the lock with its connection.
 */
export async function alone<T>(
  client: Connection,
  { lock, queued = () => {} }: { lock: number; queued?: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
  if (!rows[0]!.taken) {
    queued();
    await client.query('select pg_advisory_lock($1)', [lock]);
  }
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => {}); // a broken connection has released it already
  }
}

export type Pool = pg.Pool;
export type Connection = pg.Client;
