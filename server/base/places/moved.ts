import { sqlState } from '../sql.ts';

/**
 * A place that is elsewhere by now answers with one of these: its own refusal; a table or a function that is gone, after its schema was
 * removed; and a prepared statement whose table was replaced.
 */
const movedStates: ReadonlySet<string | undefined> = new Set(['TG001', '42P01', '42883', '0A000']);

/** Whether a statement at a place of a cluster has failed because its tenants live elsewhere now. Nothing of it was written. */
export function hasMoved(error: unknown): boolean {
  return movedStates.has(sqlState(error));
}
