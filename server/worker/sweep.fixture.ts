import pino from 'pino';
import { systemClock } from '../base/clock.ts';
import type { Pool } from '../base/sql.ts';
import type { Chore } from '../resources/duty.ts';
import { choreLoops } from './chores.ts';
import { Scheduler } from './scheduler.ts';

/** A scheduler for chores alone. */
export function housekeeping(chores: readonly Chore[], pool: Pool, log = pino({ level: 'silent' })): Scheduler {
  return new Scheduler({ clock: systemClock, log, loops: choreLoops(chores, pool, log) });
}

/** One sweep, as at every start. */
export async function sweep(chores: readonly Chore[], pool: Pool, log?: pino.Logger): Promise<void> {
  const scheduler = housekeeping(chores, pool, log);
  scheduler.start();
  await scheduler.stop();
}
