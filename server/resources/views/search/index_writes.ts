import { arrayLiteral } from '../../../base/commit/index.ts';
import type { Tenant } from '../../../base/reads.ts';
import { query, type Sql } from '../../../base/sql.ts';

/** What an object is to be found by; undefined: nobody finds it by words. */
export type IndexEntry = { tenant: Tenant; object: string; terms: readonly string[] | undefined };

type StoredEntry = { tenant: Tenant; object: string; number: number; words: string };
type TermRow = { tenant: Tenant; kind: string; term: string; number: number };

export const kindOf = (object: string) => object.slice(0, object.indexOf('_'));
const keyOf = ({ tenant, object }: Pick<IndexEntry, 'tenant' | 'object'>) => `${tenant}/${object}`;

/**
 * Makes the index say what the entries say. Only differences are written. `isRepaired`: terms that should be there already are written too,
 * in case they are missing, and terms may be there that should not.
 */
export async function writeEntries(sql: Sql, entries: readonly IndexEntry[], isRepaired = false): Promise<void> {
  const stored = new Map((await readStored(sql, entries)).map((one) => [keyOf(one), one]));
  const gone = entries.flatMap((entry) => (entry.terms === undefined ? (stored.get(keyOf(entry)) ?? []) : []));
  const kept = entries.filter((entry) => entry.terms !== undefined);
  const { fresh = [], known = [] } = Object.groupBy(kept, (entry) => (stored.has(keyOf(entry)) ? 'known' : 'fresh'));
  const changed = known.filter((entry) => stored.get(keyOf(entry))!.words !== wordsOf(entry));
  await updateObjects(sql, changed, stored);
  const numbers = new Map((await insertObjects(sql, fresh)).map((one) => [keyOf(one), one.number]));
  const first = fresh.flatMap((entry) => termRows({ ...entry, number: numbers.get(keyOf(entry))! }, wordsOf(entry)));
  const removed = gone.flatMap((one) => termRows(one, one.words));
  const added: TermRow[] = isRepaired ? first : [];
  for (const entry of isRepaired ? known : changed) {
    const before = stored.get(keyOf(entry))!;
    const [had, has] = [new Set(termsIn(before.words)), new Set(entry.terms)];
    removed.push(...termRows(before, [...had].filter((term) => !has.has(term)).join(' ')));
    added.push(...termRows(before, [...has].filter((term) => isRepaired || !had.has(term)).join(' ')));
  }
  await deleteTerms(sql, removed);
  // A number that is new has no terms yet: not looking for them saves a third.
  if (!isRepaired) await insertTerms(sql, first);
  await insertTerms(sql, added, 'on conflict do nothing');
  await deleteObjects(sql, gone);
}

const wordsOf = ({ terms = [] }: IndexEntry) => terms.join(' ');
const termsIn = (words: string) => (words === '' ? [] : words.split(' '));

function termRows(
  { tenant, object, number }: Pick<StoredEntry, 'tenant' | 'object' | 'number'>,
  words: string,
): TermRow[] {
  return termsIn(words).map((term) => ({ tenant, kind: kindOf(object), term, number }));
}

function readStored(sql: Sql, entries: readonly IndexEntry[]): Promise<StoredEntry[]> {
  return query<StoredEntry>(
    sql,
    `select o.* from unnest($1::int4[], $2::text[]) as x (tenant, object)
      cross join lateral (
        select tenant, object, number, words from search_objects o where o.tenant = x.tenant and o.object = x.object limit 1) o`,
    [tenantsOf(entries), textsOf(entries, ({ object }) => object)],
    'search_read_objects',
  );
}

/** In the order of their ids, which is that of their creation. */
async function insertObjects(sql: Sql, entries: readonly IndexEntry[]): Promise<Omit<StoredEntry, 'words'>[]> {
  if (entries.length === 0) return [];
  return query(
    sql,
    `insert into search_objects as o (tenant, object, words)
     select tenant, object, words from unnest($1::int4[], $2::text[], $3::text[]) as x (tenant, object, words) order by tenant, object
     returning o.tenant, o.object, o.number`,
    [tenantsOf(entries), textsOf(entries, ({ object }) => object), textsOf(entries, wordsOf)],
    'search_insert_objects',
  );
}

async function updateObjects(
  sql: Sql,
  entries: readonly IndexEntry[],
  stored: ReadonlyMap<string, StoredEntry>,
): Promise<void> {
  if (entries.length === 0) return;
  await query(
    sql,
    `update search_objects o set words = x.words from unnest($1::int4[], $2::int8[], $3::text[]) as x (tenant, number, words)
      where o.tenant = x.tenant and o.number = x.number`,
    [tenantsOf(entries), numbersOf(entries.map((entry) => stored.get(keyOf(entry))!)), textsOf(entries, wordsOf)],
    'search_update_objects',
  );
}

async function insertTerms(
  sql: Sql,
  rows: readonly TermRow[],
  onConflict: '' | 'on conflict do nothing' = '',
): Promise<void> {
  if (rows.length === 0) return;
  const text = `insert into search_terms (tenant, kind, term, number)
     select * from unnest($1::int4[], $2::text[], $3::text[], $4::int8[]) as x (tenant, kind, term, number) order by 1, 2, 3, 4
     ${onConflict}`;
  await query(sql, text, columnsOf(rows), onConflict === '' ? 'search_insert_terms' : 'search_add_terms');
}

async function deleteTerms(sql: Sql, rows: readonly TermRow[]): Promise<void> {
  if (rows.length === 0) return;
  const text = `delete from search_terms s using unnest($1::int4[], $2::text[], $3::text[], $4::int8[]) as x (tenant, kind, term, number)
     where s.tenant = x.tenant and s.kind = x.kind and s.term = x.term and s.number = x.number`;
  await query(sql, text, columnsOf(rows), 'search_delete_terms');
}

const columnsOf = (rows: readonly TermRow[]) => [
  tenantsOf(rows),
  textsOf(rows, ({ kind }) => kind),
  textsOf(rows, ({ term }) => term),
  numbersOf(rows),
];

// The driver's own arrays cost more than everything else here: an object has a dozen terms.
const tenantsOf = (rows: readonly { tenant: Tenant }[]) =>
  arrayLiteral(
    'int4',
    rows.map(({ tenant }) => tenant),
  );
const numbersOf = (rows: readonly { number: number }[]) =>
  arrayLiteral(
    'int8',
    rows.map(({ number }) => number),
  );
const textsOf = <Of>(rows: readonly Of[], text: (row: Of) => string) => arrayLiteral('text', rows.map(text));

async function deleteObjects(sql: Sql, gone: readonly StoredEntry[]): Promise<void> {
  if (gone.length === 0) return;
  await query(
    sql,
    `delete from search_objects o using unnest($1::int4[], $2::int8[]) as x (tenant, number)
      where o.tenant = x.tenant and o.number = x.number`,
    [tenantsOf(gone), numbersOf(gone)],
    'search_delete_objects',
  );
}
