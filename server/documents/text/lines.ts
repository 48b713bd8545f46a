import LineBreaker from 'linebreak';
import type { Direction } from '../../base/one_line.ts';
import type { FontLibrary } from '../fonts/library.ts';
import { levelsOf, visualRuns } from './direction.ts';
import { clustersOf, type FontRun, fontRuns, type Style } from './runs.ts';

/** Runs with their widths, in the order in which they are drawn. */
export type SetLine = { runs: readonly MeasuredRun[]; width: number };
export type MeasuredRun = FontRun & { width: number };

/** Knows how wide text is. */
export type Measure = (run: FontRun) => number;

export type Typesetter = { library: FontLibrary; measure: Measure };

/** A name of a hundred thousand characters is a mistake or an attack. What is longer is cut. */
const charactersMax = 20_000;

/** Text as lines of this width. A word that is wider is divided. `auto`: the first letter decides on the direction. */
export function linesOf(
  text: string,
  { width, base, ...style }: Style & { width: number; base: Direction | 'auto' },
  typesetter: Typesetter,
): SetLine[] {
  return cleanText(text)
    .split('\n')
    .flatMap((paragraph) => new Paragraph(paragraph, base, style, typesetter).broken(width));
}

/** Composed characters, and no control characters but the ends of lines. */
function cleanText(text: string): string {
  const cut = text.slice(0, charactersMax).toWellFormed().normalize('NFC');
  return cut.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}

class Paragraph {
  readonly #text: string;
  readonly #levels: Uint8Array | undefined;
  readonly #style: Style;
  readonly #typesetter: Typesetter;

  constructor(text: string, base: Direction | 'auto', style: Style, typesetter: Typesetter) {
    this.#text = text;
    this.#levels = levelsOf(text, base);
    this.#style = style;
    this.#typesetter = typesetter;
  }

  broken(widthMax: number): SetLine[] {
    const lines: SetLine[] = [];
    let [start, end, width] = [0, 0, 0];
    for (const position of this.#breaks()) {
      const more = this.#lineOf(end, position, false).width;
      const needed = width + this.#lineOf(end, position, true).width;
      if (needed > widthMax && end > start) {
        lines.push(this.#lineOf(start, end, true));
        [start, width] = [end, 0];
      }
      for (const cut of this.#cuts(start, end, position, widthMax)) {
        lines.push(this.#lineOf(start, cut, true));
        start = cut;
      }
      width = start > end ? this.#lineOf(start, position, false).width : width + more;
      end = position;
    }
    lines.push(this.#lineOf(start, end, true));
    return lines;
  }

  /** Where a word that is wider than a line must be divided. */
  #cuts(start: number, from: number, to: number, widthMax: number): number[] {
    if (start < from || this.#lineOf(from, to, true).width <= widthMax) return [];
    const cuts: number[] = [];
    let [at, width] = [from, 0];
    for (const cluster of clustersOf(this.#text.slice(from, to))) {
      const more = this.#lineOf(at, at + cluster.length, false).width;
      if (width + more > widthMax && width > 0) {
        cuts.push(at);
        width = 0;
      }
      at += cluster.length;
      width += more;
    }
    return cuts;
  }

  *#breaks(): Generator<number> {
    const breaker = new LineBreaker(this.#text);
    for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) yield found.position;
  }

  #lineOf(start: number, end: number, isTrimmed: boolean): SetLine {
    const length = isTrimmed ? this.#text.slice(start, end).trimEnd().length : end - start;
    const { library, measure } = this.#typesetter;
    const runs = length === 0 ? [] : visualRuns(this.#levels, start, start + length);
    const drawn = runs.flatMap((run) => fontRuns(this.#text, run, library, this.#style));
    const measured = drawn.map((run) => ({ ...run, width: measure(run) }));
    return { runs: measured, width: measured.reduce((sum, { width }) => sum + width, 0) };
  }
}
