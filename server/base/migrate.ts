import { acceptEarlierSchema } from './accept_schema.ts';
import { alone } from './alone.ts';
import { checkHistory } from './history.ts';
import { type LockOptions, type LockWaits, lockingTransaction, lockWaitsOf, retryLocks } from './lock_wait.ts';
import { type Migration, MigrationError, readMigrations } from './migration.ts';
import { appliedMigrations, withoutServers } from './schema_lock.ts';
import type { Connection, Sql } from './sql.ts';
import { statementsIn } from './statements.ts';

const lock = 0x70_11_6a_7e; // any constant that nothing else uses: servers that start at the same time migrate one after the other

/** What migrations, which are written for one server, need where the tables are on several. */
export type MigratedCluster = {
  /** All servers but the one that runs the migrations, in the order in which they are locked. */
  others: readonly Sql[];
  /** Removes what keeps tables from being changed by migrations that are not rolling. */
  clear(): Promise<void>;
  /** After a statement, and in its transaction if it has one: does what else it means here. `run` runs it once more. */
  follow(run: () => Promise<unknown>): Promise<void>;
  /** After all migrations, and where there were none: an earlier run may have been interrupted. */
  finish(): Promise<void>;
};

/** Runs the pending migrations and returns their names. Unless all of them are rolling, no server may be connected. */
export async function migrate(
  client: Connection,
  folder: string,
  options: LockOptions & { cluster?: MigratedCluster | undefined },
): Promise<string[]> {
  const { cluster } = options;
  const migrations = readMigrations(folder);
  const waits = await lockWaitsOf(client, options);
  const queued = () => waits.report('Another migrate is running. Waiting for it.');
  return alone(client, { lock, queued }, async () => {
    await prepareTable(client);
    await acceptEarlierSchema(waits, migrations);
    const pending = await pendingMigrations(client, migrations);
    const breaking = pending.find(({ isRolling }) => !isRolling);
    const work = async () => {
      try {
        if (breaking !== undefined) await cluster?.clear();
        for (const migration of pending) await apply(waits, migration, cluster);
      } catch (error) {
        await cluster?.finish().catch(() => {}); // what was cleared is there again, unless a server has ended
        throw error;
      }
      await cluster?.finish();
    };
    await (breaking === undefined
      ? work()
      : withoutServersOf([client, ...(cluster?.others ?? [])], breaking.name, work));
    return pending.map(({ name }) => name);
  });
}

/** A server has connections to several of them, and those to any are enough to name it. */
function withoutServersOf<T>([first, ...others]: readonly Sql[], name: string, work: () => Promise<T>): Promise<T> {
  return first === undefined ? work() : withoutServers(first, name, () => withoutServersOf(others, name, work));
}

async function prepareTable(client: Connection): Promise<void> {
  const { rows } = await client.query(`select from pg_class where oid = to_regclass('migrations')`);
  if (rows.length > 0) return;
  await client.query(
    `create table migrations (
       name text primary key, checksum text not null, applied_at timestamptz not null default now(),
       rolling bool not null default false)`,
  );
}

/** The migrations that have not run yet; refuses a database that this version cannot run with. */
export async function pendingMigrations(client: Connection, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query(`select 1 where to_regclass('migrations') is not null`);
  return checkHistory(rows.length === 0 ? [] : await appliedMigrations(client), migrations);
}

async function apply(waits: LockWaits, migration: Migration, cluster: MigratedCluster | undefined): Promise<void> {
  const { client } = waits;
  const { name, text, checksum, isRolling, isTransaction } = migration;
  const record = () =>
    client.query('insert into migrations (name, checksum, rolling) values ($1, $2, $3)', [name, checksum, isRolling]);
  try {
    if (isTransaction)
      await lockingTransaction(waits, name, async () => {
        for (const statement of cluster === undefined ? [text] : statementsIn(text)) {
          await client.query(statement);
          await cluster?.follow(() => client.query(statement));
        }
        await record();
      });
    else await oneByOne(waits, migration, cluster).then(record);
  } catch (error) {
    throw new MigrationError(`the migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * After a crash or a failure the next run begins with the first statement again, so each statement can be repeated. When the process is
 * killed, PostgreSQL would finish its statement and keep the lock on migrating until then; so it is set to check for its client.
 */
async function oneByOne(
  waits: LockWaits,
  { name, text }: Migration,
  cluster: MigratedCluster | undefined,
): Promise<void> {
  const { client, patience } = waits;
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => {}); // not every platform can look
  try {
    for (const statement of statementsIn(text)) {
      // A concurrent statement waits for transactions to end, and meanwhile blocks no statement. Repeated, it would start from nothing.
      const isConcurrent = /\bconcurrently\b/i.test(statement);
      await client.query(`set lock_timeout = ${isConcurrent ? 0 : patience.timeoutMs}`);
      const run = async () => {
        await dropUnfinishedIndex(client, statement); // before each try: a deadlock leaves one behind, too
        await client.query(statement);
      };
      const runAndFollow = () => run().then(() => cluster?.follow(run));
      // Citus passes `lock_timeout` on to the workers only where it is set inside a transaction.
      if (cluster !== undefined && !isConcurrent) await lockingTransaction(waits, name, runAndFollow);
      else await retryLocks(waits, name, runAndFollow);
    }
  } finally {
    await client.query('reset lock_timeout; reset client_connection_check_interval').catch(() => {});
  }
}

const indexCreated = /^create (?:unique )?index concurrently (?:if not exists )?("?[\w.]+"?)/i;

/** An interrupted `create index concurrently` leaves an index that is not used and looks as if it existed. */
async function dropUnfinishedIndex(client: Connection, statement: string): Promise<void> {
  const [, index] = indexCreated.exec(statement.replaceAll(/\s+/g, ' ')) ?? [];
  if (index === undefined) return;
  const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
    index,
  ]);
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`);
}
