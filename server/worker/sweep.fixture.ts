import pino from 'pino';
import { systemClock } from '../base/clock.ts';
import type { Pool } from '../base/sql.ts';
import type { Chore } from '../operations/job.ts';
import { defaultRetention } from '../operations/retention.ts';
import { choreLoops } from './chores.ts';
import { Scheduler } from './scheduler.ts';

type Settings = { log?: pino.Logger; retention?: typeof defaultRetention };

/** A scheduler for chores alone. */
export function housekeeping(
  chores: readonly Chore[],
  pool: Pool,
  { log = pino({ level: 'silent' }), retention = defaultRetention }: Settings = {},
): Scheduler {
  return new Scheduler({ clock: systemClock, log, loops: choreLoops(chores, pool, log, retention) });
}

/** One sweep, as at every start. */
export async function sweep(chores: readonly Chore[], pool: Pool, settings?: Settings): Promise<void> {
  const scheduler = housekeeping(chores, pool, settings);
  scheduler.start();
  await scheduler.stop();
}
