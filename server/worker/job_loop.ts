import type { Shares } from '../base/fair_lease.ts';
import { InFlight } from '../base/in_flight.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import type { Tenant } from '../base/reads.ts';
import { failureLevel } from '../base/sql.ts';
import { every } from '../base/timers.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { BackgroundLoop, DueRow, Job } from '../operations/job.ts';

const defaultConcurrency = 64; // of each job

/** How soon due work of other instances is found. Commits of this instance, and rows of a backlog that are done, wake the loop immediately. */
const pollEveryMs = 500;

/**
 * A job as a loop: each run leases as many due rows as there are free slots and runs the job on each. The rows of a killed instance are leased
 * by another one when their lease expires.
 */
export function jobLoop(job: Job, log: Log, tracing: Tracing): BackgroundLoop {
  const inFlight = new InFlight();
  const stopping = new AbortController();
  const slots = new JobSlots(job.concurrency ?? defaultConcurrency);
  return {
    name: job.name,
    everyMs: pollEveryMs,
    isWoken: true,
    inFlight,
    async run(_, wake) {
      const { free } = slots;
      if (free <= 0) return;
      const leased = await job.lease(free, slots);
      slots.take(leased, leased.length === free);
      const span = { name: `duty ${job.name}`, kind: 'internal', place: 'root' } as const;
      for (const row of leased)
        void inFlight
          .add(runRow(row, job.name, log, () => tracing.span(span, () => row.run(stopping.signal))))
          .then(() => slots.giveBack(row) && wake());
    },
    finish: async () => stopping.abort(),
  };
}

/** The slots for rows that a job runs on. No tenant has more than half: one whose processor hangs leaves the other half to all others. */
class JobSlots implements Shares {
  readonly each: number;
  readonly running = new Map<Tenant, number>();
  readonly #concurrency: number;
  #inFlight = 0;
  /** The tenants that had their share after the last lease: more of theirs may be due. */
  #full = new Set<Tenant>();
  /** When the last lease filled all slots: how many rows of other tenants must be done before the next one. */
  #awaited = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
    this.each = Math.ceil(concurrency / 2);
  }

  get free(): number {
    return this.#concurrency - this.#inFlight;
  }

  take(leased: readonly DueRow[], isLast: boolean): void {
    for (const { tenant } of leased) this.#count(tenant, 1);
    const full = [...this.running].filter(([, rows]) => rows >= this.each);
    const held = full.reduce((sum, [, rows]) => sum + rows, 0);
    this.#full = new Set(full.map(([tenant]) => tenant));
    this.#awaited = isLast ? Math.ceil((this.#inFlight - held) / 2) : 0;
  }

  /** Whether to lease again now: half of the rows at a time, so that a lease is for many. */
  giveBack({ tenant }: DueRow): boolean {
    this.#count(tenant, -1);
    if (this.#full.has(tenant)) return (this.running.get(tenant) ?? 0) <= this.each / 2 && this.#full.delete(tenant);
    return this.#awaited > 0 && --this.#awaited === 0;
  }

  #count(tenant: Tenant, change: 1 | -1): void {
    this.#inFlight += change;
    const rows = (this.running.get(tenant) ?? 0) + change;
    if (rows === 0) this.running.delete(tenant);
    else this.running.set(tenant, rows);
  }
}

/** A row whose job failed keeps its lease; when the lease expires, it is due again. */
async function runRow(row: DueRow, kind: string, log: Log, run: () => Promise<unknown>): Promise<void> {
  const renewal = every(renewLeaseEveryMs, () => void row.renew().catch(() => {}));
  try {
    await run();
  } catch (error) {
    log[failureLevel(error)]({ kind, error: String(error) }, 'job failed; it will be retried');
  } finally {
    renewal.cancel();
  }
}
