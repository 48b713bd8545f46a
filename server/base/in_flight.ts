/** Jobs that have started and not finished. */
export class InFlight {
  readonly #jobs = new Set<Promise<void>>();
  #ended = 0;

  get size(): number {
    return this.#jobs.size;
  }

  /** The number of finished jobs. */
  get ended(): number {
    return this.#ended;
  }

  /** `job` must not reject. Resolves once it no longer counts. */
  add(job: Promise<void>): Promise<void> {
    this.#jobs.add(job);
    return job.then(() => {
      this.#jobs.delete(job);
      this.#ended++;
    });
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }
}
