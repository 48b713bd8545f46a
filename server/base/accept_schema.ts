import { earlierCommit, hasEarlierSchema, lastOfBaseline } from './history.ts';
import { type LockWaits, lockingTransaction } from './lock_wait.ts';
import { type Migration, MigrationError } from './migration.ts';
import { appliedMigrations, withoutServers } from './schema_lock.ts';
import { type Connection, query } from './sql.ts';

/**
 * Accepts a database that the earlier migrations have built as one of the baseline: the rows of the baseline replace theirs. Servers of
 * the earlier version check these rows with every new connection, so none may be connected, and none can connect afterwards. The caller
 * holds the lock of `migrate`.
 */
export async function acceptEarlierSchema(waits: LockWaits, migrations: readonly Migration[]): Promise<void> {
  const { client, report } = waits;
  if (!hasEarlierSchema(await appliedMigrations(client))) return;
  const baseline = migrations.filter(({ name }) => name <= lastOfBaseline);
  await withoutServers(client, 'to the baseline', () =>
    lockingTransaction(waits, 'the migration to the baseline', async () => {
      await requireReadableKeys(client);
      await client.query(leftovers);
      await client.query('delete from migrations');
      for (const { name, checksum, isRolling } of baseline)
        await client.query('insert into migrations (name, checksum, rolling) values ($1, $2, $3)', [
          name,
          checksum,
          isRolling,
        ]);
    }),
  );
  report('The database was accepted as it is: it has the schema of the baseline already.');
}

/** All that the earlier migrations made and the baseline does not. */
const leftovers = `
  drop table idempotency_upgrade;
  comment on column idempotency.key is 'a keyed hash'`;

/**
 * The earlier version changed the form of idempotency keys. It wrote the previous form for a day after that migration, and a key lives for
 * another day; an hour is for requests that were running. This version does not find such keys: a retry would take effect twice.
 */
async function requireReadableKeys(client: Connection): Promise<void> {
  const [row] = await query<{ until: string }>(
    client,
    `select to_char((migrated_at + interval '49 hours') at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as until
       from idempotency_upgrade
      where migrated_at + interval '49 hours' > now() and exists (select from idempotency where expires_at > now())`,
    [],
  );
  if (row !== undefined)
    throw new MigrationError(
      `the database has idempotency keys that this version does not find, and retries would take effect twice. Run the commit ${earlierCommit} until ${row.until}, when they have expired, then run tollgate migrate of this version`,
    );
}
