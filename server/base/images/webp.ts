import { Bytes, type Image, type ImageSize, oneFrame, requireThat } from './image.ts';

/** The bits of the first byte of VP8X. */
const flags = { animation: 0x02, alpha: 0x10, reserved: 0xc1 } as const;
/** Profiles, EXIF and XMP are dropped, and so is everything that a reader may ignore. */
const essential = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];

type Chunks = Partial<Record<string, Buffer>>;

export function readWebp(file: Buffer, checkSize: (size: ImageSize) => void): Image {
  const bytes = new Bytes(file, 'WebP');
  const { extended, alpha, lossy, lossless } = readChunks(bytes);
  bytes.require((lossy === undefined) !== (lossless === undefined));
  const size = lossy === undefined ? losslessSize(bytes, lossless!) : lossySize(bytes, lossy);
  checkSize(size);
  if (extended !== undefined) checkCanvas(bytes, extended, size);
  bytes.require(alpha === undefined || (extended !== undefined && lossy !== undefined));
  if (alpha !== undefined) checkAlpha(bytes, alpha, size);
  const picture = lossy === undefined ? chunkOf('VP8L', lossless!) : chunkOf('VP8 ', lossy);
  const kept = alpha === undefined ? [picture] : [canvasOf(size), chunkOf('ALPH', alpha), picture];
  return { type: 'image/webp', ...size, bytes: riffOf(kept) };
}

function readChunks(bytes: Bytes) {
  bytes.require(bytes.take(4).toString('latin1') === 'RIFF');
  bytes.require(bytes.take(4).readUInt32LE() === bytes.left);
  bytes.require(bytes.take(4).toString('latin1') === 'WEBP');
  const chunks: Chunks = {};
  for (let isFirst = true; bytes.left > 0; isFirst = false) {
    const type = bytes.take(4).toString('latin1');
    const data = bytes.take(bytes.take(4).readUInt32LE());
    bytes.require(data.length % 2 === 0 || bytes.byte() === 0);
    requireThat(type !== 'ANIM' && type !== 'ANMF', oneFrame);
    // What is not the extended header comes first only in a file of one chunk.
    bytes.require(isFirst ? type.startsWith('VP8') : type !== 'VP8X' && 'VP8X' in chunks);
    if (!essential.includes(type)) continue;
    bytes.require(!(type in chunks) && !(type === 'ALPH' && 'VP8 ' in chunks));
    chunks[type] = data;
  }
  return { extended: chunks.VP8X, alpha: chunks.ALPH, lossy: chunks['VP8 '], lossless: chunks.VP8L };
}

/** A key frame of VP8 that is shown, and whose first partition is there. */
function lossySize(bytes: Bytes, data: Buffer): ImageSize {
  bytes.require(data.length > 10);
  const tag = data.readUIntLE(0, 3);
  const [isKeyFrame, version, isShown, partition] = [(tag & 1) === 0, (tag >> 1) & 7, ((tag >> 4) & 1) === 1, tag >> 5];
  bytes.require(isKeyFrame && version <= 3 && isShown && partition > 0 && partition <= data.length - 10);
  bytes.require(data.readUIntBE(3, 3) === 0x9d012a);
  const [width, height] = [data.readUInt16LE(6), data.readUInt16LE(8)];
  bytes.require(width >> 14 === 0 && height >> 14 === 0); // no scaling
  return { width, height };
}

function losslessSize(bytes: Bytes, data: Buffer): ImageSize {
  bytes.require(data.length > 5 && data[0] === 0x2f);
  const bits = data.readUInt32LE(1);
  bytes.require(bits >>> 29 === 0); // the version
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function checkCanvas(bytes: Bytes, data: Buffer, { width, height }: ImageSize): void {
  bytes.require(data.length === 10);
  const [first] = data as unknown as [number];
  requireThat((first & flags.animation) === 0, oneFrame);
  bytes.require((first & flags.reserved) === 0 && data.readUIntLE(1, 3) === 0);
  bytes.require(data.readUIntLE(4, 3) === width - 1 && data.readUIntLE(7, 3) === height - 1);
}

function checkAlpha(bytes: Bytes, data: Buffer, { width, height }: ImageSize): void {
  bytes.require(data.length > 1);
  const [head] = data as unknown as [number];
  const [compression, preprocessing, reserved] = [head & 3, (head >> 4) & 3, head >> 6];
  bytes.require(reserved === 0 && preprocessing <= 1 && compression <= 1);
  bytes.require(compression === 1 || data.length === 1 + width * height);
}

export function chunkOf(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** The extended header of a picture that is transparent in parts, and nothing else. */
function canvasOf({ width, height }: ImageSize): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags.alpha;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return chunkOf('VP8X', data);
}

export function riffOf(chunks: readonly Buffer[]): Buffer {
  return chunkOf('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}
