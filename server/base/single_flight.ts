/** Work that never runs twice at once. */
export class SingleFlight<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<T> | undefined;
  #isRequested = false;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** Starts a run, or joins the one that is under way. */
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
   * Makes sure that a whole run follows this call: now, or right after the run that is under way, which may have missed what the caller
   * has just written. Any number of requests during a run are answered by one. For work that does not reject.
   */
  request(): void {
    if (this.#running === undefined) void this.run();
    else this.#isRequested = true;
  }

  /** Resolves once no run is under way, and none is requested. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => {});
  }
}
