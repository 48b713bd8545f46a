import type { Clock } from '../base/clock.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { every } from '../base/timers.ts';
import type { Duty, Job } from '../resources/duty.ts';
import { Looker } from './looker.ts';

const jobsMax = 32; // of each kind

/**
 * What must happen later. Work is a due time on the row that needs it, taken under a lease; a killed instance's work is another's as
 * soon as the lease is over. Each kind looks for its own, so that a processor that takes its time holds up nothing else.
 */
export class Worker {
  readonly #loops: readonly KindLoop[];

  constructor(kinds: readonly Duty[], clock: Clock, log: Log) {
    this.#loops = kinds.map((kind) => new KindLoop(kind, clock, log));
  }

  start(): void {
    for (const loop of this.#loops) loop.looker.start();
  }

  wake(): void {
    for (const loop of this.#loops) loop.looker.wake();
  }

  wakeAt(moment: number): void {
    for (const loop of this.#loops) loop.looker.wakeAt(moment);
  }

  /** Takes no more work and waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Everything that is due, until nothing is: for a test that moved its clock. One kind may make work for another. */
  async settled(): Promise<void> {
    for (let taken = 1; taken > 0; ) {
      taken = 0;
      for (const loop of this.#loops) taken += await loop.settle();
    }
  }
}

class KindLoop {
  readonly looker: Looker;
  readonly #kind: Duty;
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(kind: Duty, clock: Clock, log: Log) {
    this.#kind = kind;
    this.#log = log;
    this.looker = new Looker(() => this.#look(), clock, log);
  }

  async stop(): Promise<void> {
    await this.looker.stop();
    await this.#idle();
  }

  /** Says how much there was. */
  async settle(): Promise<number> {
    await this.looker.atRest();
    await this.#idle();
    const taken = await this.#look();
    // What this look did not find, one beside it may have taken in the same moment.
    await this.looker.atRest();
    const running = this.#running.size;
    await this.#idle();
    return taken + running;
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #look(): Promise<number> {
    const room = jobsMax - this.#running.size;
    if (this.looker.isStopped || room <= 0) return 0;
    const jobs = await this.#kind.lease(room);
    for (const job of jobs) this.#begin(job);
    return jobs.length;
  }

  #begin(job: Job): void {
    const renewal = every(renewLeaseEveryMs, () => void job.renew().catch(() => {}));
    const run = job
      .run()
      // The lease runs out by itself, and then the row is due again.
      .catch((error) =>
        this.#log.warn({ kind: this.#kind.name, error: String(error) }, 'due work failed; it will be retried'),
      )
      .finally(() => {
        renewal.cancel();
        this.#running.delete(run);
      });
    this.#running.add(run);
  }
}
