import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOf } from '../../test/torture.ts';
import { type PngOptions, pngOf, samples } from './images.fixture.ts';
import { segmentOf } from './jpeg.ts';
import { chunkOf } from './png.ts';
import { ImageRefused, readImage } from './read_image.ts';
import { riffOf, chunkOf as webpChunkOf } from './webp.ts';

const limits = { bytesMax: 131_072, pixelsMax: 2_048 };
const read = (file: Buffer) => readImage(file, limits);
const reasonOf = (file: Buffer) =>
  read(file).then(
    () => 'taken',
    (error) => (error instanceof ImageRefused ? error.message : error),
  );

const canary = Buffer.from('Canary 48.2082 N 16.3738 E');
const at = (file: Buffer, position: number, ...inserted: Buffer[]) =>
  Buffer.concat([file.subarray(0, position), ...inserted, file.subarray(position)]);
const without = (file: Buffer, count: number) => file.subarray(0, file.length - count);
const changed = (file: Buffer, position: number, byte: number) => {
  const copy = Buffer.from(file);
  copy[position] = byte;
  return copy;
};

/** The chunks of a WebP file that has one, with others around them. */
const extended = (file: Buffer, flag: number, ...more: Buffer[]) =>
  riffOf([webpChunkOf('VP8X', Buffer.from([flag, 0, 0, 0, 23, 0, 0, 15, 0, 0])), file.subarray(12), ...more]);
const jpegTables = (file: Buffer) => file.indexOf(Buffer.from([0xff, 0xdb]));
const jpegFrame = (file: Buffer) => file.indexOf(Buffer.from([0xff, 0xc0]));

describe('a picture is taken', () => {
  test.each([
    ['PNG', pngOf(), 'image/png', 3, 2],
    ['JPEG', samples.jpeg, 'image/jpeg', 8, 8],
    ['progressive JPEG', samples.progressiveJpeg, 'image/jpeg', 24, 16],
    ['WebP', samples.lossyWebp, 'image/webp', 24, 16],
    ['lossless WebP', samples.losslessWebp, 'image/webp', 24, 16],
    ['transparent WebP', samples.transparentWebp, 'image/webp', 24, 16],
    ['PNG as large as it may be', pngOf({ width: 2_048, height: 2_048 }), 'image/png', 2_048, 2_048],
  ])('%s', async (_, file, type, width, height) => {
    expect(await read(file)).toEqual({ type, width, height, bytes: file });
  });

  test.each([
    [
      'PNG',
      pngOf({ before: [chunkOf('tEXt', canary), chunkOf('eXIf', canary)], after: [chunkOf('iTXt', canary)] }),
      pngOf(),
    ],
    ['JPEG: EXIF', at(samples.jpeg, jpegTables(samples.jpeg), segmentOf(0xe1, canary)), samples.jpeg],
    ['JPEG: a comment', at(samples.jpeg, jpegTables(samples.jpeg), segmentOf(0xfe, canary)), samples.jpeg],
    ['JPEG: behind the version of JFIF', at(samples.jpeg, 20, segmentOf(0xe0, canary)), samples.jpeg],
    [
      'WebP: EXIF and XMP',
      extended(samples.lossyWebp, 0x0c, webpChunkOf('EXIF', canary), webpChunkOf('XMP ', canary)),
      samples.lossyWebp,
    ],
    ['WebP: unknown', extended(samples.losslessWebp, 0x10, webpChunkOf('canA', canary)), samples.losslessWebp],
  ])('without its metadata: %s', async (_, file, clean) => {
    expect(file.includes(canary)).toBe(true);
    expect((await read(file)).bytes).toEqual(clean);
  });

  test('with how its colours are coded: RGB in a JPEG file', async () => {
    const adobe = segmentOf(0xee, Buffer.from('Adobe\0\x65\x01\x02\x03\x04\0', 'latin1'));
    const { bytes } = await read(at(samples.jpeg, jpegTables(samples.jpeg), adobe));
    expect(bytes.includes('Adobe')).toBe(true);
    expect((await read(bytes)).bytes).toEqual(bytes);
  });
});

