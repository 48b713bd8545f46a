import pg from 'pg';
import { Unavailable } from './errors.ts';

/** How to reach the database: a connection string, or the embedded server's parts. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

export type Sql = Pick<pg.ClientBase, 'query'>;
export type Row = Record<string, unknown>;

const connectTimeoutMs = 5_000;
const queryPatienceMs = 22_000; // a server that is frozen says nothing at all: then it is given up from this side

const int8Oid = 20;
const dateOid = 1082;
/**
 * Counts, amounts and epoch times fit a double; pg would hand them over as strings. A day stays the text that it is: pg would make a
 * moment of it, at midnight of wherever this machine is.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8Oid) return Number as never;
    return oid === dateOid ? (String as never) : pg.types.getTypeParser(oid, format as never);
  },
};

function settings(address: DatabaseAddress, name: string): pg.ClientConfig {
  return {
    ...address,
    types,
    application_name: `tollgate ${name}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * What a pool is for. Reads give up after a while. Durable writes never do: a commit that is cancelled has an unknown fate.
 * Relaxed writes may be lost with a crash of the database: rate limits, the request log.
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
  // Without a listener, an idle connection that the server closes would end this process.
  pool.on('error', options.onError);
  return pool;
}

/** One connection of its own. No statement time-out: a commit must never be cancelled, its fate would be unknown. */
export async function connect(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = new pg.Client(settings(address, name));
  client.on('error', () => {}); // the query in flight rejects as well, and that is where it is handled
  await client.connect();
  return client;
}

/** What went wrong, in words. Node gathers the failures of several addresses of one host without saying any of them. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** SQLSTATE of an error that came from the server, undefined for a broken connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

/**
 * Whether an error says nothing about the statement: the connection broke, or the server is stopping, starting, read-only, out of
 * a resource, or does not know us or the database (any more).
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unavailable) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25006|28|3D|53|57P|58)/.test(state);
  return (
    error instanceof Error &&
    (connectionCodes.has((error as NodeJS.ErrnoException).code ?? '') || broken.test(error.message))
  );
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const broken =
  /Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect|Query read timeout/;

/** Runs one statement; a database that cannot answer becomes `Unavailable`. */
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

/**
 * Several statements in one transaction. It is committed when `work` says so, else rolled back. A server that goes away between two
 * statements is an event of the connection; with nobody listening it would end this process.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: Sql) => Promise<{ isKept: boolean; result: T }>,
): Promise<T> {
  const client = await pool.connect();
  const hear = () => {}; // the next statement fails, and that is where it is handled
  client.on('error', hear);
  let broken = true;
  try {
    await client.query('begin');
    const { isKept, result } = await work(client);
    await client.query(isKept ? 'commit' : 'rollback');
    broken = false;
    return result;
  } finally {
    client.removeListener('error', hear);
    client.release(broken); // whatever was begun on it ends with the connection
  }
}

/** The rows of a long query, some at a time: the database puts them in order once, and only a page is in memory here. */
export async function* inPages<T extends Row>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
  pageRows: number,
): AsyncGenerator<T[], void, undefined> {
  const client = await pool.connect();
  const hear = () => {}; // as above
  client.on('error', hear);
  let broken = true;
  try {
    await client.query('begin read only; set local statement_timeout = 0'); // the first page takes as long as the sorting
    await client.query(`declare pages no scroll cursor for ${text}`, values);
    for (let rows: T[] = []; ; ) {
      rows = (await client.query<T>(`fetch ${pageRows} from pages`)).rows;
      if (rows.length > 0) yield rows;
      if (rows.length < pageRows) break;
    }
    await client.query('commit');
    broken = false;
  } finally {
    client.removeListener('error', hear);
    client.release(broken);
  }
}

/**
 * Work that only one process does at a time, over several transactions. Whoever comes second waits, having said so; a process that dies
 * lets go with its connection.
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
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => {}); // a broken connection has let go already
  }
}

export type Pool = pg.Pool;
export type Connection = pg.Client;
