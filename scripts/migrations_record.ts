import { join } from 'node:path';
import { readMigrations } from '../server/base/migration.ts';

const folder = join(import.meta.dirname, '..', 'server', 'migrations');

/** The recorded checksums, and those of new migrations. A recorded one never changes: databases have run that text. */
export function migrationsRecord(recorded: string): string {
  const isRecorded = (name: string) => recorded.includes(`  ${name}\n`);
  const added = readMigrations(folder).filter(({ name }) => !isRecorded(name));
  return recorded + added.map(({ name, checksum }) => `${checksum}  ${name}\n`).join('');
}
