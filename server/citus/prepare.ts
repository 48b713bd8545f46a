import { createHash } from 'node:crypto';
import { query, type Sql, transaction } from '../base/sql.ts';
import { nodeSchema } from './homes.ts';
import { columnFacts, columnTables, type LayoutPart, readLayout } from './layout.ts';
import { quoted } from './names.ts';
import { hasTable } from './tables.ts';

/** Of the advisory locks with which only one process at a time makes things on a node. */
const nodeLock = 0x70_11_0d_e5;

/** Until the end of the transaction. Two at once would change the rights on what all places of a node share, and the second would fail. */
export async function lockNode(sql: Sql): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(${nodeLock})`);
}

/** What is refused because the tenants of a place are on another server by now. */
const functions = `
  create or replace function ${nodeSchema}.moved() returns bool language plpgsql volatile as $body$
  begin
    raise exception 'these tenants have moved to another place' using errcode = 'TG001';
  end $body$`;

const tables = `
  create table if not exists ${nodeSchema}.migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null, rolling bool not null);
  create table if not exists ${nodeSchema}.layout (
    position int4 primary key, kind text not null, name text not null, text text not null, columns json not null, version text not null);
  create table if not exists ${nodeSchema}.places (
    shard int8 primary key, anchor oid not null, layout text not null, arrived_at timestamptz)`;

/** What a node needs, as the coordinator has it. */
export type NodeFacts = {
  migrations: { name: string; checksum: string; applied_at: Date; rolling: boolean }[];
  layout: LayoutPart[];
};

export async function readNodeFacts(coordinator: Sql): Promise<NodeFacts> {
  const migrations = await query<NodeFacts['migrations'][0]>(
    coordinator,
    'select name, checksum, applied_at, rolling from public.migrations order by name',
    [],
  );
  return { migrations, layout: await readLayout(coordinator) };
}

/** Whether places can be made on a node. */
export function isPrepared(sql: Sql): Promise<boolean> {
  return hasTable(sql, `${nodeSchema}.layout`);
}

/**
 * Gives a node what places on it need, and makes that again as it is now: after a migration, and when the node was added. Repeatable, also by
 * several processes at the same time.
 */
export async function prepareNode(sql: Sql, facts: NodeFacts): Promise<void> {
  await transaction(sql, async () => {
    await sql.query('set local citus.enable_ddl_propagation = off');
    await lockNode(sql);
    await sql.query(`create schema if not exists ${nodeSchema}`);
    await sql.query(`${functions};${tables}`);
    for (const part of facts.layout) if (part.kind === 'node table') await makeNodeTable(sql, part);
    await writeMigrations(sql, facts.migrations);
    await writeLayout(sql, facts.layout);
  });
}

async function makeNodeTable(sql: Sql, part: LayoutPart): Promise<void> {
  const table = `${nodeSchema}.${quoted(part.name)}`;
  if (!(await fitColumns(sql, table, part.columns))) await sql.query(part.text);
}

/**
 * Gives a table the columns that it is to have now; false if there is no table. Its rows are about the server or the place, and there are few:
 * no server is connected where a type changes.
 */
export async function fitColumns(sql: Sql, table: string, columns: LayoutPart['columns']): Promise<boolean> {
  const found = await query<Pick<LayoutPart['columns'][0], 'name' | 'type' | 'isRequired' | 'default'>>(
    sql,
    `select ${columnFacts} from ${columnTables} where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  if (found.length === 0) return false;
  const alter = (what: string) => sql.query(`alter table ${table} ${what}`);
  for (const { name } of found)
    if (!columns.some((column) => column.name === name)) await alter(`drop column ${quoted(name)}`);
  for (const { definition, ...wanted } of columns) {
    const [own, column] = [found.find(({ name }) => name === wanted.name), quoted(wanted.name)];
    if (own === undefined) await alter(`add column ${column} ${definition}`);
    else {
      if (own.type !== wanted.type) {
        await alter(`alter column ${column} drop default`); // which may have no cast
        await alter(`alter column ${column} type ${wanted.type} using ${column}::${wanted.type.split(' collate ')[0]}`);
        own.default = null;
      }
      if (own.default !== wanted.default)
        await alter(
          `alter column ${column} ${wanted.default === null ? 'drop default' : `set default ${wanted.default}`}`,
        );
      if (own.isRequired !== wanted.isRequired)
        await alter(`alter column ${column} ${wanted.isRequired ? 'set' : 'drop'} not null`);
    }
  }
  return true;
}

/** The columns of a table or view; none if it does not exist. */
export async function columnsOf(sql: Sql, relation: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    sql,
    `select attname as name from pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [relation],
  );
  return rows.map(({ name }) => name);
}

/** A copy: each new connection reads it, and the coordinator may be away. */
async function writeMigrations(sql: Sql, migrations: NodeFacts['migrations']): Promise<void> {
  const known = await query<{ name: string }>(sql, `select name from ${nodeSchema}.migrations`, []);
  const names = new Set(known.map(({ name }) => name));
  if (names.size === migrations.length && migrations.every(({ name }) => names.has(name))) return;
  await sql.query(`delete from ${nodeSchema}.migrations`);
  for (const { name, checksum, applied_at, rolling } of migrations)
    await sql.query(
      `insert into ${nodeSchema}.migrations (name, checksum, applied_at, rolling) values ($1, $2, $3, $4)`,
      [name, checksum, applied_at, rolling],
    );
}

/** The version tells places that they were made by another layout. */
async function writeLayout(sql: Sql, layout: readonly LayoutPart[]): Promise<void> {
  const [shells] = await query<{ columns: string }>(
    sql,
    `select coalesce(string_agg(c.relname || '.' || a.attname, ',' order by c.relname, a.attnum), '') as columns
       from pg_catalog.pg_dist_partition p join pg_class c on c.oid = p.logicalrelid join pg_attribute a on a.attrelid = c.oid
      where not c.relispartition and a.attnum > 0 and not a.attisdropped`,
    [],
  );
  const version = createHash('sha256')
    .update(JSON.stringify([layout, shells!.columns]))
    .digest('hex')
    .slice(0, 16);
  const [known] = await query<{ version: string }>(sql, `select version from ${nodeSchema}.layout limit 1`, []);
  if (known?.version === version) return;
  await sql.query(`delete from ${nodeSchema}.layout`);
  for (const [at, { kind, name, text, columns }] of layout.entries())
    await sql.query(
      `insert into ${nodeSchema}.layout (position, kind, name, text, columns, version) values ($1, $2, $3, $4, $5, $6)`,
      [at, kind, name, text, JSON.stringify(columns), version],
    );
}
