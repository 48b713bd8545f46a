/**
 * Gathers text outside the garbage-collected heap, until it is handed over in one block. Lines kept as strings for a fifth of a
 * second would survive young collections by the thousand.
 */
export class BlockBuffer {
  readonly #bytesMax: number;
  #block: Buffer;
  #used = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#block = Buffer.allocUnsafeSlow(bytesMax);
  }

  get used(): number {
    return this.#used;
  }

  /** False when the text does not fit any more; nothing is written then. */
  append(text: string): boolean {
    // A UTF-16 unit takes at most three bytes in UTF-8: only where that could be too much is the length counted.
    const room = this.#bytesMax - this.#used;
    if (text.length * 3 > room && Buffer.byteLength(text) > room) return false;
    this.#used += this.#block.write(text, this.#used);
    return true;
  }

  /** What was gathered. The block is the caller's; the next text goes into a new one. */
  take(): Buffer {
    const taken = this.#block.subarray(0, this.#used);
    this.#block = Buffer.allocUnsafeSlow(this.#bytesMax);
    this.#used = 0;
    return taken;
  }

  /** Lends what was gathered for as long as `use` runs, then begins anew in the same block. */
  lend(use: (bytes: Buffer) => void): void {
    const bytes = this.#block.subarray(0, this.#used);
    this.#used = 0;
    use(bytes);
  }
}
