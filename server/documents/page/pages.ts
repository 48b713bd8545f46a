import type PDFDocument from 'pdfkit';
import type { Sheet, SheetRow, SheetSum } from '../sheet.ts';
import { type Pen, pageSize, type TextBlock, type TextStyle } from './pen.ts';

const margin = 56;
const inner = pageSize.width - 2 * margin;
const top = 52;
/** Where the footer begins. */
const bottom = pageSize.height - 76;
const gap = 14;
const columnGap = 10;

const ink = '#1a1a1a';
const muted = '#5c5c5c';
const hairline = '#d9d9d9';
const warning = '#9a3412';

const body: TextStyle = { size: 9.5, weight: 'regular', color: ink };
const strong: TextStyle = { ...body, weight: 'bold' };
const small: TextStyle = { ...body, size: 8.5, color: muted };
const heading: TextStyle = { size: 22, weight: 'bold', color: ink };

const logoMax = { width: 190, height: 52 };

/** Lays a sheet out on as many pages as it needs. */
export class Pages {
  readonly #document: PDFDocument;
  readonly #pen: Pen;
  readonly #sheet: Sheet;
  #y = top;

  constructor(document: PDFDocument, pen: Pen, sheet: Sheet) {
    this.#document = document;
    this.#pen = pen;
    this.#sheet = sheet;
  }

  lay(): void {
    this.#addPage();
    this.#header();
    this.#blocks();
    this.#table();
    this.#sums();
    this.#remarks();
    this.#everyPage();
  }

