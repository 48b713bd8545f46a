import type PDFDocument from 'pdfkit';
import type { Weight } from '../fonts/families.ts';
import type { FontLibrary } from '../fonts/library.ts';
import type { Sheet } from '../sheet.ts';
import { linesOf, type SetLine } from '../text/lines.ts';
import type { FontRun } from '../text/runs.ts';

export type TextStyle = { size: number; weight: Weight; color: string };

/** Lines that have been measured. */
export type TextBlock = { lines: readonly SetLine[]; height: number; style: TextStyle };

type Box = { from: number; width: number; top: number; align: 'start' | 'end' };

/** A4, in points. */
export const pageSize = { width: 595.28, height: 841.89 };

const leading = 1.42;
/** Where the line is that letters stand on, from the top of a line. */
const baseline = 1.06;

/** Draws on the pages of a document. Distances are from its start: the left edge, or the right one in a document from right to left. */
export class Pen {
  readonly #document: PDFDocument;
  readonly #library: FontLibrary;
  readonly #sheet: Sheet;
  /** By their names pdfkit finds fonts at once; a font itself it would compare with all others. */
  readonly #registered = new Set<string>();

  constructor(document: PDFDocument, library: FontLibrary, sheet: Sheet) {
    this.#document = document;
    this.#library = library;
    this.#sheet = sheet;
  }

  /** `auto` is the direction of a text that somebody has typed. */
  set(text: string, width: number, style: TextStyle, base: 'auto' | 'sheet' = 'auto'): TextBlock {
    const { direction, han } = this.#sheet;
    const measure = (run: FontRun) => this.#select(run, style).widthOfString(run.text);
    const lines = linesOf(
      text,
      { width, base: base === 'sheet' ? direction : base, weight: style.weight, han },
      { library: this.#library, measure },
    );
    return { lines, height: lines.length * style.size * leading, style };
  }

  draw({ lines, style }: TextBlock, { from, width, top, align }: Box): void {
    const isFromLeft = (align === 'start') === (this.#sheet.direction === 'ltr');
    const left = this.#leftOf(from, width);
    for (const [at, line] of lines.entries()) {
      let x = isFromLeft ? left : left + width - line.width;
      const y = top + style.size * (at * leading + baseline);
      for (const run of line.runs) {
        this.#select(run, style)
          .fillColor(style.color)
          .text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' });
        x += run.width;
      }
    }
  }

  bar(from: number, top: number, width: number, height: number, color: string): void {
    this.#document.rect(this.#leftOf(from, width), top, width, height).fill(color);
  }

  image(bytes: Uint8Array, from: number, top: number, size: { width: number; height: number }): void {
    this.#document.image(Buffer.from(bytes), this.#leftOf(from, size.width), top, size);
  }

  #leftOf(from: number, width: number): number {
    return this.#sheet.direction === 'ltr' ? from : pageSize.width - from - width;
  }

  /** A character that no font has is drawn as the box that stands for a missing one. */
  #select({ font }: FontRun, { size, weight }: TextStyle): PDFDocument {
    const chosen = font ?? this.#library.fallback(weight);
    const name = chosen.postscriptName;
    if (!this.#registered.has(name)) this.#document.registerFont(name, chosen);
    this.#registered.add(name);
    return this.#document.font(name).fontSize(size);
  }
}
