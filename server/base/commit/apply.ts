import type { Sql } from '../sql.ts';
import { buildStatement } from './statement.ts';
import type { Write } from './unit.ts';

/** Makes writes part of a transaction that the caller has open, for the command line: servers use the committer. */
export async function applyWrites(sql: Sql, writes: readonly Write[]): Promise<void> {
  const { text, values } = buildStatement(writes);
  await sql.query({ text, values });
}
