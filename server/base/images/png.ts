import { promisify } from 'node:util';
import { crc32, type Inflate, inflate, type ZlibOptions } from 'node:zlib';
import { Bytes, type Image, type ImageSize, oneFrame, requireThat } from './image.ts';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The bit depths of each colour type, and how many samples a pixel has. */
const colourTypes: Readonly<Record<number, { depths: readonly number[]; samples: number }>> = {
  0: { depths: [1, 2, 4, 8, 16], samples: 1 },
  2: { depths: [8, 16], samples: 3 },
  3: { depths: [1, 2, 4, 8], samples: 1 },
  4: { depths: [8, 16], samples: 2 },
  6: { depths: [8, 16], samples: 4 },
};
const byPalette = 3;

/** The seven passes of an interlaced picture: where each begins, and how far apart its pixels are. */
const passes = [
  ...[
    { x: 0, y: 0, right: 8, down: 8 },
    { x: 4, y: 0, right: 8, down: 8 },
    { x: 0, y: 4, right: 4, down: 8 },
  ],
  ...[
    { x: 2, y: 0, right: 4, down: 4 },
    { x: 0, y: 2, right: 2, down: 4 },
    { x: 1, y: 0, right: 2, down: 2 },
  ],
  { x: 0, y: 1, right: 1, down: 2 },
] as const;
const onePass = [{ x: 0, y: 0, right: 1, down: 1 }] as const;

type Header = ImageSize & {
  bitsPerPixel: number;
  colours: number;
  depth: number;
  isInterlaced: boolean;
  bytes: Buffer;
};
type Chunk = { type: string; data: Buffer };

/** What is kept of the file; everything else is dropped. */
type PngParts = { header: Header; palette: Buffer | undefined; transparency: Buffer | undefined; data: Buffer[] };

export async function readPng(file: Buffer, checkSize: (size: ImageSize) => void): Promise<Image> {
  const bytes = new Bytes(file, 'PNG');
  bytes.require(bytes.take(pngSignature.length).equals(pngSignature));
  const header = readHeader(bytes);
  checkSize(header);
  const parts = readChunks(bytes, header);
  const data = Buffer.concat(parts.data);
  await checkPixels(data, header, bytes);
  const kept = [
    chunkOf('IHDR', header.bytes),
    ...(parts.palette === undefined ? [] : [chunkOf('PLTE', parts.palette)]),
    ...(parts.transparency === undefined ? [] : [chunkOf('tRNS', parts.transparency)]),
    ...[chunkOf('IDAT', data), chunkOf('IEND', Buffer.alloc(0))],
  ];
  const { width, height } = header;
  return { type: 'image/png', width, height, bytes: Buffer.concat([pngSignature, ...kept]) };
}

function readChunk(bytes: Bytes): Chunk {
  const length = bytes.take(4).readUInt32BE();
  bytes.require(length <= bytes.left);
  const named = bytes.take(4 + length);
  bytes.require(bytes.take(4).readUInt32BE() === crc32(named));
  const type = named.toString('latin1', 0, 4);
  bytes.require(/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type));
  return { type, data: named.subarray(4) };
}

export function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function readHeader(bytes: Bytes): Header {
  const { type, data } = readChunk(bytes);
  bytes.require(type === 'IHDR' && data.length === 13);
  const [depth, colours, compression, filter, interlace] = data.subarray(8) as unknown as number[];
  const kind = colourTypes[colours!];
  bytes.require(kind?.depths.includes(depth!) === true && compression === 0 && filter === 0 && interlace! <= 1);
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const bitsPerPixel = kind!.samples * depth!;
  return { width, height, bitsPerPixel, colours: colours!, depth: depth!, isInterlaced: interlace === 1, bytes: data };
}

function readChunks(bytes: Bytes, header: Header): PngParts {
  const parts: PngParts = { header, palette: undefined, transparency: undefined, data: [] };
  let previous = 'IHDR';
  for (;;) {
    const { type, data } = readChunk(bytes);
    requireThat(!['acTL', 'fcTL', 'fdAT'].includes(type), oneFrame);
    if (type === 'IEND') {
      bytes.require(data.length === 0 && bytes.left === 0 && parts.data.length > 0);
      bytes.require(header.colours !== byPalette || parts.palette !== undefined);
      return parts;
    }
    if (type === 'IDAT') {
      bytes.require(parts.data.length === 0 || previous === 'IDAT');
      parts.data.push(data);
    } else if (type === 'PLTE') parts.palette = checkPalette(bytes, parts, data);
    else if (type === 'tRNS') parts.transparency = checkTransparency(bytes, parts, data);
    // A lower-case letter says that a decoder may do without: texts, times, profiles, EXIF.
    else bytes.require(/^[a-z]/.test(type));
    previous = type;
  }
}

function checkPalette(bytes: Bytes, { header, palette, transparency, data }: PngParts, entries: Buffer): Buffer {
  const count = entries.length / 3;
  const countMax = header.colours === byPalette ? 2 ** header.depth : 256;
  bytes.require(palette === undefined && transparency === undefined && data.length === 0);
  bytes.require(
    [2, byPalette, 6].includes(header.colours) && Number.isInteger(count) && count >= 1 && count <= countMax,
  );
  return entries;
}

function checkTransparency(bytes: Bytes, { header, palette, transparency, data }: PngParts, values: Buffer): Buffer {
  const entries = (palette?.length ?? 0) / 3;
  const isByPalette = header.colours === byPalette && values.length >= 1 && values.length <= entries;
  bytes.require(transparency === undefined && data.length === 0);
  bytes.require(
    isByPalette || (header.colours === 0 && values.length === 2) || (header.colours === 2 && values.length === 6),
  );
  return values;
}

type Unpacked = { buffer: Buffer; engine: Inflate };
const unpack = promisify(inflate) as unknown as (data: Buffer, options: ZlibOptions) => Promise<Unpacked>;

/** The pixels must be exactly as many as the header says: nothing is hidden behind them, and nothing unpacks to more. */
async function checkPixels(data: Buffer, header: Header, bytes: Bytes): Promise<void> {
  const rows = rowsOf(header);
  const expected = rows.reduce((sum, { count, length }) => sum + count * length, 0);
  const found = await unpack(data, { maxOutputLength: expected, info: true } as ZlibOptions).catch(() => undefined);
  bytes.require(found?.buffer.length === expected && found.engine.bytesWritten === data.length);
  let at = 0;
  for (const { count, length } of rows)
    for (let row = 0; row < count; row++, at += length) bytes.require(found!.buffer[at]! <= 4); // the filter of the row
}

/** The rows of each pass, in bytes with that of the filter. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Header): { count: number; length: number }[] {
  return (isInterlaced ? passes : onePass).flatMap(({ x, y, right, down }) => {
    const [across, count] = [Math.ceil((width - x) / right), Math.ceil((height - y) / down)];
    return across > 0 && count > 0 ? [{ count, length: 1 + Math.ceil((across * bitsPerPixel) / 8) }] : [];
  });
}
