import type { Font, ShapedRun } from 'fontkit';
import { getOrMake } from '../../base/get_or_make.ts';
import { directionOf } from '../text/direction.ts';
import { type EncodedGlyph, FontSubset } from './subset.ts';

/**
 * A font as pdfkit needs it to embed it. pdfkit takes two fonts of one name for the same font, and remembers one text for each glyph; fontkit
 * takes Arabic digits for letters, and would write them from right to left.
 */
export function embeddable(font: Font, name: string): Font {
  const variants = new GlyphVariants();
  const encoded = new Map<number, EncodedGlyph>();
  const layout = font.layout.bind(font);
  const plainGlyph = font.getGlyph.bind(font);
  // fontkit keeps glyphs with the text of their first use.
  const glyphOf: Font['getGlyph'] = (id, codePoints) =>
    codePoints === undefined ? plainGlyph(id) : Object.create(plainGlyph(id), { codePoints: { value: codePoints } });
  const shape: Font['layout'] = (text) => variants.in(layout(text, undefined, undefined, undefined, directionOf(text)));
  return Object.defineProperties(font, {
    postscriptName: { value: name },
    getGlyph: { value: glyphOf },
    layout: { value: shape },
    createSubset: { value: () => new FontSubset(font, (variant) => variants.glyphOf(variant), encoded) },
  });
}

/**
 * Letters can share a glyph: those of Arabic that differ by their dots. So that text can be copied and found, each gets a number of its own
 * in the document.
 */
class GlyphVariants {
  readonly #numbers = new Map<string, number>();
  readonly #glyphs = [0];

  in({ glyphs, positions, advanceWidth }: ShapedRun): ShapedRun {
    const numbered = glyphs.map(({ id, codePoints, advanceWidth: width }) => ({
      id: this.#numberOf(id, codePoints),
      codePoints,
      advanceWidth: width,
    }));
    return { glyphs: numbered, positions, advanceWidth };
  }

  glyphOf(variant: number): number {
    return this.#glyphs[variant]!;
  }

  #numberOf(id: number, codePoints: readonly number[]): number {
    if (id === 0) return 0;
    return getOrMake(this.#numbers, `${id} ${codePoints.join()}`, () => this.#glyphs.push(id) - 1);
  }
}
