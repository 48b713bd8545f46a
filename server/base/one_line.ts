/** What a text may not hold in a line of its own: the ends of lines, other controls, and what turns the direction of its surroundings. */
const lineEnds = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const controlsInSentences = /[\p{Cc}\u202a-\u202e\u2066\u2067\ufeff]/gu;

/** A text that somebody has typed, as one line that has no effect on what stands beside it. */
export function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, ' ').replaceAll(controls, '').trim();
}

/** A sentence of ours as one line. The values in it are isolated already, and stay so. */
export function oneSentence(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, ' ').replaceAll(controlsInSentences, '').trim();
}

export type Direction = 'ltr' | 'rtl';

const fromRightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [isolate, endOfIsolate] = ['\u2068', '\u2069'];

/**
 * A value within a text that runs in this direction, as one line: a name in Hebrew letters does not turn the order of an English sentence
 * around. By characters, because subjects and plain texts have no markup; where there is nothing to turn, there are none.
 */
export function isolated(value: string, direction: Direction): string {
  const line = oneLine(value);
  const isPlain = line === '' || (direction === 'ltr' && !fromRightToLeft.test(line));
  return isPlain ? line : `${isolate}${line}${endOfIsolate}`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most so many characters, as people count them; the last is an ellipsis where some were cut. */
export function shortened(text: string, max: number): string {
  // No more than this is divided, however long it is.
  const characters = [...graphemes.segment(text.slice(0, max * 16))].map(({ segment }) => segment);
  return characters.length <= max && text.length <= max * 16 ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** What lists of mails show of a long name. */
const nameMax = 80;

/** A name within a subject or a heading. */
export function isolatedName(name: string, direction: Direction): string {
  return isolated(shortened(name, nameMax), direction);
}
