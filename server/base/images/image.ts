export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** A picture of one frame, with nothing in its file but what a browser needs to draw it. */
export type Image = { type: ImageType; width: number; height: number; bytes: Buffer };

export type ImageSize = { width: number; height: number };

/** Why a file is not taken. The message goes on after "the image is invalid:". */
export class ImageRefused extends Error {}

export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new ImageRefused(otherwise);
}

export const oneFrame = 'it must be a single picture, without animation';

/** Reads a file from its beginning to its end, and never beyond. */
export class Bytes {
  readonly #bytes: Buffer;
  readonly #format: string;
  #at = 0;

  constructor(bytes: Buffer, format: string) {
    this.#bytes = bytes;
    this.#format = format;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Buffer {
    this.require(count <= this.left);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  /** The next byte, which is read again. */
  peek(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** Everything up to a position that the caller has found, counted from here. */
  find(isEnd: (bytes: Buffer, at: number) => boolean): Buffer {
    let end = this.#at;
    while (end < this.#bytes.length && !isEnd(this.#bytes, end)) end++;
    return this.take(end - this.#at);
  }

  require(condition: boolean): void {
    requireThat(condition, `it is not a well-formed ${this.#format} file`);
  }
}
