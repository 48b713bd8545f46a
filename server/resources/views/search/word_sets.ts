import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Searchable, SearchContext } from '../../../operations/extension_points/search.ts';
import { amountStart } from './amounts.ts';
import { fits } from './documents.ts';
import type { QueryWord } from './query.ts';
import {
  numberOfObject,
  objectOfNumber,
  readObjects,
  readRanges,
  rowsPerWordMax,
  type TermRange,
  type TermRangeRows,
} from './store.ts';

/** The objects of a kind that have a word, by their numbers in the index. `isCut`: there are more. */
export type WordSet = { numbers: ReadonlySet<number>; isCut: boolean };

const none: WordSet = { numbers: new Set(), isCut: false };

/** Objects whose own are looked for: a word that more customers have is too frequent for it. */
const ownersMax = 500;

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
    const starts = [...(word.start === undefined ? [] : [word.start]), ...word.amounts.map(amountStart)];
    const ranges = this.#kinds.flatMap(({ prefix }) =>
      [...new Set(starts)].map((start): TermRange => ({ kind: prefix, start })),
    );
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
    // The rarest word decides. Where all are too frequent, those of the first that were read are compared.
    const [rarest, ...others] = whole.length > 0 ? whole : [sets[0]!];
    let numbers = [...rarest!.numbers].filter((number) => others.every((set) => set.numbers.has(number)));
    const toCompare = sets.flatMap((set, at) => (set.isCut && set !== rarest ? [{ set, word: this.#words[at]! }] : []));
    if (toCompare.length > 0 && numbers.length > 0) {
      const objects = await readObjects(this.#reads, this.#tenant, numbers);
      const words = new Map(objects.map((one) => [one.number, one.words.split(' ')]));
      numbers = numbers.filter((number) =>
        toCompare.every(
          ({ set, word }) => set.numbers.has(number) || words.get(number)?.some((term) => fits(word, term)),
        ),
      );
    }
    return { numbers: new Set(numbers), isCut: sets.some(({ isCut }) => isCut) };
  }

  async #withOwners(kind: Searchable, at: number): Promise<WordSet> {
    const sets = [this.own(kind.prefix, at)];
    for (const { prefix, table, column } of kind.owners) {
      const owners = this.own(prefix, at);
      if (owners.numbers.size === 0) continue;
      if (owners.isCut || owners.numbers.size > ownersMax) sets.push({ ...none, isCut: true });
      else sets.push(await this.#belongingTo([...owners.numbers], table.name, column));
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
