import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export class MigrationError extends Error {}

export type Migration = {
  name: string;
  text: string;
  checksum: string;
  /** Servers of the previous version can go on while and after it runs. */
  isRolling: boolean;
  /** One transaction around all statements; otherwise they run one by one, and each can be repeated. */
  isTransaction: boolean;
};

/** A migration that has run on a database. */
export type AppliedMigration = { name: string; checksum: string; rolling: boolean };

const directive = /^-- tollgate: (.*)$/;
const directives = { rolling: 'rolling', apart: 'no transaction' };

export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const given = directivesOf(name, text);
    const [isRolling, isTransaction] = [given.has(directives.rolling), !given.has(directives.apart)];
    return { name, text, checksum: hash('sha256', text), isRolling, isTransaction };
  });
}

/** The directives at the top of the file: one that stands lower or is misspelt would be a comment without effect. */
function directivesOf(name: string, text: string): Set<string> {
  const lines = text.split('\n');
  const top = lines.findIndex((line) => !directive.test(line));
  const given = lines.flatMap((line) => directive.exec(line)?.[1] ?? []);
  const unknown = given.find((word) => !Object.values(directives).includes(word));
  if (unknown !== undefined) throw new MigrationError(`the migration ${name} has the unknown directive "${unknown}"`);
  if (given.length > (top === -1 ? lines.length : top))
    throw new MigrationError(`the migration ${name} has a directive that is not in its first lines`);
  return new Set(given);
}
