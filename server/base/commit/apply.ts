import { type Sql, sqlState } from '../sql.ts';
import { buildStatement, guardFailed } from './statement.ts';
import type { Write } from './unit.ts';

/** Somebody else has changed a row in the meantime. */
export class GuardFailed extends Error {}

/** Makes writes part of a transaction that the caller has open, for the command line: servers use the committer. */
export async function applyWrites(sql: Sql, writes: readonly Write[]): Promise<void> {
  const { text, values } = buildStatement(writes);
  try {
    await sql.query({ text, values });
  } catch (error) {
    throw sqlState(error) === guardFailed ? new GuardFailed('a row has changed', { cause: error }) : error;
  }
}