const png = 'it is not a well-formed PNG file';
const jpeg = 'it is not a well-formed JPEG file';
const webp = 'it is not a well-formed WebP file';
const kind = 'it must be a PNG, JPEG or WebP image';
const frames = 'it must be a single picture, without animation';
const size = 'it must be 1 to 2048 pixels wide and high';
const { lossyWebp, jpeg: photo } = samples;
const sizedJpeg = (width: number, height: number) => {
  const copy = Buffer.from(photo);
  copy.writeUInt16BE(height, jpegFrame(copy) + 5);
  copy.writeUInt16BE(width, jpegFrame(copy) + 7);
  return copy;
};
const sizedWebp = (width: number) => {
  const copy = Buffer.from(lossyWebp);
  copy.writeUInt16LE(width, 26);
  return copy;
};

describe('a file is refused', () => {
  test.each<[string, Buffer, string]>([
    ['of nothing', Buffer.alloc(0), kind],
    ['of SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), kind],
    ['of HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), kind],
    ['of GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), kind],
    ['too large', Buffer.alloc(131_073), 'it must have at most 128 KB'],
    ['PNG: too wide', pngOf({ width: 2_049, rows: Buffer.alloc(0) }), size],
    ['PNG: too high', pngOf({ height: 2_049, rows: Buffer.alloc(0) }), size],
    ['PNG: without pixels', pngOf({ width: 0, rows: Buffer.alloc(0) }), size],
    ['PNG: animated', pngOf({ before: [chunkOf('acTL', Buffer.alloc(8))] }), frames],
    ['PNG: something behind the end', Buffer.concat([pngOf(), canary]), png],
    ['PNG: cut off', without(pngOf(), 12), png],
    ['PNG: a wrong checksum', changed(pngOf(), 30, 0), png],
    ['PNG: a chunk that a decoder must know', pngOf({ before: [chunkOf('ABCD', canary)] }), png],
    ['PNG: a chunk without a name', pngOf({ before: [chunkOf('a b!', canary)] }), png],
    ['PNG: pixels in two places', pngOf({ after: [chunkOf('tEXt', canary), chunkOf('IDAT', Buffer.alloc(1))] }), png],
    ['PNG: too few pixels', pngOf({ rows: Buffer.alloc(19) }), png],
    ['PNG: more pixels than it says', pngOf({ rows: Buffer.alloc(21) }), png],
    ['PNG: a bomb', pngOf({ rows: Buffer.alloc(50_000_000) }), png],
    ['PNG: something behind the pixels', pngOf({ data: Buffer.concat([deflateSync(Buffer.alloc(20)), canary]) }), png],
    ['PNG: pixels that cannot be unpacked', pngOf({ data: canary }), png],
    ['PNG: a filter that there is not', pngOf({ rows: Buffer.from([5, ...Array(19).fill(0)]) }), png],
    ['PNG: colours that there are not', pngOf({ colours: 5 }), png],
    ['PNG: a depth that there is not', pngOf({ depth: 4 }), png],
    ['PNG: without its palette', pngOf({ colours: 3, rows: Buffer.alloc(8) }), png],
    ['PNG: two palettes', pngOf({ before: [chunkOf('PLTE', Buffer.alloc(3)), chunkOf('PLTE', Buffer.alloc(3))] }), png],
    [
      'PNG: transparency beyond the palette',
      pngOf({
        colours: 3,
        rows: Buffer.alloc(8),
        before: [chunkOf('PLTE', Buffer.alloc(3)), chunkOf('tRNS', Buffer.alloc(2))],
      }),
      png,
    ],
    ['JPEG: too wide', sizedJpeg(2_049, 8), size],
    ['JPEG: without a height', sizedJpeg(8, 0), size],
    ['JPEG: something behind the end', Buffer.concat([photo, canary]), jpeg],
    ['JPEG: a second picture', Buffer.concat([photo, photo]), jpeg],
    ['JPEG: cut off', without(photo, 2), jpeg],
    [
      'JPEG: lossless',
      changed(photo, jpegFrame(photo) + 1, 0xc3),
      'a JPEG file must be baseline or progressive, with 8 bits for each colour',
    ],
    [
      'JPEG: of 12 bits',
      changed(photo, jpegFrame(photo) + 4, 12),
      'a JPEG file must be baseline or progressive, with 8 bits for each colour',
    ],
    [
      'JPEG: of four colours',
      changed(photo, jpegFrame(photo) + 9, 4),
      'a JPEG file must be in grey or in three colours, not in those of printers',
    ],
    ['JPEG: two frames', at(photo, jpegFrame(photo), photo.subarray(jpegFrame(photo), jpegFrame(photo) + 19)), jpeg],
    ['JPEG: nothing but its ends', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), jpeg],
    ['WebP: too wide', sizedWebp(2_049), size],
    ['WebP: animated', extended(lossyWebp, 0x02), frames],
    ['WebP: with frames', extended(lossyWebp, 0x00, webpChunkOf('ANMF', canary)), frames],
    ['WebP: another size in the header', riffOf([webpChunkOf('VP8X', Buffer.alloc(10)), lossyWebp.subarray(12)]), webp],
    ['WebP: something behind the end', Buffer.concat([lossyWebp, canary]), webp],
    ['WebP: cut off', without(lossyWebp, 2), webp],
    ['WebP: two pictures', extended(lossyWebp, 0, lossyWebp.subarray(12)), webp],
    [
      'WebP: a second chunk without a header for it',
      riffOf([lossyWebp.subarray(12), webpChunkOf('EXIF', canary)]),
      webp,
    ],
    ['WebP: no picture', riffOf([webpChunkOf('VP8X', Buffer.alloc(10))]), webp],
    ['WebP: not the first frame of a film', changed(lossyWebp, 20, 0xd1), webp],
  ])('%s', async (_, file, reason) => {
    expect(await reasonOf(file)).toBe(reason);
  });
});

describe('whatever is sent', () => {
  const runs = { numRuns: shareOf(50_000, 1_500) };
  const files = [pngOf({ before: [chunkOf('tEXt', canary)] }), ...Object.values(samples)];

  /** It is refused, or taken as something that is read again as it is. */
  async function isRefusedOrClean(file: Buffer): Promise<void> {
    const image = await read(file).catch((error) => {
      if (!(error instanceof ImageRefused)) throw error;
    });
    if (image === undefined) return;
    expect(await read(image.bytes)).toEqual(image);
    expect(image.bytes.length).toBeLessThanOrEqual(file.length + 64);
  }

  test('a damaged file is refused, or what is kept of it is whole', async () => {
    const damage = fc.record({
      file: fc.constantFrom(...files),
      position: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      removed: fc.nat(12),
      added: fc.uint8Array({ maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        let { file } = damages[0]!;
        for (const { position, removed, added } of damages) {
          const start = Math.floor(position * file.length);
          file = Buffer.concat([file.subarray(0, start), added, file.subarray(start + removed)]);
        }
        await isRefusedOrClean(file);
      }),
      runs,
    );
  });

  test('a PNG file of any kind is taken as it is drawn, with its checksums made anew', async () => {
    const kinds: [colours: number, depth: number, samples: number][] = [
      ...([
        [0, 1, 1],
        [0, 2, 1],
        [0, 4, 1],
        [0, 8, 1],
        [0, 16, 1],
      ] as [number, number, number][]),
      ...([
        [2, 8, 3],
        [2, 16, 3],
        [4, 8, 2],
        [4, 16, 2],
        [6, 8, 4],
        [6, 16, 4],
      ] as [number, number, number][]),
    ];
    const picture = fc.record({
      kind: fc.constantFrom(...kinds),
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
      filter: fc.nat(4),
    });
    await fc.assert(
      fc.asyncProperty(picture, async ({ kind: [colours, depth, count], width, height, filter }) => {
        const row = Buffer.alloc(1 + Math.ceil((width * depth * count) / 8));
        row[0] = filter;
        const options: PngOptions = { colours, depth, width, height, rows: Buffer.concat(Array(height).fill(row)) };
        const file = pngOf({ ...options, before: [chunkOf('pHYs', canary)] });
        expect(await read(file)).toEqual({ type: 'image/png', width, height, bytes: pngOf(options) });
      }),
      { numRuns: shareOf(5_000, 200) },
    );
  });

  test('bytes behind the first ones of a format are refused', async () => {
    const beginnings = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\x20\0\0\0WEBPVP8 '].map((text) =>
      Buffer.from(text, 'latin1'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }), async (beginning, rest) => {
        await isRefusedOrClean(Buffer.concat([beginning, rest]));
      }),
      runs,
    );
  });
});
