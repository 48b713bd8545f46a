/** In characters. A longer word is found by its beginning. */
export const termCharactersMax = 40;
/** Of one word with punctuation in it, such as an address. */
const startsMax = 8;

/** Han, Kana and Hangul are written without spaces, or with few. */
const pairedCharacter = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}]]`;
const otherCharacter = String.raw`[[\p{L}\p{N}]--${pairedCharacter}]`;
const isPaired = new RegExp(`^${pairedCharacter}`, 'v');
const run = new RegExp(`${pairedCharacter}+|${otherCharacter}+`, 'gv');
const endsInWord = new RegExp(`${otherCharacter}$`, 'v');
const space = /[\s\p{Z}]+/u;

/** One spelling for texts that people take for the same: no marks, no capitals, no compatibility forms. Hangul stays in syllables. */
export function fold(text: string): string {
  const once = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ') // which of the two a capital becomes depends on the letter after it
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return once.normalize('NFC');
}

/**
 * A piece of a text between two spaces. Its letters and digits are taken together: punctuation in between is left out, so that
 * `ORD-2026/17` is found with and without it. What follows punctuation is a beginning too.
 */
type Piece = {
  /** The runs of letters and digits between punctuation. */
  parts: string[];
  /** The runs of characters that are indexed in pairs. */
  paired: string[];
};

function piecesOf(text: string): Piece[] {
  return fold(text)
    .split(space)
    .map((piece) => {
      const runs = piece.match(run) ?? [];
      return { parts: runs.filter((one) => !isPaired.test(one)), paired: runs.filter((one) => isPaired.test(one)) };
    });
}

/** What a text is indexed by. Whatever begins a word of the text begins one of these. */
export function termsIn(text: string): string[] {
  return piecesOf(text).flatMap(({ parts, paired }) => [
    ...parts.slice(0, startsMax).map((_, at) => cut(parts.slice(at).join(''))),
    ...paired.flatMap((one) => [...pairsOf(one), [...one].at(-1)!]),
  ]);
}

/** What an object has to have: terms that begin with each of these. */
export function wordsIn(text: string): string[] {
  return piecesOf(text).flatMap(({ parts, paired }) => [
    ...(parts.length === 0 ? [] : [cut(parts.join(''))]),
    ...paired.flatMap((one) => ([...one].length === 1 ? [one] : pairsOf(one))),
  ]);
}

/** Whether a word of a folded text begins at this place. */
export function beginsWord(text: string, at: number): boolean {
  return isPaired.test(text.slice(at, at + 2)) || !endsInWord.test(text.slice(0, at));
}

function pairsOf(text: string): string[] {
  const characters = [...text];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function cut(term: string): string {
  return term.length <= termCharactersMax ? term : [...term].slice(0, termCharactersMax).join('');
}
