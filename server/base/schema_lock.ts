import { Unavailable } from './errors.ts';
import { checkHistory } from './history.ts';
import { type AppliedMigration, type Migration, MigrationError } from './migration.ts';
import { applySettings, type SessionFacts, SharedBackend, sessionFacts, wantedSettings } from './session.ts';
import { query, type Sql } from './sql.ts';
import { pause } from './timers.ts';

/**
 * Servers and migrations exclude each other by an advisory lock: every connection of a server holds it shared for as long as it lives,
 * and a migration that is not rolling holds it exclusively. A connection that has joined can therefore write without looking at the
 * schema again, which costs a write nothing.
 */
const schemaLock = 0x70_11_5c_4e;
/** Each connection also holds a shared lock on this key and the id of its process, so that `migrate` can name the process. */
const processLock = 0x70_11_91_d5;

/** How long a migration waits for connections that are just being closed. */
const disconnectPatienceMs = 3_000;
const lookEveryMs = 100;

const migrating = 'a migration is running, for which all servers have to be stopped';

/** The schema is not one that this version can write to. */
export class SchemaMismatch extends Unavailable {}

/**
 * For every new connection of a server or command, before anything else. The lock is taken first and the migrations are read in a
 * statement after it: what they say stays true while the connection lives, except for rolling migrations. On the way, both statements
 * tell whether the session is Tollgate's own.
 */
export async function joinSchema(sql: Sql, known: readonly Migration[]): Promise<void> {
  const { names, values } = wantedSettings(sql);
  const [joined] = await query<{ held: boolean } & SessionFacts>(
    sql,
    `select pg_try_advisory_lock_shared($1) as held, pg_advisory_lock_shared($2::int4, $3::int4), ${sessionFacts('$4', '$5')}`,
    [schemaLock, processLock, process.pid, names, values],
  );
  await applySettings(sql, joined!);
  if (!joined!.held) throw new SchemaMismatch(migrating);
  const applied = await appliedMigrations(sql);
  if (applied.some(({ backend }) => backend !== joined!.backend)) throw new SharedBackend();
  const pending = checkedHistory(applied, known);
  if (pending.length > 0)
    throw new SchemaMismatch(`the database lacks the migration ${pending[0]!.name}: it is an older one than before`);
}

function checkedHistory(applied: readonly AppliedMigration[], known: readonly Migration[]): Migration[] {
  try {
    return checkHistory(applied, known);
  } catch (error) {
    throw error instanceof MigrationError ? new SchemaMismatch(error.message) : error;
  }
}

/** The column `rolling` is newer than the table: a database without it is refused, but it has to be read for that. */
export function appliedMigrations(sql: Sql): Promise<(AppliedMigration & { backend: number })[]> {
  return query<AppliedMigration & { backend: number }>(
    sql,
    `select name, checksum, coalesce((to_jsonb(m) ->> 'rolling')::bool, false) as rolling, pg_backend_pid() as backend
       from migrations m order by name`,
    [],
  );
}

/** A transaction that must not run beside a migration which is not rolling. */
export async function shareSchema(sql: Sql): Promise<void> {
  const [lock] = await query<{ held: boolean }>(sql, 'select pg_try_advisory_xact_lock_shared($1) as held', [
    schemaLock,
  ]);
  if (!lock!.held) throw new SchemaMismatch(migrating);
}

/** Runs a migration that no connected server can live with. Refuses while there is one, and keeps out those that come meanwhile. */
export function withoutServers<T>(sql: Sql, migration: string, work: () => Promise<T>): Promise<T> {
  const refuse = (servers: string) => {
    throw new MigrationError(
      `the migration ${migration} cannot run while servers are connected: ${servers}. Stop them, then run tollgate migrate again`,
    );
  };
  return shuttingOut(sql, refuse, work);
}

/** Runs `work` while no server is connected, nor can connect. `refuse` gets the names of the servers that stay connected, and throws. */
export async function shuttingOut<T>(sql: Sql, refuse: (servers: string) => never, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + disconnectPatienceMs;
  for (let servers = await shutOut(sql); servers !== undefined; servers = await shutOut(sql)) {
    if (performance.now() > deadline) refuse(servers);
    await pause(lookEveryMs);
  }
  try {
    return await work();
  } finally {
    await sql.query('select pg_advisory_unlock($1)', [schemaLock]).catch(() => {}); // a broken connection has released it already
  }
}

/** Takes the exclusive lock; returns the connected servers if there are any, and then has not taken it. */
async function shutOut(sql: Sql): Promise<string | undefined> {
  const [lock] = await query<{ held: boolean }>(sql, 'select pg_try_advisory_lock($1) as held', [schemaLock]);
  if (lock!.held) return undefined;
  const servers = await connectedServers(sql);
  return servers.length === 0 ? 'they have just ended' : servers.join(', ');
}

/** The processes that are connected to the database of this connection, in words. */
export async function connectedServers(sql: Sql): Promise<string[]> {
  const rows = await query<{ address: string | null; process: number | null; count: number; since: string }>(
    sql,
    `select host(a.client_addr) as address, p.objid::int8 as process, count(*) as count,
            to_char(min(a.backend_start) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as since
       from pg_stat_activity a
       join pg_locks s on s.pid = a.pid and s.locktype = 'advisory' and s.objid = $1::int8::oid and s.objsubid = 1 and s.granted
       left join pg_locks p on p.pid = a.pid and p.locktype = 'advisory' and p.classid = $2::int8::oid and p.objsubid = 2
      where a.datname = current_database() and a.pid <> pg_backend_pid()
      group by 1, 2 order by 4, 1, 2`,
    [schemaLock, processLock],
  );
  return rows.map(({ address, process, count, since }) => {
    const name = process === null ? 'a process' : `process ${process}`;
    return `${name} on ${address ?? 'this machine'} (${count} ${count === 1 ? 'connection' : 'connections'} since ${since})`;
  });
}
