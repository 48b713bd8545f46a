import { InFlight } from '../base/in_flight.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { failureLevel } from '../base/sql.ts';
import { every } from '../base/timers.ts';
import type { Duty, Job, Loop } from '../resources/duty.ts';

const jobsMax = 32; // of each duty

/** How soon due work of other instances is found. Commits of this instance wake the loop at once. */
const pollEveryMs = 500;

/**
 * A duty as a loop: each run leases as many due rows as there is room for and starts their jobs. The rows of a killed instance are leased
 * by another one when their lease expires.
 */
export function dutyLoop(duty: Duty, log: Log): Loop {
  const jobs = new InFlight();
  const stopping = new AbortController();
  return {
    name: duty.name,
    everyMs: pollEveryMs,
    isWoken: true,
    jobs,
    async run() {
      const room = jobsMax - jobs.size;
      if (room <= 0) return;
      for (const job of await duty.lease(room)) jobs.add(runJob(job, duty.name, log, stopping.signal));
    },
    finish: async () => stopping.abort(),
  };
}

/** A failed job keeps its lease; when the lease expires, the row is due again. */
async function runJob(job: Job, kind: string, log: Log, stopping: AbortSignal): Promise<void> {
  const renewal = every(renewLeaseEveryMs, () => void job.renew().catch(() => {}));
  try {
    await job.run(stopping);
  } catch (error) {
    log[failureLevel(error)]({ kind, error: String(error) }, 'due work failed; it will be retried');
  } finally {
    renewal.cancel();
  }
}
