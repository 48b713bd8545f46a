import { tokensOf } from './tokens.ts';

const lengthMax = 160;
const before = 50;

/** The part of a text in which the first of the words occurs, cut between words. */
export function excerptOf(text: string, tokens: readonly string[]): string {
  const at = firstMatch(text, tokens);
  if (text.length <= lengthMax) return text;
  const start = at <= before ? 0 : text.indexOf(' ', at - before) + 1;
  const end = start + lengthMax >= text.length ? text.length : text.lastIndexOf(' ', start + lengthMax);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function firstMatch(text: string, tokens: readonly string[]): number {
  for (const { 0: word, index } of text.matchAll(/[\p{Letter}\p{Number}]+/gu))
    if (tokensOf(word).some((one) => tokens.some((token) => one.startsWith(token)))) return index;
  return 0;
}
