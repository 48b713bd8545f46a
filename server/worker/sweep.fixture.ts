import pino from 'pino';
import { systemClock } from '../base/clock.ts';
import { onePool } from '../base/places/sql_at.ts';
import type { Pool } from '../base/sql.ts';
import type { MaintenanceTask } from '../operations/job.ts';
import { defaultRetention } from '../operations/retention.ts';
import { maintenanceLoops } from './maintenance.ts';
import { Scheduler } from './scheduler.ts';

type Settings = { log?: pino.Logger; retention?: typeof defaultRetention };

/** A scheduler for maintenance tasks alone. */
export function housekeeping(
  maintenance: readonly MaintenanceTask[],
  pool: Pool,
  { log = pino({ level: 'silent' }), retention = defaultRetention }: Settings = {},
): Scheduler {
  return new Scheduler({
    clock: systemClock,
    log,
    loops: maintenanceLoops(maintenance, onePool(pool), log, retention),
  });
}

/** One sweep, as at every start. */
export async function sweep(maintenance: readonly MaintenanceTask[], pool: Pool, settings?: Settings): Promise<void> {
  const scheduler = housekeeping(maintenance, pool, settings);
  scheduler.start();
  await scheduler.stop();
}
