import type { Reads, Tenant } from '../../../base/reads.ts';

/** Of one word, in all kinds together. */
export const rowsPerWordMax = 5_000;
const fewestRows = 50;
/** Before and after everything that a term can go on with. */
const [first, last] = ['\u{1}', '\u{10ffff}'];
const lastNumber = '9223372036854775807';

/** Terms of one kind, both ends included. */
export type TermRange = { kind: string; from: string; to: string };

/** The terms that begin with a text. */
export const termsFrom = (kind: string, start: string): TermRange => ({ kind, from: start, to: `${start}${last}` });

/** The same in two ranges: the word itself, and longer ones. Otherwise those who look for Ada would get five thousand Adams. */
export const wordsFrom = (kind: string, start: string): TermRange[] => [
  { kind, from: start, to: start },
  { kind, from: `${start}${first}`, to: `${start}${last}` },
];

/** What was read of a range, newest first for each term; all of it, unless `isCut`. */
export type TermRangeRows = { rows: { number: number; term: string }[]; isCut: boolean };

/**
 * The index rows of a word. Each range gets an equal share of what may be read, then those with more get what the others have left: a kind
 * with a million rows hides no other, and alone it gets everything.
 */
export async function readRanges(reads: Reads, tenant: Tenant, ranges: readonly TermRange[]): Promise<TermRangeRows[]> {
  const share = Math.max(fewestRows, Math.floor(rowsPerWordMax / Math.max(ranges.length, 1)));
  const read = ranges.map((range) => ({ range, rows: [] as TermRangeRows['rows'], isCut: true }));
  let left = rowsPerWordMax;
  for (let limit = share; limit >= fewestRows && read.some(({ isCut }) => isCut); ) {
    const open = read.filter(({ isCut }) => isCut);
    const found = await readOn(reads, tenant, open, limit);
    for (const [at, rows] of found.entries()) {
      open[at]!.rows.push(...rows);
      open[at]!.isCut = rows.length === limit;
      left -= rows.length;
    }
    const cut = read.filter(({ isCut }) => isCut).length;
    limit = cut === 0 ? 0 : Math.floor(left / cut);
  }
  return read.map(({ rows, isCut }) => ({ rows, isCut }));
}

async function readOn(
  reads: Reads,
  tenant: Tenant,
  ranges: readonly { range: TermRange; rows: TermRangeRows['rows'] }[],
  limit: number,
): Promise<TermRangeRows['rows'][]> {
  const found = await reads.rows<{ place: number; number: number; term: string }>(
    `select x.place::int4, t.number, t.term
       from unnest($2::text[], $3::text[], $4::text[], $5::int8[]) with ordinality as x (kind, first, term, number, place)
      cross join lateral (
        select s.number, s.term from search_terms s
         where s.tenant = $1 and s.kind = x.kind and s.term >= x.first and (s.term, s.number) < (x.term, x.number)
         order by s.tenant desc, s.kind desc, s.term desc, s.number desc limit (select $6::int4)) t`,
    [
      tenant,
      ranges.map(({ range }) => range.kind),
      ranges.map(({ range }) => range.from),
      ranges.map(({ range, rows }) => rows.at(-1)?.term ?? range.to),
      ranges.map(({ rows }) => rows.at(-1)?.number ?? lastNumber),
      limit,
    ],
  );
  const byRange: TermRangeRows['rows'][] = ranges.map(() => []);
  for (const { place, number, term } of found) byRange[place - 1]!.push({ number, term });
  return byRange;
}

/** An object of the index. */
export type Indexed = { number: number; object: string };

/** Objects by their numbers, with the terms that they are indexed by. An array is one pass over the index, unlike as many lookups. */
export async function readObjects(
  reads: Reads,
  tenant: Tenant,
  numbers: readonly number[],
): Promise<(Indexed & { words: string })[]> {
  if (numbers.length === 0) return [];
  return reads.rows('select number, object, words from search_objects where tenant = $1 and number = any($2::int8[])', [
    tenant,
    numbers,
  ]);
}

/** Of objects by their numbers: the terms of what they belong to, by a column of their table. */
export async function readOwners(
  reads: Reads,
  tenant: Tenant,
  numbers: readonly number[],
  { table, column }: { table: string; column: string },
): Promise<{ number: number; words: string }[]> {
  if (numbers.length === 0) return [];
  const objects = await reads.rows<Indexed>(
    'select number, object from search_objects where tenant = $1 and number = any($2::int8[])',
    [tenant, numbers],
  );
  const owned = await reads.rows<{ id: string; owner: string }>(
    `select id, ${column} as owner from ${table} where tenant = $1 and id = any($2::text[]) and ${column} is not null`,
    [tenant, objects.map(({ object }) => object)],
  );
  const owners = await reads.rows<{ object: string; words: string }>(
    'select object, words from search_objects where tenant = $1 and object = any($2::text[])',
    [tenant, [...new Set(owned.map(({ owner }) => owner))]],
  );
  const wordsOf = new Map(owners.map(({ object, words }) => [object, words]));
  const ownerOf = new Map(owned.map(({ id, owner }) => [id, owner]));
  return objects.flatMap(({ number, object }) => {
    const words = wordsOf.get(ownerOf.get(object) ?? '');
    return words === undefined ? [] : [{ number, words }];
  });
}

/** The numbers of objects by their ids. Those that are not indexed are left out. */
export async function readNumbers(reads: Reads, tenant: Tenant, ids: readonly string[]): Promise<Indexed[]> {
  if (ids.length === 0) return [];
  return reads.rows('select number, object from search_objects where tenant = $1 and object = any($2::text[])', [
    tenant,
    ids,
  ]);
}

/** Names the object of `x.number` as `o`, in a statement of tenant $1. */
export const objectOfNumber =
  'cross join lateral (select number, object from search_objects where tenant = $1 and number = x.number limit 1) o';
