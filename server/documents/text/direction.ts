import bidiFactory from 'bidi-js';

import type { Direction } from '../../base/one_line.ts';

const rightToLeftLetter = /[[\p{Script=Arabic}\p{Script=Hebrew}]&&\p{L}]/v;

/** In which direction a run of one level and one font is written. */
export function directionOf(run: string): Direction {
  return rightToLeftLetter.test(run) ? 'rtl' : 'ltr';
}

/** Letters and marks that are written from right to left, and the characters that set a direction. */
const anyRightToLeft =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

let bidi: ReturnType<typeof bidiFactory> | undefined;

/** The levels of all characters of a paragraph: odd ones are written from right to left. Undefined: all are 0. */
export function levelsOf(text: string, base: Direction | 'auto'): Uint8Array | undefined {
  if (base !== 'rtl' && !anyRightToLeft.test(text)) return undefined;
  bidi ??= bidiFactory();
  return bidi.getEmbeddingLevels(text, base).levels;
}

/** A part of a line whose characters have the same level. */
export type LevelRun = { start: number; end: number; level: number };

/** The parts of a line in the order in which they are drawn, from left to right: rule L2 of the Unicode Bidirectional Algorithm. */
export function visualRuns(levels: Uint8Array | undefined, start: number, end: number): LevelRun[] {
  if (levels === undefined) return [{ start, end, level: 0 }];
  const runs: LevelRun[] = [];
  for (let at = start; at < end; at++) {
    const last = runs.at(-1);
    if (last?.level === levels[at]) last!.end = at + 1;
    else runs.push({ start: at, end: at + 1, level: levels[at]! });
  }
  const highest = Math.max(...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) reverseFrom(runs, level);
  return runs;
}

/** Reverses each sequence of runs that are at this level or above. */
function reverseFrom(runs: LevelRun[], level: number): void {
  for (let at = 0; at < runs.length; at++) {
    let end = at;
    while (end < runs.length && runs[end]!.level >= level) end++;
    runs.splice(at, end - at, ...runs.slice(at, end).reverse());
    at = Math.max(at, end - 1);
  }
}

/** The character that is drawn in its place from right to left: ( for ). */
export function mirrored(character: string): string {
  bidi ??= bidiFactory();
  return bidi.getMirroredCharacter(character) ?? character;
}
