import { randomInt } from 'node:crypto';
import type { Clock } from '../base/clock.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomText(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/** What every fake keeps in memory: its time, what happens later, and the books. */
export class FakeBooks<Effect> {
  /** What has moved money or held it, once for each time that it happened. Tests count them. */
  readonly effects: Effect[] = [];
  readonly #clock: Clock;
  #due: { at: number; then: () => void }[] = [];
  #ahead = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#clock.now() + this.#ahead;
  }

  seconds(): number {
    return Math.floor(this.now() / 1_000);
  }

  /** Lets time pass. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    this.catchUp();
  }

  /** Calls `then` once the time has come: before the next request, or within a moment. */
  later(ms: number, then: () => void): void {
    this.#due.push({ at: this.now() + ms, then });
  }

  /** Does what is due, in its order. */
  catchUp(): void {
    for (;;) {
      const now = this.now();
      const due = this.#due.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
      if (due.length === 0) return;
      this.#due = this.#due.filter(({ at }) => at > now);
      for (const { then } of due) then();
    }
  }

  /** Records an effect as it is now. */
  protected enter(effect: Effect): void {
    this.effects.push(structuredClone(effect));
  }
}
