import { Unavailable } from '../errors.ts';
import { isUnavailable, refusesMoved, sqlState } from '../sql.ts';
import { pause } from '../timers.ts';

/**
 * A place that is elsewhere by now answers with one of these: its own refusal; a table or a function that is gone, after its schema was
 * removed; and a prepared statement whose table was replaced.
 */
const movedStates: ReadonlySet<string | undefined> = new Set(['42P01', '42883', '0A000']);

/** Whether a statement at a place of a cluster has failed because its tenants live elsewhere now. Nothing of it was written. */
export function hasMoved(error: unknown): boolean {
  return refusesMoved(error) || movedStates.has(sqlState(error));
}

/** Whether a place cannot be asked now, for one reason or the other. */
export function isAway(error: unknown): boolean {
  return isUnavailable(error) || hasMoved(error);
}

const againAfterMs = 20;
const patienceMs = 2_000;

/** Repeats a read of several places for as long as one of them is moving. Its connections are replaced meanwhile, because they have failed. */
export async function whileMoving<T>(read: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += againAfterMs) {
    try {
      return await read();
    } catch (error) {
      if (!hasMoved(error)) throw error;
      if (waited >= patienceMs)
        throw new Unavailable('accounts are being moved to another server', { cause: error as Error });
      await pause(againAfterMs);
    }
  }
}

/** The failure to report where several places were asked: a bug, then a move, which is over soon. */
export function gravestOf(failures: readonly unknown[]): unknown {
  return failures.find((failure) => !isAway(failure)) ?? failures.find(hasMoved) ?? failures[0];
}
