import { getOrMake } from '../../../base/get_or_make.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Searchable, SearchContext, SearchOwner } from '../../../operations/extension_points/search.ts';
import { amountStart } from './amounts.ts';
import { fits } from './documents.ts';
import type { QueryWord } from './query.ts';
import {
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

const none: WordSet = { numbers: new Set(), isCut: false };

/** Customers whose own are looked for. Of more, only the newest. */
const ownersMax = 500;
const newestOwners = 100;

/** What the index has of each word of a query, in the kinds that are asked for. Rows are read once for all kinds. */
export class WordSets {
  readonly #reads: Reads;
  readonly #tenant: Tenant;
  readonly #kinds: readonly Searchable[];
  readonly #words: readonly QueryWord[];
  #own: ReadonlyMap<string, WordSet>[] = [];
  readonly #all = new Map<string, Promise<WordSet>>();

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
  all(kind: Searchable): Promise<WordSet> {
    return getOrMake(this.#all, kind.prefix, () => this.#withAll(kind));
  }

  async #withAll(kind: Searchable): Promise<WordSet> {
    const places = [...this.#words.keys()];
    const sets = await Promise.all(places.map((at) => this.#unlessFrequent(kind, at)));
    const whole = sets.filter((set) => set !== undefined).sort((a, b) => a.size - b.size);
    const [rarest, ...others] = whole;
    if (rarest === undefined) return { numbers: await this.#havingFrequent(kind), isCut: true };
    const numbers = [...rarest].filter((number) => others.every((set) => set.has(number)));
    const frequent = places.filter((at) => sets[at] === undefined);
    return { numbers: await this.#having(frequent, kind, numbers), isCut: frequent.length > 0 };
  }

  /** All objects that have a word; undefined if they are too many to be read. */
  async #unlessFrequent(kind: Searchable, at: number): Promise<ReadonlySet<number> | undefined> {
    const own = this.own(kind.prefix, at);
    const owners = kind.owners.map((owner) => ({ ...owner, ...this.own(owner.prefix, at) }));
    if (own.isCut || owners.some(({ isCut, numbers }) => isCut || numbers.size > ownersMax)) return undefined;
    const belonging = await Promise.all(owners.map(({ numbers, ...owner }) => this.#belongingTo([...numbers], owner)));
    if (belonging.some(({ isCut }) => isCut)) return undefined;
    return new Set([own, ...belonging].flatMap(({ numbers }) => [...numbers]));
  }

  /**
   * Where every word is frequent: of the newest owners that have all of them, and of the newest objects that have one themselves, those that
   * have all.
   */
  async #havingFrequent(kind: Searchable): Promise<Set<number>> {
    const places = [...this.#words.keys()];
    const belonging = await Promise.all(kind.owners.map((owner) => this.#belongingToNewest(owner)));
    // A word that no owner has is one of their own.
    const isOwn = (at: number) => kind.owners.every(({ prefix }) => this.own(prefix, at).numbers.size === 0);
    const leading = places.find(isOwn);
    const own = (leading === undefined ? places : [leading]).flatMap((at) => [...this.own(kind.prefix, at).numbers]);
    const having = await this.#having(places, kind, newestOf(new Set(own), rowsPerWordMax));
    return new Set([...belonging.flat(), ...having]);
  }

  async #belongingToNewest(owner: SearchOwner): Promise<number[]> {
    const kind = this.#kinds.find(({ prefix }) => prefix === owner.prefix);
    if (kind === undefined) return [];
    const { numbers } = await this.all(kind);
    const count = numbers.size > ownersMax ? newestOwners : ownersMax;
    return [...(await this.#belongingTo(newestOf(numbers, count), owner)).numbers];
  }

  /** Those of the numbers whose objects have words that are too frequent to be read, by themselves or by their owners. */
  async #having(frequent: readonly number[], kind: Searchable, numbers: readonly number[]): Promise<Set<number>> {
    const terms = new Map<number, string[]>();
    const has = (number: number, at: number) =>
      this.own(kind.prefix, at).numbers.has(number) ||
      terms.get(number)?.some((term) => fits(this.#words[at]!, term)) === true;
    const lacking = () => numbers.filter((number) => frequent.some((at) => !has(number, at)));
    const add = (found: readonly { number: number; words: string }[]) => {
      for (const { number, words } of found) terms.set(number, [...(terms.get(number) ?? []), ...words.split(' ')]);
    };
    // What was read of the others is all that there is.
    const cut = frequent.filter((at) => this.own(kind.prefix, at).isCut);
    const unread = numbers.filter((number) => cut.some((at) => !has(number, at)));
    add(await readObjects(this.#reads, this.#tenant, unread));
    for (const { prefix, table, column } of kind.owners) {
      // Objects that name their owners in another table name few: no word of those is frequent.
      if (table !== kind.table || frequent.every((at) => this.own(prefix, at).numbers.size === 0)) continue;
      add(await readOwners(this.#reads, this.#tenant, lacking(), { table: table.name, column }));
    }
    const without = new Set(lacking());
    return new Set(numbers.filter((number) => !without.has(number)));
  }

  async #belongingTo(owners: readonly number[], { table, column }: Omit<SearchOwner, 'prefix'>): Promise<WordSet> {
    if (owners.length === 0) return none;
    const rows = await this.#reads.rows<{ number: number }>(
      `select number from search_objects where tenant = $1 and object = any(array(
         select t.id from unnest($2::int8[]) as x (number) ${objectOfNumber}
          cross join lateral (select id from ${table.name} where tenant = $1 and ${column} = o.object limit (select $3::int4)) t
          limit (select $3::int4)))`,
      [this.#tenant, owners, rowsPerWordMax + 1],
    );
    return { numbers: new Set(rows.map(({ number }) => number)), isCut: rows.length > rowsPerWordMax };
  }
}

const newestOf = (numbers: Iterable<number>, count: number): number[] =>
  [...numbers].sort((a, b) => b - a).slice(0, count);

/** An amount of another currency begins alike. */
function joined(word: QueryWord, ranges: readonly TermRangeRows[]): WordSet {
  const fitting = ranges.flatMap(({ rows }) => rows.filter(({ term }) => fits(word, term)));
  return { numbers: new Set(fitting.map(({ number }) => number)), isCut: ranges.some(({ isCut }) => isCut) };
}
