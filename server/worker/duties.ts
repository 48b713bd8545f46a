import { InFlight } from '../base/in_flight.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { failureLevel } from '../base/sql.ts';
import { every } from '../base/timers.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Duty, Job, Loop } from '../resources/duty.ts';

const usualJobsMax = 32; // of each duty

/** How soon due work of other instances is found. Commits of this instance, and the jobs of a backlog, wake the loop at once. */
const pollEveryMs = 500;

/**
 * A duty as a loop: each run leases as many due rows as there is room for and starts their jobs. The rows of a killed instance are leased
 * by another one when their lease expires.
 */
export function dutyLoop(duty: Duty, log: Log, tracing: Tracing): Loop {
  const jobs = new InFlight();
  const stopping = new AbortController();
  const { jobsMax = usualJobsMax } = duty;
  /** Whether more may be due than there was room for. */
  let isBacklog = false;
  return {
    name: duty.name,
    everyMs: pollEveryMs,
    isWoken: true,
    jobs,
    async run(_, wake) {
      const room = jobsMax - jobs.size;
      if (room <= 0) return;
      const leased = await duty.lease(room);
      isBacklog = leased.length === room;
      // Half of the jobs at a time, so that a lease is for many.
      const ended = () => {
        if (!isBacklog || jobs.size > jobsMax / 2) return;
        isBacklog = false;
        wake();
      };
      const span = { name: `duty ${duty.name}`, kind: 'internal', place: 'root' } as const;
      for (const job of leased)
        void jobs
          .add(runJob(job, duty.name, log, () => tracing.span(span, () => job.run(stopping.signal))))
          .then(ended);
    },
    finish: async () => stopping.abort(),
  };
}

/** A failed job keeps its lease; when the lease expires, the row is due again. */
async function runJob(job: Job, kind: string, log: Log, run: () => Promise<unknown>): Promise<void> {
  const renewal = every(renewLeaseEveryMs, () => void job.renew().catch(() => {}));
  try {
    await run();
  } catch (error) {
    log[failureLevel(error)]({ kind, error: String(error) }, 'due work failed; it will be retried');
  } finally {
    renewal.cancel();
  }
}
