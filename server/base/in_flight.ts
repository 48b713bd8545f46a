/** Jobs that have begun and are not over. */
export class InFlight {
  readonly #jobs = new Set<Promise<void>>();
  #ended = 0;

  get size(): number {
    return this.#jobs.size;
  }

  /** How many have ended so far. */
  get ended(): number {
    return this.#ended;
  }

  /** For a job that does not reject. */
  add(job: Promise<void>): void {
    this.#jobs.add(job);
    void job.then(() => {
      this.#jobs.delete(job);
      this.#ended++;
    });
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }
}
