import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { after, every, type Timer } from '../base/timers.ts';

/** What other instances left behind is found within this; what this one commits wakes the loop by itself. */
const lookEveryMs = 500;
const jobsMax = 32;
const renewEveryMs = 5_000;
const wakeAheadMaxMs = 60_000; // a timer for next week is not worth keeping: looking finds it

/** A row that is due and was taken. `run` settles it and commits only while the lease is still its own. */
export type Job = { run(): Promise<void>; renew(): Promise<void> };

/** One kind of work that becomes due on rows of a table. */
export type Kind = { name: string; lease(limit: number): Promise<Job[]> };

/**
 * One small loop for everything that must happen later. Work is a due time on the row that needs it, taken under a lease; a killed
 * instance's work is another's as soon as the lease is over.
 */
export class Worker {
  readonly #kinds: readonly Kind[];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();
  readonly #wakes = new Set<Timer>();
  #timer: Timer | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(kinds: readonly Kind[], clock: Clock, log: Log) {
    this.#kinds = kinds;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    this.#timer = every(lookEveryMs, () => this.wake());
    this.wake();
  }

  /** Looks for due work now. */
  wake(): void {
    if (!this.#stopped) this.#looking = this.#looking.then(() => this.#look());
  }

  /** Told by whoever committed a row that becomes due at this moment. */
  wakeAt(moment: number): void {
    const wait = moment - this.#clock.now();
    if (this.#stopped || wait > wakeAheadMaxMs) return;
    const timer = after(Math.max(0, wait), () => {
      this.#wakes.delete(timer);
      this.wake();
    });
    this.#wakes.add(timer);
  }

  /** Takes no more work and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    for (const timer of this.#wakes) timer.cancel();
    await this.#looking;
    await Promise.all(this.#running);
  }

  /** Everything that is due, until nothing is: for a test that moved its clock. */
  async settled(): Promise<void> {
    do {
      this.wake();
      await this.#looking;
      await Promise.all(this.#running);
    } while ((await this.#look()) > 0);
  }

  async #look(): Promise<number> {
    let taken = 0;
    for (const kind of this.#kinds) {
      const room = jobsMax - this.#running.size;
      if (this.#stopped || room <= 0) break;
      try {
        const jobs = await kind.lease(room);
        taken += jobs.length;
        for (const job of jobs) this.#begin(kind, job);
      } catch (error) {
        this.#log.warn({ kind: kind.name, error: String(error) }, 'due work could not be looked for');
      }
    }
    return taken;
  }

  #begin(kind: Kind, job: Job): void {
    const renewal = every(renewEveryMs, () => void job.renew().catch(() => {}));
    const run = job
      .run()
      // The lease runs out by itself, and then the row is due again.
      .catch((error) =>
        this.#log.warn({ kind: kind.name, error: String(error) }, 'due work failed; it will be retried'),
      )
      .finally(() => {
        renewal.cancel();
        this.#running.delete(run);
      });
    this.#running.add(run);
  }
}
