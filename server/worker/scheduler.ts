import type { Clock } from '../base/clock.ts';
import { InFlight } from '../base/in_flight.ts';
import type { Log } from '../base/log.ts';
import { SingleFlight } from '../base/single_flight.ts';
import { failureLevel } from '../base/sql.ts';
import { every, type Timer } from '../base/timers.ts';
import { noTracing, type Tracing } from '../base/tracing/tracing.ts';
import type { BackgroundLoop, Job } from '../operations/job.ts';
import { jobLoop } from './job_loop.ts';
import { Wakeups } from './wakeups.ts';

export type SchedulerParts = {
  clock: Clock;
  log: Log;
  jobs?: readonly Job[];
  loops?: readonly BackgroundLoop[];
  tracing?: Tracing;
};

/**
 * Runs all work beside the requests, and receives all wake-ups. Each job is a separate loop, so that a slow processor delays no other
 * work.
 */
export class Scheduler {
  readonly #log: Log;
  readonly #tracing: Tracing;
  readonly #runners: Runner[] = [];
  /** The runners that work on due rows. */
  readonly #woken: Runner[] = [];
  readonly #wakeups: Wakeups;
  readonly #timers: Timer[] = [];
  #stopped: Promise<void> | undefined;

  constructor({ clock, log, tracing = noTracing, ...work }: SchedulerParts) {
    this.#log = log;
    this.#tracing = tracing;
    this.#wakeups = new Wakeups(clock, (name) => this.wake(name));
    this.add(work);
  }

  /** Only before the start. The work comes later than the scheduler, because services of the work wake the scheduler. */
  add({ jobs = [], loops = [] }: Pick<SchedulerParts, 'jobs' | 'loops'>): void {
    for (const loop of [...jobs.map((job) => jobLoop(job, this.#log, this.#tracing)), ...loops]) {
      const runner = new Runner(loop, this.#log);
      this.#runners.push(runner);
      if (loop.isWoken) this.#woken.push(runner);
    }
  }

  /** Runs everything immediately: work may be due since the last stop. Loops of one rhythm share a timer, and so what they ask the database. */
  start(): void {
    for (const [everyMs, runners] of Map.groupBy(this.#runners, ({ loop }) => loop.everyMs)) {
      const tick = () => {
        for (const runner of runners) runner.tick();
      };
      this.#timers.push(every(everyMs, tick));
      tick();
    }
  }

  /** Something may be due now: for the job or loop of this name, or for any of them. */
  wake(name?: string): void {
    for (const runner of this.#woken) if (name === undefined || name === runner.loop.name) runner.wake();
  }

  /** Something becomes due at this moment, epoch milliseconds. */
  wakeAt(moment: number, name?: string): void {
    if (this.#stopped === undefined) this.#wakeups.add(moment, name);
  }

  /** Resolves once no due work is in flight, with the number of jobs that ended in the meantime. */
  async idle(): Promise<number> {
    const ended = await Promise.all(this.#woken.map((runner) => runner.idle()));
    return ended.reduce((sum, jobs) => sum + jobs, 0);
  }

  /**
   * Leases no more due work and waits for jobs in flight. All other loops run until `drained` is resolved, so that the postings of the
   * last requests are still sealed and the uses of their keys recorded.
   */
  stop(drained: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#stopped ??= this.#stop(drained);
    return this.#stopped;
  }

  async #stop(drained: Promise<unknown>): Promise<void> {
    this.#wakeups.stop();
    await Promise.all([...this.#woken.map((runner) => runner.stop()), drained]);
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    for (const timer of this.#timers) timer.cancel();
  }
}

/** Starts the runs of one loop, and stops them. */
class Runner {
  readonly loop: BackgroundLoop;
  readonly #log: Log;
  readonly #runs = new SingleFlight(() => this.#run());
  readonly #inFlight: InFlight;
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(loop: BackgroundLoop, log: Log) {
    this.loop = loop;
    this.#log = log;
    this.#inFlight = loop.inFlight ?? new InFlight();
  }

  tick(): void {
    if (this.loop.isWoken) this.wake();
    else void this.#runs.run();
  }

  /** Runs now, or once more after the current run. */
  wake(): void {
    if (!this.#stopping.signal.aborted) this.#runs.request();
  }

  async idle(): Promise<number> {
    const before = this.#inFlight.ended;
    await this.#runs.idle();
    await this.#inFlight.idle();
    return this.#inFlight.ended - before;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runs.idle();
    await this.loop.finish?.();
    await this.#inFlight.idle();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      await this.loop.run(signal, () => this.wake());
    } catch (error) {
      this.#log[failureLevel(error)](
        { kind: this.loop.name, error: String(error) },
        'could not read due work from the database; retrying',
      );
    }
  }
}
