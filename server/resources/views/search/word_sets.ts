import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Searchable, SearchContext } from '../../../operations/extension_points/search.ts';
import { amountStart } from './amounts.ts';
import { fits } from './documents.ts';
import type { QueryWord } from './query.ts';
import {
  type Indexed,
  numberOfObject,
  objectOfNumber,
  readObjects,
  readOwners,
  readRanges,
  rowsPerWordMax,
  type TermRange,
  type TermRangeRows,
  termsFrom,
  wordsFrom,
} from './store.ts';

/** The objects of a kind that have a word, by their numbers in the index. `isCut`: there are more. */
export type WordSet = { numbers: ReadonlySet<number>; isCut: boolean };

/** A word of a query by its place, and some of the objects that have it. */
type FrequentWord = { at: number; known: ReadonlySet<number> };

const none: WordSet = { numbers: new Set(), isCut: false };

/** Customers whose own are looked for: of a word that more have, only the newest, and the others are compared with what other words find. */
const ownersMax = 500;
const newestOwners = 100;

/** What the index has of each word of a query, in the kinds that are asked for. Rows are read once for all kinds. */
export class WordSets {
  readonly #reads: Reads;
  readonly #tenant: Tenant;
  readonly #kinds: readonly Searchable[];
  readonly #words: readonly QueryWord[];
  #own: ReadonlyMap<string, WordSet>[] = [];

  /** `kinds`: those that a caller may read, and that objects are found by the words of. */
  constructor({ reads, tenant }: SearchContext, kinds: readonly Searchable[], words: readonly QueryWord[]) {
    this.#reads = reads;
    this.#tenant = tenant;
    this.#kinds = kinds.filter(({ foundBy }) => foundBy === 'words');
    this.#words = words;
  }

  async read(): Promise<this> {
    this.#own = await Promise.all(this.#words.map((word) => this.#readWord(word)));
    return this;
  }

  async #readWord(word: QueryWord): Promise<ReadonlyMap<string, WordSet>> {
    const amounts = [...new Set(word.amounts.map(amountStart))];
    const ranges = this.#kinds.flatMap(({ prefix }): TermRange[] => [
      ...(word.start === undefined ? [] : wordsFrom(prefix, word.start)),
      ...amounts.map((start) => termsFrom(prefix, start)),
    ]);
    const read = await readRanges(this.#reads, this.#tenant, ranges);
    return new Map(
      this.#kinds.map(({ prefix }) => [
        prefix,
        joined(
          word,
          read.filter((_, at) => ranges[at]!.kind === prefix),
        ),
      ]),
    );
  }

  /** The objects of a kind that have the words themselves. */
  own(prefix: string, at: number): WordSet {
    return this.#own[at]?.get(prefix) ?? none;
  }

  /** The objects that have all words, each by itself or by an object that it belongs to. */
  async all(kind: Searchable): Promise<WordSet> {
    const sets = await Promise.all(this.#words.map((_, at) => this.#withOwners(kind, at)));
    const whole = sets.filter(({ isCut }) => !isCut).sort((a, b) => a.numbers.size - b.numbers.size);
    // The rarest word decides. Where all are too frequent, the one that most objects were read of.
    const [rarest, ...others] = whole.length > 0 ? whole : sets.toSorted((a, b) => b.numbers.size - a.numbers.size);
    const wholeOthers = others.filter(({ isCut }) => !isCut);
    const numbers = [...rarest!.numbers].filter((number) => wholeOthers.every((set) => set.numbers.has(number)));
    const frequent = sets.flatMap((set, at) => (set.isCut && set !== rarest ? [{ at, known: set.numbers }] : []));
    return {
      numbers: new Set(frequent.length === 0 ? numbers : await this.#having(frequent, kind, numbers)),
      isCut: sets.some(({ isCut }) => isCut),
    };
  }

  /** Those of the numbers whose objects have words that are too frequent to be read, by themselves or by their owners. */
  async #having(frequent: readonly FrequentWord[], kind: Searchable, numbers: readonly number[]): Promise<number[]> {
    const terms = new Map<number, string[]>();
    const lacking = () =>
      numbers.filter((number) =>
        frequent.some(
          ({ at, known }) => !known.has(number) && !terms.get(number)?.some((term) => fits(this.#words[at]!, term)),
        ),
      );
    const add = (found: readonly (Indexed & { words: string })[]) => {
      for (const { number, words } of found) terms.set(number, [...(terms.get(number) ?? []), ...words.split(' ')]);
    };
    let left = lacking();
    if (left.length > 0) add(await readObjects(this.#reads, this.#tenant, left));
    for (const { prefix, table, column } of kind.owners) {
      // Objects that name their owners in another table name few: no word of those is frequent.
      if (table !== kind.table || frequent.every(({ at }) => this.own(prefix, at).numbers.size === 0)) continue;
      left = lacking();
      if (left.length > 0) add(await readOwners(this.#reads, this.#tenant, left, { table: table.name, column }));
    }
    const without = new Set(lacking());
    return numbers.filter((number) => !without.has(number));
  }

  async #withOwners(kind: Searchable, at: number): Promise<WordSet> {
    const sets = [this.own(kind.prefix, at)];
    for (const { prefix, table, column } of kind.owners) {
      const owners = this.own(prefix, at);
      if (owners.numbers.size === 0) continue;
      const areTooMany = owners.isCut || owners.numbers.size > ownersMax;
      const newest = [...owners.numbers].sort((a, b) => b - a).slice(0, areTooMany ? newestOwners : ownersMax);
      const belonging = await this.#belongingTo(newest, table.name, column);
      sets.push({ ...belonging, isCut: belonging.isCut || areTooMany });
    }
    if (sets.length === 1) return sets[0]!;
    return { numbers: new Set(sets.flatMap(({ numbers }) => [...numbers])), isCut: sets.some(({ isCut }) => isCut) };
  }

  async #belongingTo(owners: readonly number[], table: string, column: string): Promise<WordSet> {
    const rows = await this.#reads.rows<{ number: number }>(
      `select r.number from unnest($2::int8[]) as x (number) ${objectOfNumber}
        cross join lateral (select id from ${table} where tenant = $1 and ${column} = o.object limit (select $3::int4)) t
        ${numberOfObject} limit (select $3::int4)`,
      [this.#tenant, owners, rowsPerWordMax + 1],
    );
    return { numbers: new Set(rows.map(({ number }) => number)), isCut: rows.length > rowsPerWordMax };
  }
}

/** An amount of another currency begins alike. */
function joined(word: QueryWord, ranges: readonly TermRangeRows[]): WordSet {
  const fitting = ranges.flatMap(({ rows }) => rows.filter(({ term }) => fits(word, term)));
  return { numbers: new Set(fitting.map(({ number }) => number)), isCut: ranges.some(({ isCut }) => isCut) };
}
