import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { after, every, type Timer } from '../base/timers.ts';

/** What other instances left behind is found within this; what this one commits wakes it by itself. */
const lookEveryMs = 500;
const wakeAheadMaxMs = 60_000; // a timer for next week is not worth keeping: looking finds it
const wakeStepMs = 25; // what becomes due within this is looked for together

/** Decides when to look for due work: now and then, when somebody says so, and at moments that were told. Never twice at once. */
export class Looker {
  readonly #look: () => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #wakes = new Map<number, Timer>();
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(look: () => Promise<unknown>, clock: Clock, log: Log) {
    this.#look = look;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    this.#timer = every(lookEveryMs, () => this.wake());
    this.wake();
  }

  /** Looks now, or once more after the look that is under way. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
      if (this.#again) this.wake(); // somebody woke it after its last look, and before this
    });
  }

  /** Told by whoever committed something that becomes due at this moment. */
  wakeAt(moment: number): void {
    const step = Math.ceil(moment / wakeStepMs);
    if (this.#stopped || moment - this.#clock.now() > wakeAheadMaxMs || this.#wakes.has(step)) return;
    const timer = after(Math.max(0, step * wakeStepMs - this.#clock.now()), () => {
      this.#wakes.delete(step);
      this.wake();
    });
    this.#wakes.set(step, timer);
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when no look is under way. */
  async atRest(): Promise<void> {
    await this.#looking;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    for (const timer of this.#wakes.values()) timer.cancel();
    await this.#looking;
  }

  async #lookAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#look().catch((error) => this.#log.warn({ error: String(error) }, 'due work could not be looked for'));
    }
  }
}
