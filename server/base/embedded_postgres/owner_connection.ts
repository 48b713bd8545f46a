import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { clusterUser } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { currentUser } from './launcher.ts';
import type { ClusterPaths } from './paths.ts';
import { databaseUser } from './roles.ts';
import type { SocketAddress } from './server_command.ts';
import { isPrivateDirectory } from './socket_directory.ts';

/** A database without tables of ours: advisory locks belong to a database, so this one cannot collide with another. */
const ownerDatabase = 'postgres';
/** The letters "TOLL". */
const ownerLockKey = 0x544f4c4c;
/** A crashed owner's connection may live on for a moment; a process that still holds the lock after this time is alive. */
const lockPatienceMs = 1_000;
const lockRetryMs = 50;
const connectLimitMs = 2_000;
const queryLimitMs = 5_000;
const closeLimitMs = 200;

type ConnectResult =
  | { kind: 'ready'; client: Client }
  /** It answers, but is starting, recovering or stopping, or has no free connection. */
  | { kind: 'busy' }
  | { kind: 'silent' };

type ConnectOptions = { address: SocketAddress | undefined; password: string; database?: string };

/** One attempt to connect. The returned client has an error listener, without which a lost connection would end the process. */
export async function tryConnect(
  paths: ClusterPaths,
  { address, password, database = ownerDatabase }: ConnectOptions,
): Promise<ConnectResult> {
  // Another user who could put a socket into the directory could also ask for the password.
  const trusted = [currentUser(), await clusterUser(paths)];
  if (address === undefined || !(await isPrivateDirectory(address.host, trusted))) return { kind: 'silent' };
  const client = new Client({
    ...address,
    user: databaseUser,
    password,
    database,
    application_name: `tollgate, process ${process.pid}`,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: queryLimitMs,
    // The owner's connection idles for its whole life, whatever the settings say.
    options: '-c idle_session_timeout=0',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return { kind: 'ready', client };
  } catch (error) {
    await closeQuietly(client);
    return judgeRefusal(error);
  }
}

/** False when another process holds the lock and keeps it. */
export async function takeOwnerLock(client: Client, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + lockPatienceMs;
  for (;;) {
    const answer = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
      ownerLockKey,
    ]);
    if (answer.rows[0]?.taken === true) return true;
    if (performance.now() > deadline) return false;
    await sleep(lockRetryMs, undefined, { signal });
  }
}

/** The process id of the Tollgate that holds the lock, if PostgreSQL knows it. */
export async function findLockHolder(client: Client): Promise<number | undefined> {
  const answer = await client.query<{ name: string }>(
    `select activity.application_name as name
     from pg_locks join pg_stat_activity as activity on activity.pid = pg_locks.pid
     where locktype = 'advisory' and granted and classid = 0 and objid = $1::bigint::oid and objsubid = 1`,
    [ownerLockKey],
  );
  const [, pid] = /process (\d+)$/.exec(answer.rows[0]?.name ?? '') ?? [];
  return pid === undefined ? undefined : Number(pid);
}

export async function closeQuietly(client: Client): Promise<void> {
  // A server process that hangs would not answer.
  await Promise.race([client.end().catch(() => {}), sleep(closeLimitMs, undefined, { ref: false })]);
}

function judgeRefusal(error: unknown): ConnectResult {
  switch ((error as { code?: unknown }).code) {
    case '57P03': // cannot_connect_now
    case '53300': // too_many_connections
      return { kind: 'busy' };
    case '28P01': // invalid_password
    case '28000': // invalid_authorization_specification
      throw new EmbeddedPostgresError(
        'The built-in PostgreSQL refuses the password in the file postgres.password of the data directory: the file and the database do not belong together. Restore both from the same backup.',
      );
    default:
      return { kind: 'silent' };
  }
}
