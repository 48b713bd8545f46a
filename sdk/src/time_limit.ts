/** A signal that aborts after a time, or with the caller's own signal. (`AbortSignal.any` is missing in the first releases of Node 20.) */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly milliseconds: number;
  isOver = false;

  constructor(milliseconds: number, caller: AbortSignal | undefined) {
    this.milliseconds = milliseconds;
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#controller.abort();
    }, milliseconds);
    if (caller?.aborted) this.#abort();
    else caller?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time no longer counts; the caller's signal still does. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    this.lift();
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#controller.abort(this.#caller?.reason);
}
