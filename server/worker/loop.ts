import type { Clock } from '../base/clock.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { every } from '../base/timers.ts';
import { Looker } from './looker.ts';

const jobsMax = 32; // of each kind

/** A row that is due and was taken. `run` settles it and commits only while the lease is still its own. */
export type Job = { run(): Promise<void>; renew(): Promise<void> };

/** One kind of work that becomes due on rows of a table. */
export type Kind = { name: string; lease(limit: number): Promise<Job[]> };

/**
 * One small loop for what must happen later. Work is a due time on the row that needs it, taken under a lease; a killed instance's
 * work is another's as soon as the lease is over.
 */
export class Worker {
  readonly #kinds: readonly Kind[];
  readonly #log: Log;
  readonly #running = new Map<Kind, Set<Promise<void>>>();
  readonly #looker: Looker;

  constructor(kinds: readonly Kind[], clock: Clock, log: Log) {
    this.#kinds = kinds;
    this.#log = log;
    this.#looker = new Looker(() => this.#look(), clock, log);
  }

  start(): void {
    this.#looker.start();
  }

  wake(): void {
    this.#looker.wake();
  }

  wakeAt(moment: number): void {
    this.#looker.wakeAt(moment);
  }

  /** Takes no more work and waits for what is under way. */
  async stop(): Promise<void> {
    await this.#looker.stop();
    await this.#idle();
  }

  /** Everything that is due, until nothing is: for a test that moved its clock. */
  async settled(): Promise<void> {
    for (let taken = 1; taken > 0; ) {
      await this.#looker.atRest();
      await this.#idle();
      taken = await this.#look();
      // What this look did not find, one beside it may have taken in the same moment.
      await this.#looker.atRest();
      for (const jobs of this.#running.values()) taken += jobs.size;
    }
  }

  async #idle(): Promise<void> {
    await Promise.all([...this.#running.values()].flatMap((jobs) => [...jobs]));
  }

  async #look(): Promise<number> {
    let taken = 0;
    for (const kind of this.#kinds) {
      const room = jobsMax - (this.#running.get(kind)?.size ?? 0);
      if (this.#looker.isStopped || room <= 0) continue;
      const jobs = await kind.lease(room);
      taken += jobs.length;
      for (const job of jobs) this.#begin(kind, job);
    }
    return taken;
  }

  #begin(kind: Kind, job: Job): void {
    const jobs = this.#running.get(kind) ?? new Set();
    this.#running.set(kind, jobs);
    const renewal = every(renewLeaseEveryMs, () => void job.renew().catch(() => {}));
    const run = job
      .run()
      // The lease runs out by itself, and then the row is due again.
      .catch((error) =>
        this.#log.warn({ kind: kind.name, error: String(error) }, 'due work failed; it will be retried'),
      )
      .finally(() => {
        renewal.cancel();
        jobs.delete(run);
      });
    jobs.add(run);
  }
}
