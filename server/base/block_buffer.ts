/**
 * Buffers text outside the garbage-collected heap, and hands it over in one block. Thousands of lines kept as strings for a fifth of a
 * second would survive the young generation's collections.
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

  /** Returns false, and writes nothing, when the text does not fit. */
  append(text: string): boolean {
    // A UTF-16 unit takes at most three bytes in UTF-8: the exact length is needed only where that could exceed the free space.
    const free = this.#bytesMax - this.#used;
    if (text.length * 3 > free && Buffer.byteLength(text) > free) return false;
    this.#used += this.#block.write(text, this.#used);
    return true;
  }

  /** Returns the buffered bytes. Their block belongs to the caller; later text goes into a new block. */
  take(): Buffer {
    const taken = this.#block.subarray(0, this.#used);
    this.#block = Buffer.allocUnsafeSlow(this.#bytesMax);
    this.#used = 0;
    return taken;
  }

  /**
   * Returns a copy of the buffered bytes, with `end` after them, then starts again in the same block: a new one would have to be mapped, page by
   * page.
   */
  copy(end = ''): Buffer {
    const copied = Buffer.concat([this.#block.subarray(0, this.#used), Buffer.from(end)]);
    this.#used = 0;
    return copied;
  }

  /** Lends the buffered bytes to `use`, then starts again in the same block. */
  lend(use: (bytes: Buffer) => void): void {
    const bytes = this.#block.subarray(0, this.#used);
    this.#used = 0;
    use(bytes);
  }
}
