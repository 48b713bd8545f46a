import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, type Connection, transaction } from './sql.ts';

export class MigrationError extends Error {}

type Migration = { name: string; text: string; checksum: string };

const lock = 0x70_11_6a_7e; // any constant that nothing else uses: servers that start at once migrate one after the other

export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, checksum: hash('sha256', text) };
  });
}

/** Runs the pending migrations, each in a transaction of its own, and returns their names. */
export async function migrate(client: Connection, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder);
  return alone(client, { lock }, async () => {
    await client.query(
      `create table if not exists migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const pending = await pendingMigrations(client, migrations);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  });
}

/** The migrations that have not run yet; refuses a database that is newer than this version or has another history. */
export async function pendingMigrations(client: Connection, migrations: Migration[]): Promise<Migration[]> {
  const { rows: tables } = await client.query(`select 1 where to_regclass('migrations') is not null`);
  if (tables.length === 0) return migrations;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const [name, checksum] of applied) {
    const ours = migrations.find((migration) => migration.name === name);
    if (ours === undefined)
      throw new MigrationError(
        `the database has the migration ${name}, which this version does not know: it was used by a newer Tollgate. Run that version, or a newer one`,
      );
    if (ours.checksum !== checksum)
      throw new MigrationError(
        `the migration ${name} was changed after it ran on this database. Use an unchanged release`,
      );
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: Connection, { name, text, checksum }: Migration): Promise<void> {
  try {
    await transaction(client, async () => {
      await client.query(text);
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    });
  } catch (error) {
    throw new MigrationError(`the migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
