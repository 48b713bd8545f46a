/** Words that a question has and that tell nothing about what is looked for. */
const stopWords = new Set(
  'a an and are can do does for how i if in is it my of on or the to what when which with'.split(' '),
);

/** The words of a text in small letters, without accents and plurals. `off_session`, `off-session` and `off session` are the same. */
export function tokensOf(text: string): string[] {
  const small = text.toLowerCase();
  // Almost all texts are ASCII, for which the short way takes a third of the time.
  const words = isAscii.test(small)
    ? small.match(/[a-z0-9]+/g)
    : small
        .normalize('NFKD')
        .replaceAll(/\p{Mark}/gu, '')
        .match(/[\p{Letter}\p{Number}]+/gu);
  return (words ?? []).map(singular);
}

const isAscii = /^[ -~\s]*$/;

/** Of a query. One of stop words alone is taken as it is. */
export function queryTokens(query: string): string[] {
  const tokens = [...new Set(tokensOf(query))];
  const telling = tokens.filter((token) => !stopWords.has(token));
  return telling.length === 0 ? tokens : telling;
}

/** Crude, but the same for a text and a query: `retries` becomes `retry`, `status` becomes `statu`. */
function singular(word: string): string {
  if (word.length <= 3) return word;
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('ss') ? word : word.slice(0, -1);
}
