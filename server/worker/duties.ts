import type { Shares } from '../base/fair_lease.ts';
import { InFlight } from '../base/in_flight.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import type { Tenant } from '../base/reads.ts';
import { failureLevel } from '../base/sql.ts';
import { every } from '../base/timers.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Duty, Job, Loop } from '../operations/job.ts';

const usualJobsMax = 64; // of each duty

/** How soon due work of other instances is found. Commits of this instance, and the jobs of a backlog, wake the loop at once. */
const pollEveryMs = 500;

/**
 * A duty as a loop: each run leases as many due rows as there is room for and starts their jobs. The rows of a killed instance are leased
 * by another one when their lease expires.
 */
export function dutyLoop(duty: Duty, log: Log, tracing: Tracing): Loop {
  const jobs = new InFlight();
  const stopping = new AbortController();
  const places = new JobPlaces(duty.jobsMax ?? usualJobsMax);
  return {
    name: duty.name,
    everyMs: pollEveryMs,
    isWoken: true,
    jobs,
    async run(_, wake) {
      const { room } = places;
      if (room <= 0) return;
      const leased = await duty.lease(room, places);
      places.take(leased, leased.length === room);
      const span = { name: `duty ${duty.name}`, kind: 'internal', place: 'root' } as const;
      for (const job of leased)
        void jobs
          .add(runJob(job, duty.name, log, () => tracing.span(span, () => job.run(stopping.signal))))
          .then(() => places.giveBack(job) && wake());
    },
    finish: async () => stopping.abort(),
  };
}

/** The places for the jobs of a duty. No tenant has more than half: one whose processor hangs leaves the other half to all others. */
class JobPlaces implements Shares {
  readonly each: number;
  readonly running = new Map<Tenant, number>();
  readonly #jobsMax: number;
  #jobs = 0;
  /** The tenants that had their share after the last lease: more of theirs may be due. */
  #full = new Set<Tenant>();
  /** When the last lease filled all places: how many jobs of other tenants must end before the next one. */
  #awaited = 0;

  constructor(jobsMax: number) {
    this.#jobsMax = jobsMax;
    this.each = Math.ceil(jobsMax / 2);
  }

  get room(): number {
    return this.#jobsMax - this.#jobs;
  }

  take(leased: readonly Job[], isLast: boolean): void {
    for (const { tenant } of leased) this.#count(tenant, 1);
    const full = [...this.running].filter(([, jobs]) => jobs >= this.each);
    const held = full.reduce((sum, [, jobs]) => sum + jobs, 0);
    this.#full = new Set(full.map(([tenant]) => tenant));
    this.#awaited = isLast ? Math.ceil((this.#jobs - held) / 2) : 0;
  }

  /** Whether to lease again now: half of the jobs at a time, so that a lease is for many. */
  giveBack({ tenant }: Job): boolean {
    this.#count(tenant, -1);
    if (this.#full.has(tenant)) return (this.running.get(tenant) ?? 0) <= this.each / 2 && this.#full.delete(tenant);
    return this.#awaited > 0 && --this.#awaited === 0;
  }

  #count(tenant: Tenant, change: 1 | -1): void {
    this.#jobs += change;
    const jobs = (this.running.get(tenant) ?? 0) + change;
    if (jobs === 0) this.running.delete(tenant);
    else this.running.set(tenant, jobs);
  }
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
