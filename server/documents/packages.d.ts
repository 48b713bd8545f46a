/** What is used of packages that come without types. */

declare module 'fontkit' {
  export type Font = {
    unitsPerEm: number;
    postscriptName: string;
    ascent: number;
    descent: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    getVariation(settings: Readonly<Record<string, number>>): Font;
    layout(text: string, features?: unknown, script?: string, language?: string, direction?: 'ltr' | 'rtl'): ShapedRun;
    bbox: { minX: number; minY: number; maxX: number; maxY: number };
    getGlyph(id: number, codePoints?: readonly number[]): ShapedGlyph & { path: { commands: readonly PathCommand[] } };
    /** What a document embeds of it. */
    createSubset(): object;
  };
  export type ShapedGlyph = { id: number; codePoints: readonly number[]; advanceWidth: number };
  export type ShapedRun = { glyphs: readonly ShapedGlyph[]; positions: readonly object[]; advanceWidth: number };
  export type PathCommand = { command: string; args: readonly number[] };
  export function create(bytes: Uint8Array): Font;
}

/** Its own types are those of an ES module, and it is none. */
declare module 'bidi-js' {
  type Bidi = {
    getEmbeddingLevels(text: string, base: 'ltr' | 'rtl' | 'auto'): { levels: Uint8Array };
    getMirroredCharacter(character: string): string | null;
  };
  export default function bidiFactory(): Bidi;
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

declare module 'pdfkit' {
  import type { Font } from 'fontkit';

  type Options = {
    size: [number, number];
    margin: number;
    lang: string;
    pdfVersion: '1.7';
    displayTitle: boolean;
    autoFirstPage: boolean;
    bufferPages: boolean;
    font: null;
    info: Readonly<Record<string, string | Date>>;
  };

  export default class PDFDocument {
    constructor(options: Options);
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    end(): void;
    addPage(): this;
    bufferedPageRange(): { start: number; count: number };
    switchToPage(at: number): this;
    registerFont(name: string, font: Font): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string): number;
    text(text: string, x: number, y: number, options: { lineBreak: false; baseline: 'alphabetic' }): this;
    fillColor(color: string): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    image(bytes: Buffer, x: number, y: number, options: { width: number; height: number }): this;
  }
}
