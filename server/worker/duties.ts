import { InFlight } from '../base/in_flight.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { every } from '../base/timers.ts';
import type { Duty, Job, Loop } from '../resources/duty.ts';

const jobsMax = 32; // of each duty

/** Due work that other instances left behind is found within this time; what this one commits wakes it by itself. */
const pollEveryMs = 500;

/**
 * A duty as a loop: each run leases as many due rows as there is room for and begins them. What a killed instance had leased is leased by
 * another one as soon as the lease is over.
 */
export function dutyLoop(duty: Duty, log: Log): Loop {
  const jobs = new InFlight();
  return {
    name: duty.name,
    everyMs: pollEveryMs,
    isWoken: true,
    jobs,
    async run() {
      const room = jobsMax - jobs.size;
      if (room <= 0) return;
      for (const job of await duty.lease(room)) jobs.add(runJob(job, duty.name, log));
    },
  };
}

/** A job that fails keeps its lease; when that is over, the row is due again. */
async function runJob(job: Job, kind: string, log: Log): Promise<void> {
  const renewal = every(renewLeaseEveryMs, () => void job.renew().catch(() => {}));
  try {
    await job.run();
  } catch (error) {
    log.warn({ kind, error: String(error) }, 'due work failed; it will be retried');
  } finally {
    renewal.cancel();
  }
}
