import type { Clock } from '../base/clock.ts';
import { after, type Timer } from '../base/timers.ts';

const aheadMaxMs = 60_000; // later moments are left to polling
const stepMs = 25; // moments within one step share a wake-up

/** Timers for the due times that this instance has committed itself. */
export class Wakeups {
  readonly #clock: Clock;
  readonly #wake: (name: string | undefined) => void;
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Clock, wake: (name: string | undefined) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  add(moment: number, name?: string): void {
    const now = this.#clock.now();
    if (moment - now > aheadMaxMs) return;
    const step = Math.ceil(moment / stepMs);
    const key = `${step} ${name ?? ''}`;
    if (this.#timers.has(key)) return;
    const wake = () => {
      this.#timers.delete(key);
      this.#wake(name);
    };
    this.#timers.set(key, after(Math.max(0, step * stepMs - now), wake));
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
