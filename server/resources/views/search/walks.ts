import type { Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Sql } from '../../../base/sql.ts';
import type { Searchable } from '../../../operations/extension_points/search.ts';
import { tenantsWithEvents } from '../../../outbox/event.ts';

/** Objects of one slice, which is one transaction. */
export const objectsPerSlice = 500;
const termsPerSlice = 5_000;

/** The name of the walk over the terms themselves. No id begins so. */
const overTerms = 'terms';

/** What is gone through: the objects of a kind, or all terms, of a tenant. */
export type Walk = { tenant: Tenant; kind: string; after: string };

/** Lets everything of these tenants be gone through. A walk that is under way begins again. `isFirst`: there are no terms yet. */
export async function beginWalks(
  sql: Sql | Pool,
  kinds: readonly Searchable[],
  { tenants, isFirst = false }: { tenants: readonly Tenant[]; isFirst?: boolean },
): Promise<void> {
  const prefixes = kinds.filter(({ foundBy }) => foundBy === 'words').map(({ prefix }) => prefix);
  const names = isFirst ? prefixes : [...prefixes, overTerms];
  await query(
    sql,
    `insert into search_walks (tenant, kind, after)
     select t.tenant, k.kind, '' from unnest($2::int4[]) as t (tenant) cross join unnest($1::text[]) as k (kind) order by 1, 2
     on conflict (tenant, kind) do update set after = ''`,
    [names, tenants],
  );
}

/** Those that something has happened to lately. */
export async function tenantsOfEvents(sql: Sql): Promise<Tenant[]> {
  const found = await query<{ tenant: Tenant }>(
    sql,
    `with recursive ${tenantsWithEvents} select tenant from owner`,
    [],
  );
  return found.map(({ tenant }) => tenant);
}

/** The next one, if there is any. It does not begin again before the transaction ends: what was read of its objects may be old by then. */
export async function nextWalk(sql: Sql): Promise<Walk | undefined> {
  // The terms of a tenant last: by then every object that should be there is. The tenants first, by the primary key: there may be thousands.
  const text = `select tenant, kind, after from search_walks order by tenant, kind = '${overTerms}', kind limit 1 for update`;
  return (await query<Walk>(sql, text, [], 'search_next_walk'))[0];
}

export const isOverTerms = ({ kind }: Walk) => kind === overTerms;

/** How many walks are left. */
export async function walksLeft(pool: Sql | Pool): Promise<number> {
  return (await query<{ walks: number }>(pool, 'select count(*) as walks from search_walks', []))[0]!.walks;
}

/** Undefined: it has come to its end. */
export async function moveWalk(sql: Sql, { tenant, kind }: Walk, after: string | undefined): Promise<void> {
  if (after === undefined)
    await query(sql, 'delete from search_walks where tenant = $1 and kind = $2', [tenant, kind], 'search_end_walk');
  else
    await query(
      sql,
      'update search_walks set after = $3 where tenant = $1 and kind = $2',
      [tenant, kind, after],
      'search_move_walk',
    );
}

/** The next objects of a walk: those that exist, and those that the index has in the same range of ids. */
export async function readSlice(
  sql: Sql,
  walk: Walk,
  { table, prefix }: Searchable,
): Promise<{ ids: string[]; after: string | undefined }> {
  const range = [walk.tenant, walk.after || `${prefix}_`, `${prefix}_~`];
  const idsIn = async (name: string, column: string) => {
    const text = `select ${column} as id from ${name} where tenant = $1 and ${column} > $2 and ${column} <= $3
                   order by ${column} limit (select ${objectsPerSlice})`;
    return (await query<{ id: string }>(sql, text, range)).map(({ id }) => id);
  };
  const lists = [await idsIn(table!.name, 'id'), await idsIn('search_objects', 'object')];
  // Of a list that has more, the others have to be read up to the same place.
  const ends = lists.filter((list) => list.length === objectsPerSlice).map((list) => list.at(-1)!);
  const after = ends.sort()[0];
  const ids = new Set(lists.flat().filter((id) => after === undefined || id <= after));
  return { ids: [...ids], after };
}

/** Removes the terms of a slice that no object has. Returns where the next one begins. */
export async function sweepTerms(sql: Sql, { tenant, after }: Walk): Promise<string | undefined> {
  const [kind = '', term = '', number = '0'] = after.split(' ');
  const [slice] = await query<{ rows: number; kind: string; term: string; number: number }>(
    sql,
    `with slice as materialized (
       select s.kind, s.term, s.number from search_terms s where s.tenant = $1 and (s.kind, s.term, s.number) > ($2, $3, $4::int8)
        order by s.kind, s.term, s.number limit (select ${termsPerSlice})),
     swept as (
       delete from search_terms t using slice s
        where t.tenant = $1 and t.kind = s.kind and t.term = s.term and t.number = s.number
          and not exists (
            select from search_objects o where o.tenant = $1 and o.number = s.number
               and starts_with(o.object, s.kind || '_') and s.term = any (string_to_array(o.words, ' '))))
     select (select count(*) from slice) as rows, s.kind, s.term, s.number
       from slice s order by s.kind desc, s.term desc, s.number desc limit 1`,
    [tenant, kind, term, number],
  );
  return slice === undefined || slice.rows < termsPerSlice ? undefined : `${slice.kind} ${slice.term} ${slice.number}`;
}
