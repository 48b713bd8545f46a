import { hash } from 'node:crypto';
import { type AppliedMigration, type Migration, MigrationError } from './migration.ts';

/**
 * The 54 migrations that the first ones of this version, the baseline, have replaced. A database that has run all of them has the schema of
 * the baseline.
 */
const earlier = {
  first: '0001_foundation.sql',
  /** SHA-256 of their lines `checksum  name`. */
  digest: '680a2288d85cfcfba7b67cd0bddef5c238884b11f53d6e656383cc341c5cb0cb',
};

/** The last commit that has these migrations, and everything else to bring an older database to the last of them. */
export const earlierCommit = 'ce7aba08110433bda7df34dbfad89a6edea43c8a';
export const lastOfBaseline = '0011_simulator.sql';

/** Whether the database has the schema of the baseline by the earlier migrations; refuses one that has run only some of them. */
export function hasEarlierSchema(applied: readonly AppliedMigration[]): boolean {
  if (!applied.some(({ name }) => name === earlier.first)) return false;
  const lines = applied.map(({ name, checksum }) => `${checksum}  ${name}\n`);
  if (hash('sha256', lines.join('')) === earlier.digest) return true;
  throw new MigrationError(
    `the database has a schema from before the baseline (its last migration is ${applied.at(-1)!.name}), which this version cannot migrate. First check out the commit ${earlierCommit} and run there: npm ci && npx tollgate migrate. Then run tollgate migrate of this version`,
  );
}

/** The migrations that have not run yet; refuses a database of a newer version that this one cannot run with, or of another history. */
export function checkHistory(applied: readonly AppliedMigration[], known: readonly Migration[]): Migration[] {
  if (hasEarlierSchema(applied)) return [...known]; // `migrate` accepts the schema as the baseline first
  for (const { name, checksum, rolling } of applied) {
    const ours = known.find((migration) => migration.name === name);
    if (ours === undefined && !rolling)
      throw new MigrationError(
        `the database has the migration ${name}, which this version does not know and cannot run with: it was used by a newer Tollgate. Run that version, or a newer one`,
      );
    if (ours !== undefined && ours.checksum !== checksum)
      throw new MigrationError(
        `the migration ${name} was changed after it ran on this database. Use an unchanged release`,
      );
  }
  const names = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !names.has(name));
}
