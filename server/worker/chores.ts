import type { Log } from '../base/log.ts';
import { failureLevel, type Pool, reasonOf, refusesChanges } from '../base/sql.ts';
import type { Chore, Loop } from '../operations/job.ts';
import type { Retention } from '../operations/retention.ts';

const everyMs = 60_000;

/** One loop that runs the chores in turn, long ones last, and a separate loop for each chore that is `isApart`. */
export function choreLoops(chores: readonly Chore[], pool: Pool, log: Log, retention: Retention): Loop[] {
  const apart = chores.filter(({ isApart }) => isApart);
  const others = chores.filter(({ isApart }) => !isApart);
  const quickFirst = [...others.filter(({ isLong }) => !isLong), ...others.filter(({ isLong }) => isLong)];
  return [...apart.map((chore) => [chore]), quickFirst]
    .filter((group) => group.length > 0)
    .map((group) => ({
      name: group.map(({ name }) => name).join(', '),
      everyMs,
      isWoken: false,
      async run() {
        for (const chore of group) await runChore(chore, log, () => chore.run(pool, retention));
      },
    }));
}

/** A failed chore does not stop the others; the next sweep retries it. */
async function runChore({ name, alarm }: Chore, log: Log, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const failure = { chore: name, error: reasonOf(error) };
    const level = failureLevel(error);
    if (alarm !== undefined && (level !== 'debug' || refusesChanges(error))) log.error(failure, alarm);
    else log[level](failure, 'housekeeping failed; it will be tried again in a minute');
  }
}
