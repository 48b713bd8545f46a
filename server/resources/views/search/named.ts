import type { Searchable } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { type FoundIds, newestFirst, readMax, type Search } from './candidates.ts';
import { fieldsWith } from './documents.ts';
import { isAnyWanted } from './operators.ts';
import { rowsPerWordMax } from './store.ts';
import { termsOf } from './terms.ts';

const idStart = /^([a-z]{2,8})_([0-9A-Za-z]{0,22})$/;

/** Objects that a text names: by the beginning of an id, or in a way that the kind itself reads, such as the reference of a processor. */
export async function namedBy(search: Search, kind: Searchable, q: string): Promise<FoundIds> {
  if (isAnyWanted(search.operators) || search.query.phrases.length > 0) return { ids: [], isCut: false };
  const [started, exact] = await Promise.all([
    startingSo(search, kind),
    kind.exact?.(search.context, termsOf(q), rowsPerWordMax) ?? [],
  ]);
  return { ids: newestFirst([...new Set([...started.ids, ...exact])]), isCut: started.isCut };
}

/** The beginning of an id is a word as any other, but ids are not folded, and the primary key has them. */
async function startingSo({ context, query }: Search, kind: Searchable): Promise<FoundIds> {
  const { words } = query;
  const word = words.find(({ written }) => idStart.exec(written)?.[1] === kind.prefix);
  if (word === undefined) return { ids: [], isCut: false };
  const others = words.filter((other) => other !== word);
  const limit = others.length > 0 ? readMax : rowsPerWordMax;
  const ids = await idsFrom(context, kind, word.written, limit + 1);
  const isCut = ids.length > limit;
  if (others.length === 0) return { ids: ids.slice(0, limit), isCut };
  const documents = await kind.load(context, ids.slice(0, limit));
  const fitting = [...documents].filter(([, document]) =>
    others.every((other) => fieldsWith(document, other).length > 0),
  );
  return { ids: fitting.map(([id]) => id), isCut };
}

async function idsFrom(
  { reads, tenant }: Context,
  { table }: Searchable,
  start: string,
  limit: number,
): Promise<string[]> {
  if (table === undefined) return [start];
  const rows = await reads.rows<{ id: string }>(
    `select id from ${table.name} t where t.tenant = $1 and t.id >= $2 and t.id <= $2 || '~'
      order by t.tenant desc, t.id desc limit (select $3::int4)`,
    [tenant, start, limit],
  );
  return rows.map(({ id }) => id);
}
