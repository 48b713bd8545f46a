/** Reads numbers of a font file, one after the other. They are big-endian. */
export class ByteReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.#bytes.readUInt16BE(this.at - 2);
  }

  i16(): number {
    this.at += 2;
    return this.#bytes.readInt16BE(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.#bytes.readUInt32BE(this.at - 4);
  }

  take(length: number): Buffer {
    if (length > this.left) throw new RangeError('a font ends too early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  part(length: number): ByteReader {
    return new ByteReader(this.take(length));
  }

  /** UIntBase128 of WOFF2: seven bits a byte, the highest says that more follow. */
  base128(): number {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = this.u8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new RangeError('a length in a font has more than five bytes');
  }

  /** 255UInt16 of WOFF2. */
  short255(): number {
    const code = this.u8();
    if (code === 253) return this.u16();
    if (code === 254) return this.u8() + 506;
    return code === 255 ? this.u8() + 253 : code;
  }
}

/** Numbers as they stand in a font file. */
export function u16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2);
  return bytes;
}

export function u32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
}

/** Tables begin at multiples of four bytes. */
export function padded(bytes: Buffer): Buffer {
  const missing = -bytes.length & 3;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}
