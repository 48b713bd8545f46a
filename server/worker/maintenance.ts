import type { Log } from '../base/log.ts';
import type { PlaceSql, SqlAt } from '../base/places/sql_at.ts';
import { failureLevel, reasonOf, refusesChanges } from '../base/sql.ts';
import { installation } from '../operations/caller.ts';
import type { BackgroundLoop, MaintenanceTask, TenantsThere } from '../operations/job.ts';
import type { Retention } from '../operations/retention.ts';
import { tenantsThere } from '../operations/tenants.ts';

const everyMs = 60_000;

/** One loop that runs the maintenance tasks in turn, long ones last, and a separate loop for each task that is `isApart`. */
export function maintenanceLoops(
  maintenance: readonly MaintenanceTask[],
  relaxed: SqlAt,
  log: Log,
  retention: Retention,
): BackgroundLoop[] {
  const apart = maintenance.filter(({ isApart }) => isApart);
  const others = maintenance.filter(({ isApart }) => !isApart);
  const quickFirst = [...others.filter(({ isLong }) => !isLong), ...others.filter(({ isLong }) => isLong)];
  return [...apart.map((task) => [task]), quickFirst]
    .filter((group) => group.length > 0)
    .map((group) => ({
      name: group.map(({ name }) => name).join(', '),
      everyMs,
      isWoken: false,
      async run() {
        const runAt = async (place: PlaceSql) => {
          for (const task of group)
            if (relaxed.places(task.home).some(({ name }) => name === place.name))
              await runTask(task, log, () => task.run(place.sql, retention, tenantsOf(relaxed, place)));
        };
        // Side by side: one place that takes long does not keep the others waiting.
        await Promise.all(relaxed.places('both').map(runAt));
      },
    }));
}

/** The directory has rows of the installation too. */
const tenantsOf =
  (relaxed: SqlAt, place: PlaceSql): TenantsThere =>
  async () => {
    const tenants = await tenantsThere(relaxed, place);
    return place.sql === relaxed.directory ? [installation, ...tenants] : tenants;
  };

/** A failed task does not stop the others; the next sweep retries it. */
async function runTask({ name, alarm }: MaintenanceTask, log: Log, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const failure = { chore: name, error: reasonOf(error) };
    const level = failureLevel(error);
    if (alarm !== undefined && (level !== 'debug' || refusesChanges(error))) log.error(failure, alarm);
    else log[level](failure, 'maintenance task failed; it is retried in a minute');
  }
}