  #addPage(): void {
    this.#document.addPage();
    this.#y = top;
  }

  /** Begins a page unless there is this much room left. Returns whether it did. */
  #makeRoom(height: number): boolean {
    if (this.#y + height <= bottom) return false;
    this.#addPage();
    return true;
  }

  #put(block: TextBlock, from: number, width: number, align: 'start' | 'end' = 'start', y: number = this.#y): void {
    this.#pen.draw(block, { from, width, top: y, align });
  }

  #header(): void {
    const { notice, mark, heading: name, facts } = this.#sheet;
    if (notice !== undefined) {
      const block = this.#pen.set(notice, inner, { ...strong, color: warning }, 'sheet');
      this.#put(block, margin, inner);
      this.#y += block.height + 6;
    }
    const half = (inner - gap) / 2;
    const sellerBottom = this.#seller(half);
    const end = margin + half + gap;
    let y = this.#y;
    for (const block of [
      this.#pen.set(name, half, heading, 'sheet'),
      ...(mark === undefined ? [] : [this.#pen.set(mark, half, { ...strong, color: muted }, 'sheet')]),
    ]) {
      this.#put(block, end, half, 'end', y);
      y += block.height;
    }
    this.#y = Math.max(sellerBottom, y) + gap;
    for (const { label, value } of facts) this.#fact(label, value);
    this.#y += gap;
  }

  /** The logo, or the name where there is none. Returns where it ends. */
  #seller(width: number): number {
    const { logo, seller } = this.#sheet;
    if (logo === undefined) {
      const block = this.#pen.set(seller, width, { ...strong, size: 14 });
      this.#put(block, margin, width);
      return this.#y + block.height;
    }
    const scale = Math.min(1, logoMax.width / logo.width, logoMax.height / logo.height);
    const size = { width: logo.width * scale, height: logo.height * scale };
    this.#pen.image(logo.bytes, margin, this.#y, size);
    return this.#y + size.height;
  }

  #fact(label: string, value: string): void {
    const labelWidth = 130;
    const width = inner - labelWidth - columnGap;
    const blocks = [
      this.#pen.set(label, labelWidth, { ...body, color: muted }, 'sheet'),
      this.#pen.set(value, width, body),
    ];
    const height = Math.max(...blocks.map((block) => block.height));
    this.#makeRoom(height);
    this.#put(blocks[0]!, margin, labelWidth);
    this.#put(blocks[1]!, margin + labelWidth + columnGap, width);
    this.#y += height;
  }

  /** Side by side. They are as short as addresses are. */
  #blocks(): void {
    const { blocks } = this.#sheet;
    if (blocks.length === 0) return;
    const width = (inner - gap * (blocks.length - 1)) / blocks.length;
    const columns = blocks.map(({ heading: name, lines }) => [
      this.#pen.set(name, width, { ...small, weight: 'bold' }, 'sheet'),
      ...lines.map((line, at) => this.#pen.set(line, width, at === 0 ? strong : body)),
    ]);
    const heights = columns.map((column) => column.reduce((sum, { height }) => sum + height, 0));
    for (const [at, column] of columns.entries()) {
      let y = this.#y;
      for (const block of column) {
        this.#put(block, margin + at * (width + gap), width, 'start', y);
        y += block.height;
      }
    }
    this.#y += Math.max(...heights) + 2 * gap;
  }

  #table(): void {
    const { table } = this.#sheet;
    if (table === undefined) return;
    this.#tableHead();
    for (const row of table.rows) this.#row(row);
    this.#y += 6;
  }

  #columns(): { from: number; width: number; align: 'start' | 'end' }[] {
    const { columns } = this.#sheet.table!;
    const room = inner - columnGap * (columns.length - 1);
    const all = columns.reduce((sum, { share }) => sum + share, 0);
    let from = margin;
    return columns.map(({ share, align }) => {
      const width = (room * share) / all;
      from += width + columnGap;
      return { from: from - width - columnGap, width, align };
    });
  }

  /** Again at the top of each page. */
  #tableHead(): void {
    const { color, table } = this.#sheet;
    const columns = this.#columns();
    const blocks = table!.columns.map(({ heading: name }, at) =>
      this.#pen.set(name, columns[at]!.width, { ...small, weight: 'bold' }, 'sheet'),
    );
    const height = Math.max(...blocks.map((block) => block.height));
    this.#makeRoom(height + 60);
    for (const [at, { from, width, align }] of columns.entries()) this.#put(blocks[at]!, from, width, align);
    this.#y += height + 4;
    this.#pen.bar(margin, this.#y, inner, 1.2, color);
    this.#y += 6;
  }

  /** A row is not divided between pages, unless it is longer than one. */
  #row({ cells, note }: SheetRow): void {
    const columns = this.#columns();
    const blocks = cells.map((cell, at) => this.#pen.set(cell, columns[at]!.width, body));
    const below = note === undefined ? undefined : this.#pen.set(note, columns[0]!.width, small, 'sheet');
    const first = blocks[0]!.height + (below?.height ?? 0);
    const height = Math.max(first, ...blocks.slice(1).map((block) => block.height));
    if (this.#makeRoom(height + 8)) this.#tableHead();
    const y = this.#y;
    for (const [at, { from, width, align }] of columns.entries())
      if (at > 0) this.#put(blocks[at]!, from, width, align, y);
    this.#flow(blocks[0]!, columns[0]!);
    if (below !== undefined) this.#flow(below, columns[0]!);
    this.#y = Math.max(this.#y, y + (this.#y < y ? 0 : height)) + 4;
    this.#pen.bar(margin, this.#y, inner, 0.5, hairline);
    this.#y += 4;
  }

  /** Puts lines one by one, on further pages where a text is longer than a page. */
  #flow({ lines, height, style }: TextBlock, { from, width }: { from: number; width: number }): void {
    const each = height / Math.max(1, lines.length);
    for (const line of lines) {
      if (this.#y + each > bottom) {
        this.#addPage();
        this.#tableHead();
      }
      this.#put({ lines: [line], height: each, style }, from, width);
      this.#y += each;
    }
  }

  #sums(): void {
    const { sums } = this.#sheet;
    const width = inner * 0.52;
    const rows = sums.map((sum) => this.#sum(sum, width));
    this.#makeRoom(
      Math.min(
        rows.reduce((total, { height }) => total + height, 0),
        bottom - top,
      ),
    );
    for (const { height, draw } of rows) {
      this.#makeRoom(height);
      draw();
      this.#y += height;
    }
    this.#y += gap;
  }

  #sum({ label, value, isStrong = false }: SheetSum, width: number): { height: number; draw: () => void } {
    const style = isStrong ? { ...strong, size: 11 } : body;
    const from = margin + inner - width;
    const [labelWidth, valueWidth] = [width * 0.52, width * 0.48 - columnGap];
    const name = this.#pen.set(label, labelWidth, style, 'sheet');
    const amount = this.#pen.set(value, valueWidth, style);
    const height = Math.max(name.height, amount.height) + (isStrong ? 10 : 4);
    const draw = () => {
      const y = this.#y + (isStrong ? 6 : 2);
      if (isStrong) this.#pen.bar(from, this.#y + 2, width, 0.8, hairline);
      this.#put(name, from, labelWidth, 'start', y);
      this.#put(amount, from + width - valueWidth, valueWidth, 'end', y);
    };
    return { height, draw };
  }

  #remarks(): void {
    for (const remark of this.#sheet.remarks) {
      const { lines, style, height } = this.#pen.set(remark, inner, body);
      for (const line of lines) {
        const each = height / lines.length;
        this.#makeRoom(each);
        this.#put({ lines: [line], height: each, style }, margin, inner);
        this.#y += each;
      }
    }
  }

  /** The bar, the footer and the number of each page. */
  #everyPage(): void {
    const { color, footer } = this.#sheet;
    const { count } = this.#document.bufferedPageRange();
    const numberWidth = 70;
    const width = inner - numberWidth - columnGap;
    const lines = footer.flatMap((line) => this.#pen.set(line, width, small).lines).slice(0, footerLinesMax);
    for (let page = 0; page < count; page++) {
      this.#document.switchToPage(page);
      this.#pen.bar(0, 0, pageSize.width, 6, color);
      this.#put({ lines, height: 0, style: small }, margin, width, 'start', bottom + gap);
      const number = this.#pen.set(`${page + 1} / ${count}`, numberWidth, small);
      this.#put(number, margin + inner - numberWidth, numberWidth, 'end', bottom + gap);
    }
  }
}

const footerLinesMax = 4;
