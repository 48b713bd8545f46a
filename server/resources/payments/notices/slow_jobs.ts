import { after } from '../../../base/timers.ts';

const slowAfterMs = 1_000;

/** Counts the due rows whose job has been running for more than a second, by the name of what they wait for. */
export class SlowJobs {
  readonly #counts = new Map<string, number>();

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  async watch<T>(name: string, run: () => Promise<T>): Promise<T> {
    let isSlow = false;
    const timer = after(slowAfterMs, () => {
      isSlow = true;
      this.#add(name, 1);
    });
    try {
      return await run();
    } finally {
      timer.cancel();
      if (isSlow) this.#add(name, -1);
    }
  }

  #add(name: string, change: 1 | -1): void {
    const count = this.count(name) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
