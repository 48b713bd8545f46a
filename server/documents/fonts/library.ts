import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { create, type Font } from 'fontkit';
import { getOrMake } from '../../base/get_or_make.ts';
import { embeddable } from './embeddable.ts';
import { type FamilyName, type FontFile, filesOf, type Han, type Weight, weights } from './families.ts';
import { trueTypeOf } from './woff2.ts';

/** A text in Chinese characters can need a dozen files. */
const fontsMax = 120;
/** A bound for hostile texts; an ordinary document has some hundred different characters. */
const choicesMax = 50_000;

/** Finds the font of each character, and loads what is needed of it, once. */
export class FontLibrary {
  readonly #files = new Map<FamilyName, readonly FontFile[]>();
  readonly #fonts = new Map<string, Font>();
  /** Null: no installed font has it. */
  readonly #choices = new Map<string, Font | null>();

  /** The font that has all characters of a cluster: a letter and the marks on it. Undefined where no installed font has its letter. */
  fontFor(cluster: string, weight: Weight, han: Han): Font | undefined {
    if (this.#choices.size >= choicesMax) this.#choices.clear();
    const make = () => this.#choose(cluster, weight, han) ?? null;
    return getOrMake(this.#choices, `${weight} ${han} ${cluster}`, make) ?? undefined;
  }

  /** The font that draws a box for what no font has. */
  fallback(weight: Weight): Font {
    return this.fontFor('x', weight, 'sc')!;
  }

  #choose(cluster: string, weight: Weight, han: Han): Font | undefined {
    const points = [...cluster].map((character) => character.codePointAt(0)!);
    let hasLetter: Font | undefined;
    for (const file of this.#candidates(points[0]!, han)) {
      const font = this.#load(file, weight);
      if (points.every((point) => font.hasGlyphForCodePoint(point))) return font;
      if (hasLetter === undefined && font.hasGlyphForCodePoint(points[0]!)) hasLetter = font;
    }
    return hasLetter;
  }

  *#candidates(point: number, han: Han): Generator<FontFile> {
    const order: FamilyName[] = ['latin', 'arabic', 'hebrew', han, 'sc', 'jp', 'kr'];
    for (const family of new Set(order))
      for (const file of getOrMake(this.#files, family, () => filesOf(family)))
        if (file.ranges.some(([from, to]) => point >= from && point <= to)) yield file;
  }

  #load({ path }: FontFile, weight: Weight): Font {
    const wght = weights[weight];
    if (this.#fonts.size >= fontsMax) this.#forget();
    return getOrMake(this.#fonts, `${path} ${wght}`, () => {
      const font = create(trueTypeOf(readFileSync(path))).getVariation({ wght });
      // pdfkit takes two fonts of the same name for the same font, and all files of a family have its name.
      const name = `${basename(path, '-wght-normal.woff2')}-${wght}`;
      return embeddable(font, name);
    });
  }

  #forget(): void {
    this.#fonts.clear();
    this.#choices.clear();
  }
}
