import { type Sql, sqlState } from '../sql.ts';
import { guardFailed, StatementBuilder } from './statement.ts';
import type { Derived, Write } from './unit.ts';

/** Somebody else has changed a row in the meantime. */
export class GuardFailed extends Error {}

/** Makes writes part of a transaction that the caller has open, for the command line: servers use the committer. */
export async function applyWrites(
  sql: Sql,
  writes: readonly Write[],
  { derived }: { derived: readonly Derived[] },
): Promise<void> {
  const { text, values } = new StatementBuilder(derived).build(writes);
  try {
    await sql.query({ text, values });
  } catch (error) {
    throw sqlState(error) === guardFailed ? new GuardFailed('a row has changed', { cause: error }) : error;
  }
}
