import LineBreaker from 'linebreak';
import { type Direction, isolated, oneSentence } from '../base/one_line.ts';
import { linkAddress } from './address.ts';
import type { MailBlock, MailFrame, MailMessage } from './message.ts';

/** So that a quoted line still fits into 80. */
const columns = 76;
/** A name is put beside its amount while there is as much room for it. */
const nameColumnsMin = 20;
const gap = 2;

/** The mail for programs that show no HTML: paragraphs with a blank line between them. */
export function textOf({ blocks }: MailMessage, frame: MailFrame): string {
  const setter = new Setter(frame.direction);
  const { sender, notice } = frame;
  const paragraphs = [
    setter.lines(setter.value(sender)),
    ...(notice === undefined ? [] : [setter.lines(notice)]),
    ...blocks.map((block) => paragraphOf(block, setter)),
    ...footerOf(frame, setter),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function paragraphOf(block: MailBlock, setter: Setter): string {
  switch (block.kind) {
    case 'amount':
      return setter.lines(setter.value(block.amount));
    case 'heading':
    case 'paragraph':
    case 'note':
      return setter.lines(block.text);
    case 'amounts':
      return setter.columns([
        ...block.lines.map(({ name, note, amount }) => ({ start: name, note, end: amount })),
        ...block.sums.map(({ label, amount }) => ({ start: label, end: amount })),
      ]);
    case 'details':
      return setter.lines(...block.rows.map(({ label, value }) => `${label}: ${setter.value(value)}`));
    case 'button':
      return setter.link(block.text, block.url);
    default:
      return block satisfies never;
  }
}

function footerOf({ supportEmail, supportAddress, links }: MailFrame, setter: Setter): string[] {
  const contact = [...(supportEmail === undefined ? [] : [supportEmail]), ...(supportAddress?.split('\n') ?? [])];
  const paragraphs = [
    ...(contact.length === 0 ? [] : [setter.lines(...contact.map((line) => setter.value(line)))]),
    ...links.map(({ text, url }) => setter.link(text, url)),
  ];
  // What follows this line is a signature, which programs do not quote.
  return paragraphs.length === 0 ? [] : ['-- ', ...paragraphs];
}

type TextRow = { start: string; note?: string | undefined; end: string };

class Setter {
  readonly #direction: Direction;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  value(text: string): string {
    return isolated(text, this.#direction);
  }

  lines(...lines: string[]): string {
    return lines.flatMap((line) => this.#wrapped(line, columns)).join('\n');
  }

  /** An address stands alone in its line, however long it is: programs then find all of it. */
  link(text: string, url: string): string {
    return [...this.#wrapped(`${text}:`, columns), linkAddress(url)].join('\n');
  }

  /** Amounts below each other, at their end. */
  columns(rows: readonly TextRow[]): string {
    const cells = rows.map(({ start, note, end }) => ({ start: this.value(start), note, end: this.value(end) }));
    const endWidth = Math.max(...cells.map(({ end }) => widthOf(end)));
    const room = columns - endWidth - gap;
    const isNarrow = room < nameColumnsMin;
    const width = isNarrow ? columns : Math.min(room, Math.max(...cells.map(({ start }) => widthOf(start))));
    const lines = cells.flatMap(({ start, note, end }) => {
      const name = this.#wrapped(start, width);
      const last = name.pop() ?? '';
      const beside = `${last}${' '.repeat(width - widthOf(last) + gap + endWidth - widthOf(end))}${end}`;
      const notes = note === undefined ? [] : this.#wrapped(this.value(note), columns - 2, '  ');
      return [...name, ...(isNarrow ? [last, end] : [beside]), ...notes];
    });
    return lines.join('\n');
  }

  /** A program takes the direction of a line from its first letter, which may be that of an amount. */
  #wrapped(text: string, width: number, indent = ''): string[] {
    const start = `${this.#direction === 'rtl' ? rightToLeftMark : ''}${indent}`;
    return wrap(oneSentence(text), width).map((line) => `${start}${line}`);
  }
}

const rightToLeftMark = '\u200f';

/** Lines of at most this width, by the rules of Unicode for where a line may end. A word that is wider is divided. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, start] = ['', 0];
  const breaker = new LineBreaker(text);
  for (let stop = breaker.nextBreak(); stop !== null; stop = breaker.nextBreak()) {
    let piece = text.slice(start, stop.position);
    start = stop.position;
    if (line !== '' && widthOf(line) + widthOf(piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    if (widthOf(piece.trimEnd()) > width) {
      const parts = divided(piece, width);
      piece = parts.pop()!;
      lines.push(...parts);
    }
    line += piece;
  }
  return line.trim() === '' && lines.length > 0 ? lines : [...lines, line.trimEnd()];
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A word that is wider than a line, in parts that are not. */
function divided(word: string, widthMax: number): string[] {
  const parts = [''];
  let width = 0;
  for (const { segment } of characters.segment(word)) {
    const more = widthOf(segment);
    if (width + more > widthMax && width > 0) {
      parts.push('');
      width = 0;
    }
    parts[parts.length - 1] += segment;
    width += more;
  }
  return parts;
}

const cjk =
  '\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}';
const emoji = '\u{1f300}-\u{1faff}';
const wide = new RegExp(`[${cjk}${emoji}]`, 'gu');
const withoutWidth = /[\p{M}\p{Cf}]/gu;

/** In columns of a font whose characters have one width, those of East Asia two. */
export function widthOf(text: string): number {
  const shown = text.replaceAll(withoutWidth, '');
  return [...shown].length + (shown.match(wide)?.length ?? 0);
}
