import type { SearchDocument, SearchedField, SearchText } from '../../../operations/extension_points/search.ts';
import { amountStart, amountTerm, hasCurrency } from './amounts.ts';
import type { Query, QueryWord } from './query.ts';
import { beginsWord, fold, termsIn } from './words.ts';

/** Of one object: a description may be long. */
const termsMax = 60;

/** What an object is indexed by, each once. */
export function termsOf({ texts }: Pick<SearchDocument, 'texts'>): string[] {
  return [...new Set(texts.flatMap(termsOfText))].slice(0, termsMax);
}

function termsOfText(text: SearchText): string[] {
  if ('money' in text) return [amountTerm(text.money)];
  switch (text.field) {
    case 'phone':
      // One word, whatever separates its digits.
      return termsIn(text.text.trim().replaceAll(/\s+/g, '-'));
    case 'reference':
      // Processors make them. People paste them, from the beginning, and each beginning costs as much as the whole.
      return termsIn(text.text).slice(0, 1);
    case 'number':
      return [...termsIn(text.text), ...termsIn(text.text.replace(/^.*?0*(?=[1-9]\d*$)/, ''))];
    default:
      return termsIn(text.text);
  }
}

/** Whether a term is what a word looks for. */
export function fits({ start, amounts }: QueryWord, term: string): boolean {
  if (start !== undefined && term.startsWith(start)) return true;
  return amounts.some((amount) => term.startsWith(amountStart(amount)) && hasCurrency(amount, term));
}

/** The fields of a document that have a word. */
export function fieldsWith({ texts }: Pick<SearchDocument, 'texts'>, word: QueryWord): SearchedField[] {
  return texts.filter((text) => termsOfText(text).some((term) => fits(word, term))).map(({ field }) => field);
}

/** Whether one of the texts has each phrase, from where a word begins. */
export function hasPhrases({ texts }: Pick<SearchDocument, 'texts'>, { phrases }: Pick<Query, 'phrases'>): boolean {
  const folded = texts.flatMap((one) => ('money' in one ? [] : oneSpaced(fold(one.text))));
  return phrases.every((phrase) => folded.some((text) => hasPhrase(text, oneSpaced(phrase))));
}

const oneSpaced = (text: string) => text.trim().replaceAll(/[\s\p{Z}]+/gu, ' ');

function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1))
    if (beginsWord(text, at)) return true;
  return false;
}
