import { ByteReader, padded, u16s, u32s } from './bytes.ts';

/** The tables that WOFF2 stores as one, in a form that compresses better: WOFF2, section 5.1. */
export type Outlines = { glyf: Buffer; loca: Buffer; leftEdges: number[] };

type GlyphStreams = Record<'points' | 'flags' | 'outlines' | 'composites' | 'boxes' | 'instructions', ByteReader>;
type OutlinePoint = { x: number; y: number; isOnCurve: boolean };

const onCurve = 0x01;
const overlapSimple = 0x40;

/** The outlines of all glyphs as TrueType has them, `loca` in its long form. */
export function outlinesOf(table: Buffer): Outlines {
  const reader = new ByteReader(table);
  reader.u16();
  const options = reader.u16();
  const count = reader.u16();
  reader.u16();
  const sizes = Array.from({ length: 7 }, () => reader.u32());
  const contours = reader.part(sizes[0]!);
  const [points, flags, outlines, composites] = sizes.slice(1, 5).map((size) => reader.part(size)) as ByteReader[];
  const bitmapBytes = 4 * Math.ceil(count / 32);
  const hasBox = reader.take(bitmapBytes);
  const boxes = reader.part(sizes[5]! - bitmapBytes);
  const instructions = reader.part(sizes[6]!);
  const overlaps = (options & 1) === 1 ? reader.take(Math.ceil(count / 8)) : undefined;
  const streams = { points, flags, outlines, composites, boxes, instructions } as GlyphStreams;
  const glyphs: Buffer[] = [];
  const leftEdges: number[] = [];
  for (let glyph = 0; glyph < count; glyph++) {
    const bytes = glyphOf(contours.i16(), isSet(hasBox, glyph), overlaps && isSet(overlaps, glyph), streams);
    leftEdges.push(bytes.length === 0 ? 0 : bytes.readInt16BE(2));
    glyphs.push(padded(bytes));
  }
  return { glyf: Buffer.concat(glyphs), loca: locationsOf(glyphs), leftEdges };
}

function isSet(bitmap: Buffer, at: number): boolean {
  return (bitmap[at >> 3]! & (0x80 >> (at & 7))) !== 0;
}

/** In the long form, because outlines take more space here than they did in the font that was compressed. */
function locationsOf(glyphs: readonly Buffer[]): Buffer {
  let end = 0;
  const ends = glyphs.map(({ length }) => {
    end += length;
    return end;
  });
  return u32s(0, ...ends);
}

function glyphOf(contours: number, hasBox: boolean, overlaps: boolean | undefined, streams: GlyphStreams): Buffer {
  if (contours === 0) return Buffer.alloc(0);
  if (contours < 0) return compositeOf(streams);
  let last = -1;
  const ends = Array.from({ length: contours }, () => (last += streams.points.short255()));
  const points = pointsOf(last + 1, streams);
  const instructions = streams.instructions.take(streams.outlines.short255());
  const box = hasBox ? streams.boxes.take(8) : boxOf(points);
  const head = [u16s(contours), box, u16s(...ends, instructions.length), instructions];
  return Buffer.concat([...head, ...encodedPoints(points, overlaps === true)]);
}

/** How the flag of a point says its distance from the last one: WOFF2, section 5.2. */
function pointsOf(count: number, { flags, outlines }: GlyphStreams): OutlinePoint[] {
  const points: OutlinePoint[] = [];
  for (let x = 0, y = 0; points.length < count; ) {
    const flag = flags.u8();
    const [dx, dy] = distanceOf(flag & 0x7f, outlines);
    x += dx;
    y += dy;
    points.push({ x, y, isOnCurve: flag < 0x80 });
  }
  return points;
}

const signed = (isPositive: number, value: number) => (isPositive & 1 ? value : -value);

function distanceOf(form: number, data: ByteReader): [number, number] {
  if (form < 10) return [0, signed(form, ((form & 14) << 7) + data.u8())];
  if (form < 20) return [signed(form, (((form - 10) & 14) << 7) + data.u8()), 0];
  if (form < 84) {
    const [rest, byte] = [form - 20, data.u8()];
    return [signed(form, 1 + (rest & 0x30) + (byte >> 4)), signed(form >> 1, 1 + ((rest & 0x0c) << 2) + (byte & 0x0f))];
  }
  if (form < 120) {
    const rest = form - 84;
    const x = 1 + (Math.floor(rest / 12) << 8) + data.u8();
    return [signed(form, x), signed(form >> 1, 1 + (((rest % 12) >> 2) << 8) + data.u8())];
  }
  if (form < 124) {
    const [first, second, third] = [data.u8(), data.u8(), data.u8()];
    return [signed(form, (first << 4) + (second >> 4)), signed(form >> 1, ((second & 0x0f) << 8) + third)];
  }
  return [signed(form, data.u16()), signed(form >> 1, data.u16())];
}

function boxOf(points: readonly OutlinePoint[]): Buffer {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return u16s(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
}

/** Every distance in two bytes. What is embedded into a document is compressed there. */
function encodedPoints(points: readonly OutlinePoint[], overlaps: boolean): Buffer[] {
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? onCurve : 0)));
  if (overlaps && flags.length > 0) flags[0]! |= overlapSimple;
  const distances = (values: readonly number[]) => values.map((value, at) => value - (values[at - 1] ?? 0));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [flags, u16s(...distances(xs)), u16s(...distances(ys))];
}

const wordArguments = 0x01;
const hasScale = 0x08;
const moreComponents = 0x20;
const hasTwoScales = 0x40;
const hasMatrix = 0x80;
const hasInstructions = 0x100;

function compositeOf({ composites, boxes, outlines, instructions }: GlyphStreams): Buffer {
  const parts: Buffer[] = [u16s(-1), boxes.take(8)];
  let [flags, anyInstructions] = [moreComponents, false];
  while ((flags & moreComponents) !== 0) {
    flags = composites.u16();
    anyInstructions ||= (flags & hasInstructions) !== 0;
    const scale = flags & hasScale ? 2 : flags & hasTwoScales ? 4 : flags & hasMatrix ? 8 : 0;
    parts.push(u16s(flags), composites.take(2 + (flags & wordArguments ? 4 : 2) + scale));
  }
  if (anyInstructions) {
    const size = outlines.short255();
    parts.push(u16s(size), instructions.take(size));
  }
  return Buffer.concat(parts);
}
