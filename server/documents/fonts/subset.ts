import type { Font, PathCommand } from 'fontkit';
import { getOrMake } from '../../base/get_or_make.ts';
import { padded, u16s, u32s } from './bytes.ts';
import { trueTypeFile } from './true_type.ts';

const trueType = 0x00010000;
const onCurve = 1;

export type EncodedGlyph = { bytes: Buffer; width: number };

/**
 * The part of a font that a document needs. fontkit has one as well, but its part of a font with variations fails (2.0.4). Here every glyph is
 * encoded from its path, as it is at the weight that was chosen, so that nothing varies any more.
 */
export class FontSubset {
  readonly #font: Font;
  readonly #glyphOf: (id: number) => number;
  readonly #encoded: Map<number, EncodedGlyph>;
  readonly #ids = new Map([[0, 0]]);

  /** `glyphOf`: the glyph of the font that is meant by a number. `encoded` is kept for the next document. */
  constructor(font: Font, glyphOf: (id: number) => number, encoded: Map<number, EncodedGlyph>) {
    this.#font = font;
    this.#glyphOf = glyphOf;
    this.#encoded = encoded;
  }

  /** The number of a glyph in the document. */
  includeGlyph(id: number): number {
    return getOrMake(this.#ids, id, () => this.#ids.size);
  }

  encode(): Buffer {
    const glyphs = [...this.#ids.keys()]
      .map(this.#glyphOf)
      .map((id) => getOrMake(this.#encoded, id, () => encodedGlyph(this.#font, id)));
    let end = 0;
    const ends = glyphs.map(({ bytes }) => {
      end += bytes.length;
      return end;
    });
    const tables = {
      glyf: Buffer.concat(glyphs.map(({ bytes }) => bytes)),
      head: headOf(this.#font),
      hhea: Buffer.concat([
        u32s(trueType),
        u16s(this.#font.ascent, this.#font.descent),
        Buffer.alloc(26),
        u16s(glyphs.length),
      ]),
      hmtx: u16s(...glyphs.flatMap(({ bytes, width }) => [width, bytes.length === 0 ? 0 : bytes.readInt16BE(2)])),
      loca: u32s(0, ...ends),
      maxp: maxpOf(glyphs.map(({ bytes }) => bytes)),
    };
    return trueTypeFile(trueType, new Map(Object.entries(tables)));
  }
}

function headOf({ unitsPerEm, bbox }: Font): Buffer {
  const magic = 0x5f0f3cf5;
  const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(Math.round);
  const dates = Buffer.alloc(16);
  const [smallest, direction, longLoca] = [6, 2, 1];
  return Buffer.concat([
    u32s(trueType, 0, 0, magic),
    u16s(0, unitsPerEm),
    dates,
    u16s(...box, 0, smallest, direction, longLoca, 0),
  ]);
}

function maxpOf(glyphs: readonly Buffer[]): Buffer {
  const contours = glyphs.map((bytes) => (bytes.length === 0 ? 0 : bytes.readInt16BE(0)));
  const points = glyphs.map((bytes, at) => (contours[at] === 0 ? 0 : bytes.readUInt16BE(8 + contours[at]! * 2) + 1));
  return Buffer.concat([
    u32s(trueType),
    u16s(glyphs.length, Math.max(...points), Math.max(...contours)),
    Buffer.alloc(22),
  ]);
}

function encodedGlyph(font: Font, id: number): EncodedGlyph {
  const { path, advanceWidth } = font.getGlyph(id);
  return { bytes: outlineOf(path.commands), width: Math.round(advanceWidth) };
}

type PathPoint = { x: number; y: number; flag: number };

function outlineOf(commands: readonly PathCommand[]): Buffer {
  const contours = contoursOf(commands);
  const points = contours.flat();
  if (points.length === 0) return Buffer.alloc(0);
  let last = -1;
  const ends = contours.map((contour) => (last += contour.length));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const steps = (values: readonly number[]) => u16s(...values.map((value, at) => value - (values[at - 1] ?? 0)));
  const flags = Buffer.from(points.map(({ flag }) => flag));
  return padded(Buffer.concat([u16s(contours.length, ...box, ...ends, 0), flags, steps(xs), steps(ys)]));
}

/** TrueType has quadratic curves alone, and so do the paths of its glyphs. */
function contoursOf(commands: readonly PathCommand[]): PathPoint[][] {
  const contours: PathPoint[][] = [];
  const point = (x: number, y: number, flag: number) => ({ x: Math.round(x), y: Math.round(y), flag });
  for (const { command, args } of commands) {
    const [x = 0, y = 0, endX = 0, endY = 0] = args;
    if (command === 'moveTo') contours.push([point(x, y, onCurve)]);
    else if (command === 'lineTo') contours.at(-1)?.push(point(x, y, onCurve));
    else if (command === 'quadraticCurveTo') contours.at(-1)?.push(point(x, y, 0), point(endX, endY, onCurve));
    else if (command !== 'closePath') throw new TypeError(`a path with ${command} is not of a TrueType font`);
  }
  return contours;
}
