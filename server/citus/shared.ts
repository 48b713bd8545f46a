import { query, type Sql } from '../base/sql.ts';
import { directorySchema, sharedTables } from './homes.ts';
import { quoted } from './names.ts';

/** Tables that the directory has beside those of the places: how they are made, and how a migration of those changes them too. */

/**
 * A table of the directory's own, with the rows that belong to it. Its indexes have the names of the others, so that a statement of a
 * migration can be run on either.
 */
export async function splitShared(sql: Sql, name: string): Promise<void> {
  const { directory, places } = sharedTables[name]!;
  const own = `${directorySchema}.${quoted(name)}`;
  const source = `public.${quoted(name)}`;
  await sql.query(`set local citus.enable_ddl_propagation = off; create schema if not exists ${directorySchema}`);
  const partitions = await partitionsOf(sql, source);
  const range = partitions === undefined ? '' : ` partition by ${partitions.key}`;
  await sql.query(`create table ${own} (like ${source} including all excluding indexes)${range}`);
  for (const { name: part, bounds } of partitions?.parts ?? [])
    await sql.query(`create table ${directorySchema}.${quoted(part)} partition of ${own} ${bounds}`);
  await sql.query(`insert into ${own} overriding system value select * from ${source} where ${directory}`);
  await sql.query(`delete from ${source} where not (${places})`);
  for (const text of await indexTexts(sql, source, own)) await sql.query(text);
  for (const column of await numberedColumns(sql, own))
    await sql.query(
      `select setval(pg_get_serial_sequence('${own}', '${column}'), (select coalesce(max(${quoted(column)}), 0) + 1 from ${own}), false)`,
    );
}

async function partitionsOf(sql: Sql, table: string) {
  const [found] = await query<{ key: string | null; parts: { name: string; bounds: string }[] }>(
    sql,
    `select pg_get_partkeydef(c.oid) as key,
            (select coalesce(json_agg(json_build_object('name', p.relname, 'bounds', pg_get_expr(p.relpartbound, p.oid))), '[]')
               from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid) as parts
       from pg_class c where c.oid = $1::regclass`,
    [table],
  );
  return found!.key === null ? undefined : { key: found!.key, parts: found!.parts };
}

async function indexTexts(sql: Sql, source: string, own: string): Promise<string[]> {
  const rows = await query<{ name: string; definition: string; key: string | null }>(
    sql,
    `select n.relname as name, pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(k.oid) as key
       from pg_index i join pg_class n on n.oid = i.indexrelid
       left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
      where i.indrelid = $1::regclass order by i.indexrelid`,
    [source],
  );
  return rows.map(({ name, definition, key }) => {
    if (key !== null) return `alter table ${own} add constraint ${quoted(name)} ${key}`;
    return definition.replace(` ON ONLY ${source} `, ` ON ${source} `).replace(` ON ${source} `, ` ON ${own} `);
  });
}

async function numberedColumns(sql: Sql, table: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    sql,
    `select attname as name from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/**
 * After a statement of a migration. It names tables as one PostgreSQL has them, and finds those of the places. Where those differ from the
 * directory's now, the statement is run once more, on them.
 */
export async function changeShared(sql: Sql, run: () => Promise<unknown>): Promise<void> {
  for (const name of await tablesToSplit(sql)) await splitShared(sql, name);
  if ((await differing(sql)).length === 0) return;
  await sql.query(`set search_path = ${directorySchema}, public`);
  try {
    await run();
  } finally {
    await sql.query('reset search_path').catch(() => {}); // a transaction that has failed takes it back itself
  }
  const left = await differing(sql);
  if (left.length > 0)
    throw new Error(
      `${left.join(', ')} of the directory cannot be changed by the statement that has changed those of the places`,
    );
}

async function tablesToSplit(sql: Sql): Promise<string[]> {
  const rows = await query<{ name: string }>(
    sql,
    `select name from unnest($1::text[]) name
      where to_regclass('public.' || name) is not null and to_regclass('${directorySchema}.' || name) is null`,
    [Object.keys(sharedTables)],
  );
  return rows.map(({ name }) => name);
}

/** What migrations change of a table. That of the places has no tenant that is null, and keys that begin with it. */
const shape = (schema: string) => `
  select array_agg(fact order by fact) as facts from (
    select concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid),
                     a.attnotnull and a.attname <> 'tenant') as fact
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = to_regclass('${schema}.' || name) and a.attnum > 0 and not a.attisdropped
    union all
    select concat_ws(' ', 'index', c.relname, i.indisvalid) from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = to_regclass('${schema}.' || name)
    union all
    select concat_ws(' ', 'check', conname, convalidated) from pg_constraint
     where contype = 'c' and conrelid = to_regclass('${schema}.' || name)) facts`;

async function differing(sql: Sql): Promise<string[]> {
  const rows = await query<{ name: string }>(
    sql,
    `select name from unnest($1::text[]) name, lateral (${shape('public')}) ours, lateral (${shape(directorySchema)}) theirs
      where ours.facts is distinct from theirs.facts`,
    [Object.keys(sharedTables)],
  );
  return rows.map(({ name }) => `${directorySchema}.${name}`);
}
