import { Client } from 'pg';
import { reasonOf } from '../sql.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { SocketAddress } from './server_command.ts';

/** The role that Tollgate connects as, and the database with its tables, which the role owns. */
export const databaseUser = 'tollgate';
export const databaseName = 'tollgate';
/** Owns the cluster. It has no password and cannot log in: a superuser can read files and run programs. */
export const superuser = 'tollgate_superuser';

/** In the transaction of an upgrade, the role that renames the superuser: nobody can rename the role of their own session. */
const renamer = 'tollgate_renamer';

const upgradeLimitMs = 60_000;

/** Makes the role that Tollgate connects as, and locks the superuser out. */
export function roleStatements(password: string): string[] {
  return [
    'set log_min_error_statement = panic', // PostgreSQL would log a statement that fails, with the password in it
    `create role ${databaseUser} login password ${quoted(password)}`,
    `grant pg_checkpoint to ${databaseUser}`,
    `alter role ${superuser} nologin password null`,
  ];
}

/** Whether the role of this session is the superuser: earlier versions made one role for everything. */
export async function isSuperuser(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(`select current_setting('is_superuser') as name`);
  return rows[0]?.name === 'on';
}

/**
 * Upgrades a cluster of an earlier version, in which Tollgate connects as the superuser. That role gets another name, and a new role gets
 * its old name, its password and everything that it owned. One transaction: after a crash the cluster is as before, or upgraded.
 */
export async function demoteRole(address: SocketAddress, password: string): Promise<void> {
  const client = new Client({
    ...{ ...address, user: databaseUser, password, database: databaseName },
    query_timeout: upgradeLimitMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    for (const statement of upgradeStatements(password)) await client.query(statement);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The role of the built-in PostgreSQL could not be changed from a superuser to an ordinary one: ${reasonOf(error)}. Nothing was changed. Correct that, then start again.`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}

function upgradeStatements(password: string): string[] {
  return [
    'begin',
    `create role ${renamer} superuser`,
    `set session authorization ${renamer}`,
    `alter role ${databaseUser} rename to ${superuser}`,
    'reset session authorization',
    `drop role ${renamer}`,
    ...roleStatements(password),
    `alter database ${databaseName} owner to ${databaseUser}`,
    giveAway,
    'commit',
  ];
}

/**
 * `reassign owned` refuses the role that made the cluster, so each object gets its new owner by itself. Indexes, row types, and the
 * sequences of columns follow their tables. Objects of extensions stay with the superuser, like those of the system.
 */
const giveAway = `do $$
  declare command text;
  begin
    for command in
      select format('alter schema %I owner to ${databaseUser}', nspname) from pg_namespace
       where nspowner = '${superuser}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
      union all
      select format('alter table %s owner to ${databaseUser}', c.oid::regclass) from pg_class c
       where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${isOurs('c.relnamespace', 'c.relowner', 'pg_class', 'c.oid')}
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                                                   and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
      union all
      select format('alter routine %s owner to ${databaseUser}', p.oid::regprocedure) from pg_proc p
       where p.prokind <> 'a' and ${isOurs('p.pronamespace', 'p.proowner', 'pg_proc', 'p.oid')}
      union all
      select format('alter type %s owner to ${databaseUser}', t.oid::regtype) from pg_type t
       where t.typtype in ('e', 'd', 'r') and ${isOurs('t.typnamespace', 't.typowner', 'pg_type', 't.oid')}
      union all
      select format('alter type %s owner to ${databaseUser}', t.oid::regtype) from pg_type t join pg_class c on c.oid = t.typrelid
       where c.relkind = 'c' and ${isOurs('t.typnamespace', 't.typowner', 'pg_type', 't.oid')}
    loop
      execute command;
    end loop;
  end $$`;

function isOurs(space: string, owner: string, catalog: string, oid: string): string {
  return `${owner} = '${superuser}'::regrole and ${space}::regnamespace::text !~ '^(pg_|information_schema)'
         and not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
