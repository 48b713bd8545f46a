type Screen = { isTTY?: boolean; write(text: string): unknown };

const drawEveryMs = 100;
const barWidth = 30;

/** A line on standard error that shows how far long work has come. Only a terminal sees it: a log would fill with it. */
export class Progress {
  readonly #what: string;
  readonly #terminal: Screen;
  readonly #now: () => number;
  #done = 0;
  #total: number | undefined;
  #note = '';
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(what: string, terminal: Screen = process.stderr, now: () => number = () => performance.now()) {
    this.#what = what;
    this.#terminal = terminal;
    this.#now = now;
  }

  add(count: number): void {
    this.set(this.#done + count, this.#total);
  }

  /** With a total it is a bar, without one a count. */
  set(done: number, total?: number, note = this.#note): void {
    [this.#done, this.#total, this.#note] = [done, total, note];
    if (!this.#terminal.isTTY || this.#now() - this.#drawnAt < drawEveryMs) return;
    this.#drawnAt = this.#now();
    this.#isDrawn = true;
    this.#terminal.write(`\r\x1b[K${this.#line()}`);
  }

  #line(): string {
    const note = this.#note === '' ? '' : `, ${this.#note}`;
    if (this.#total === undefined) return `${this.#done} ${this.#what}${note}`;
    const share = this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total);
    const filled = Math.round(share * barWidth);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}`;
    return `[${bar}] ${Math.floor(share * 100)}%  ${this.#what}${note}`;
  }

  /** Removes the line, so that the result stands alone. */
  [Symbol.dispose](): void {
    if (this.#isDrawn) this.#terminal.write('\r\x1b[K');
    this.#isDrawn = false;
  }
}

/** A line on standard error about a step that takes a moment, for a person who waits. */
export function announce(step: string, terminal: Screen = process.stderr): void {
  if (terminal.isTTY) terminal.write(`${step} …\n`);
}
