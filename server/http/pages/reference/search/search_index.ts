import { closest } from '../../../../base/closest.ts';
import { getOrMake } from '../../../../base/get_or_make.ts';
import { excerptOf } from './excerpt.ts';
import { queryTokens, tokensOf } from './tokens.ts';

/** One thing that can be found. */
export type SearchEntry = {
  title: string;
  path: string;
  kind: string;
  /** How much it is preferred to others with the same words. */
  weight: number;
  /** Further words for the same thing: synonyms, abbreviations, names that other gateways use. */
  words: readonly string[];
  /** Names that a program uses, such as those of parameters. */
  names: string;
  text: string;
};

export type SearchResult = Pick<SearchEntry, 'title' | 'path' | 'kind'> & { excerpt: string };
export type SearchAnswer = { results: SearchResult[]; total: number };

/** What a word counts in each field of an entry. */
const fieldWeights = { words: 6, title: 5, names: 2, text: 1 };
/** The usual constants of BM25: how soon further occurrences count less, and how much the length of a field matters. */
const [saturation, lengthShare] = [1.2, 0.75];

/** Of a query; the rest is not looked for. */
const [queryLengthMax, queryWordsMax] = [200, 8];
/** Of a term that only begins with the word, at most, and of one that is spelled a little differently. */
const [prefixFactor, misspelledFactor] = [0.7, 0.5];
/** Of an entry whose title, or one of whose words, is what was asked for. */
const exactFactor = 3;
/** Of one that has a name that is what was asked for, and of one whose title begins with it. */
const [nameFactor, titleBeginsFactor] = [2, 1.4];

type IndexedField = keyof typeof fieldWeights;
const fields = Object.keys(fieldWeights) as IndexedField[];

type Phrases = { title: string; others: readonly string[]; names: ReadonlySet<string> };
type ReadEntry = { entry: SearchEntry; tokens: Record<IndexedField, string[]>; phrases: Phrases };
type IndexedTerm = { text: string; impacts: [entry: number, impact: number][] };

/**
 * A full-text index in memory. An entry is scored by BM25 over its fields. It has to have all words of the query; only if none has, those
 * with most of them are found.
 */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  /** In the order of their texts, so that those with the same beginning are neighbours. */
  readonly #terms: readonly IndexedTerm[];
  readonly #phrases: readonly Phrases[];

  /** In small steps: it takes as long as hundreds of requests. */
  static *build(entries: Iterable<SearchEntry>): Generator<void, SearchIndex> {
    const read: ReadEntry[] = [];
    for (const entry of entries) {
      read.push(readEntry(entry));
      yield;
    }
    return new SearchIndex(read, yield* termSteps(read));
  }

  private constructor(read: readonly ReadEntry[], terms: readonly IndexedTerm[]) {
    this.#entries = read.map(({ entry }) => entry);
    this.#phrases = read.map(({ phrases }) => phrases);
    this.#terms = terms;
  }

  find(query: string, most: number): SearchAnswer {
    const tokens = queryTokens(query.slice(0, queryLengthMax)).slice(0, queryWordsMax);
    const matches = tokens.map((token) => this.#matchesOf(token));
    const scored = new Map<number, { words: number; score: number }>();
    for (const one of matches)
      for (const [entry, score] of one) {
        const before = scored.get(entry) ?? { words: 0, score: 0 };
        scored.set(entry, { words: before.words + 1, score: before.score + score });
      }
    const mostWords = Math.max(0, ...[...scored.values()].map(({ words }) => words));
    const phrase = tokensOf(query).join(' ');
    const ranked = [...scored]
      .filter(([, { words }]) => words === mostWords)
      .map(([entry, { score }]) => ({ entry, score: score * this.#preference(entry, phrase) }))
      .sort((one, other) => other.score - one.score || one.entry - other.entry);
    const results = ranked.slice(0, most).map(({ entry }) => {
      const { title, path, kind, text } = this.#entries[entry]!;
      return { title, path, kind, excerpt: excerptOf(text, tokens) };
    });
    return { results, total: ranked.length };
  }

  #preference(entry: number, phrase: string): number {
    const { title, others, names } = this.#phrases[entry]!;
    const { weight } = this.#entries[entry]!;
    if (title === phrase || others.includes(phrase)) return weight * exactFactor;
    if (names.has(phrase)) return weight * nameFactor;
    return title.startsWith(phrase) ? weight * titleBeginsFactor : weight;
  }

  /** The entries that have the word, or one that begins with it, or else the word that was probably meant. */
  #matchesOf(token: string): Map<number, number> {
    const found = this.#beginningWith(token);
    if (found.length > 0) return this.#scores(found, (text) => closeness(token, text));
    // The first letter is seldom wrong, and comparing with all terms would take a while.
    const similar = this.#beginningWith(token.slice(0, 1)).map(({ text }) => text);
    const meant = closest(token, similar);
    return meant === undefined ? new Map() : this.#scores(this.#beginningWith(meant), () => misspelledFactor);
  }

  #beginningWith(prefix: string): IndexedTerm[] {
    let [low, high] = [0, this.#terms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#terms[middle]!.text < prefix) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#terms[end]?.text.startsWith(prefix)) end += 1;
    return this.#terms.slice(low, end);
  }

  /** The best term of each entry counts: many similar words make it no better. */
  #scores(terms: readonly IndexedTerm[], factorOf: (term: string) => number): Map<number, number> {
    const scores = new Map<number, number>();
    for (const { text, impacts } of terms) {
      const rarity = Math.log(1 + (this.#entries.length - impacts.length + 0.5) / (impacts.length + 0.5));
      const factor = factorOf(text) * rarity;
      for (const [entry, impact] of impacts) scores.set(entry, Math.max(scores.get(entry) ?? 0, factor * impact));
    }
    return scores;
  }
}

function closeness(token: string, term: string): number {
  return token === term ? 1 : (prefixFactor * token.length) / term.length;
}

function countsOf(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function readEntry(entry: SearchEntry): ReadEntry {
  const { title, words, names, text } = entry;
  const phrase = (one: string) => tokensOf(one).join(' ');
  return {
    entry,
    tokens: {
      words: words.flatMap(tokensOf),
      title: tokensOf(title),
      names: tokensOf(names),
      text: tokensOf(text),
    },
    phrases: { title: phrase(title), others: words.map(phrase), names: new Set(names.split(' ').map(phrase)) },
  };
}

function* termSteps(read: readonly ReadEntry[]): Generator<void, IndexedTerm[]> {
  const impacts = new Map<string, Map<number, number>>();
  const meanLengths = fields.map((field) => meanLength(read, field));
  for (const [entry, { tokens }] of read.entries()) {
    for (const [at, field] of fields.entries()) {
      const ofField = tokens[field];
      const norm = saturation * (1 - lengthShare + (lengthShare * ofField.length) / meanLengths[at]!);
      for (const [token, count] of countsOf(ofField)) {
        const impact = (fieldWeights[field] * count * (saturation + 1)) / (count + norm);
        const ofTerm = getOrMake(impacts, token, () => new Map<number, number>());
        ofTerm.set(entry, (ofTerm.get(entry) ?? 0) + impact);
      }
    }
    yield;
  }
  return [...impacts]
    .map(([text, ofTerm]) => ({ text, impacts: [...ofTerm] }))
    .sort((one, other) => (one.text < other.text ? -1 : 1));
}

function meanLength(read: readonly ReadEntry[], field: IndexedField): number {
  const all = read.reduce((sum, { tokens }) => sum + tokens[field].length, 0);
  return Math.max(1, all / Math.max(1, read.length));
}
