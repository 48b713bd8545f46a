/** So many requests in a second, as Stripe allows them. */
export class FakeRateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  #second = 0;
  #requests = 0;

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request: whether it is one too many. */
  isExceeded(): boolean {
    const second = Math.floor(this.#now() / 1_000);
    if (second !== this.#second) [this.#second, this.#requests] = [second, 0];
    this.#requests += 1;
    return this.#requests > this.#perSecond;
  }
}
