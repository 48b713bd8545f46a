/** Work that never runs twice concurrently. */
export class SingleFlight<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<T> | undefined;
  #isRequested = false;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** Starts a run, or joins the running one. */
  run(): Promise<T> {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (!this.#isRequested) return;
      this.#isRequested = false;
      void this.run();
    });
    return this.#running;
  }

  /**
   * Makes sure that a whole run follows this call: now, or right after the running one, which may have missed what the caller has just
   * written. All requests during a run share the next one. The work must not reject.
   */
  request(): void {
    if (this.#running === undefined) void this.run();
    else this.#isRequested = true;
  }

  /** Resolves once no run is in progress or requested. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => {});
  }
}
