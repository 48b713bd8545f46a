import type { Font } from 'fontkit';
import type { Han, Weight } from '../fonts/families.ts';
import type { FontLibrary } from '../fonts/library.ts';
import { directionOf, type LevelRun, mirrored } from './direction.ts';

/** Text in one font. `font` is undefined for characters that no installed font has. */
export type FontRun = { text: string; font: Font | undefined };

export type Style = { weight: Weight; han: Han };

/** Characters that direct others and are not drawn. Those between letters decide how Arabic letters join, so they stay. */
const undrawn =
  /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Variation_Selector}|[\u{e0000}-\u{e00ff}]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function clustersOf(text: string): string[] {
  // All of ASCII but line ends is a cluster of its own.
  return /^[\x20-\x7e]*$/.test(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** A part of a line as runs of one font, in the order in which they are drawn. */
export function fontRuns(text: string, { start, end, level }: LevelRun, library: FontLibrary, style: Style): FontRun[] {
  const isReversed = level % 2 === 1;
  const runs: FontRun[] = [];
  for (const cluster of clustersOf(text.slice(start, end).replaceAll(undrawn, ''))) {
    const drawn = isReversed ? mirrored(cluster) : cluster;
    const font = library.fontFor(drawn, style.weight, style.han);
    const last = runs.at(-1);
    // A space is a run of its own where the order turns: pdfkit lays words out one by one, from left to right.
    const joins = last !== undefined && last.font === font && !(isReversed && (drawn === ' ' || last.text === ' '));
    if (joins) last.text += drawn;
    else runs.push({ text: drawn, font });
  }
  if (!isReversed) return runs;
  return runs.reverse().map((run) => ({ ...run, text: inDrawnOrder(run.text) }));
}

/** fontkit reverses letters from right to left itself, and nothing else. */
function inDrawnOrder(text: string): string {
  return directionOf(text) === 'rtl' ? text : clustersOf(text).reverse().join('');
}
