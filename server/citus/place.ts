import { query, type Sql } from '../base/sql.ts';
import { nodeSchema } from './homes.ts';
import type { LayoutPart } from './layout.ts';
import { quoted } from './names.ts';
import { placeRole, placeSchema, type ShardRange, shardsBeside } from './shards.ts';

/** A place as its node knows it. */
export type PlaceFacts = ShardRange & {
  /** The shard's table of payments, which is another one after the shard was away. */
  anchor: number;
  /** Of the layout. */
  version: string;
};

/** A distributed table, as it is in one place. */
export type PlacedTable = {
  name: string;
  /** Its shard. */
  shard: number;
  isPartitioned: boolean;
  columns: string[];
  /** The columns that number themselves. Shards leave that to the table which Citus plans for. */
  numbered: string[];
};

/** The tables of the places, with the shards that lie beside this one. */
export async function placedTables(sql: Sql, shard: number): Promise<PlacedTable[]> {
  return query<PlacedTable>(
    sql,
    `select c.relname as name, s.shardid as shard, c.relkind = 'p' as "isPartitioned",
            array_agg(a.attname::text order by a.attnum) as columns,
            coalesce(array_agg(a.attname::text) filter (where a.attidentity <> ''), '{}') as numbered
       from ${shardsBeside}
       join pg_class c on c.oid = p.logicalrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where anchor.shardid = $1 and not c.relispartition
      group by 1, 2, 3 order by 1`,
    [shard],
  );
}

/**
 * Looked at once a statement, as part of its plan: whoever reads a view of a place that is elsewhere by now is told so, and reads nothing
 * stale. It must refuse; without rows it would be an answer. Inserts do not look, which is what `hold` is for.
 */
function isHere({ shard, group }: ShardRange): string {
  return `(select case when exists (select from pg_catalog.pg_dist_placement where shardid = ${shard} and groupid = ${group})
                       then true else ${nodeSchema}.moved() end)`;
}

/** First, because columns that are added later come last. A partitioned table has none of its own. */
const systemColumns = 'ctid, xmin, ';

function tableView(place: ShardRange, { name, shard, isPartitioned }: PlacedTable): string {
  return `create or replace view ${quoted(name)} as
    select ${isPartitioned ? '' : systemColumns}* from public.${quoted(`${name}_${shard}`)} where ${isHere(place)}`;
}

/** The rows of this place in a table that all places of the node share. */
function nodeTableView(place: ShardRange, name: string): string {
  return `create or replace view ${quoted(name)} as
    select ${systemColumns}* from ${nodeSchema}.${quoted(name)}
     where pg_catalog.hashint4(tenant) between ${place.min} and ${place.max} and ${isHere(place)} with local check option`;
}

/** Makes a table of a place: statements to be run with its search path. */
export function tableText(place: ShardRange, table: PlacedTable): string {
  return [tableView(place, table), ...table.numbered.map((column) => numberFrom(table, column))].join(';\n');
}

/** A sequence of the place's own goes on behind what is there. The key begins with the tenant, so that each one's last number is looked up. */
function numberFrom({ name, shard }: PlacedTable, column: string): string {
  const [sequence, source] = [quoted(`${name}_${column}_numbers`), `public.${quoted(`${name}_${shard}`)}`];
  return `create sequence if not exists ${sequence};
     select setval('${sequence}', greatest(nextval('${sequence}'), (
       with recursive owners as (
         (select tenant from ${source} order by tenant limit 1)
         union all
         select (select s.tenant from ${source} s where s.tenant > o.tenant order by s.tenant limit 1)
           from owners o where o.tenant is not null)
       select max((select max(${quoted(column)}) + 1 from ${source} s where s.tenant = o.tenant)) from owners o)), false);
     alter view ${quoted(name)} alter column ${quoted(column)} set default nextval('${sequence}')`;
}

/** Sequences of a place that was made before all of its rows were there. */
export async function renumber(sql: Sql, { shard }: PlaceFacts): Promise<void> {
  const tables = await placedTables(sql, shard);
  const numbers = tables.flatMap((table) => table.numbered.map((column) => numberFrom(table, column)));
  await sql.query([`set local search_path = ${placeSchema(shard)}, ${nodeSchema}`, ...numbers].join(';\n'));
}

export function partText(place: ShardRange, { kind, name, text }: LayoutPart): string {
  if (kind === 'node table') return nodeTableView(place, name);
  return kind === 'place table' ? text : `create or replace view ${quoted(name)} as ${text}`;
}

/**
 * Every commit calls it: until its transaction ends, Citus cannot take the shard away, and when it has taken it already, nothing is
 * written. The lock first and the look in a statement after it, which sees what was committed while the lock was waited for. A tenant of
 * another place, or none, would be stored without an error, and found by nobody: that is a bug of the caller, and no move.
 */
function holdFunction(place: ShardRange): string {
  return `
    create or replace function hold(tenants int4[]) returns int4 language plpgsql volatile security definer
      set search_path = pg_catalog, pg_temp as $body$
    begin
      perform lock_shard_metadata(5, array[${place.shard}]::int8[]);
      if not exists (select from pg_dist_placement where shardid = ${place.shard} and groupid = ${place.group}) then
        perform ${nodeSchema}.moved();
      end if;
      if tenants is null or exists (select from unnest(tenants) t where t is null or hashint4(t) not between ${place.min} and ${place.max}) then
        raise exception 'a tenant of another place, or none' using errcode = 'TG002';
      end if;
      return 1;
    end $body$`;
}

const arrivals = `
  create table if not exists arrivals (first_position int8 primary key, offset_by int8 not null, arrived_at timestamptz not null)`;

/** The role has rights on what is in the schema of its place. Roles belong to the server, not to a database of it. */
export async function grantPlace(sql: Sql, shard: number): Promise<void> {
  const [schema, role] = [placeSchema(shard), placeRole(shard)];
  await sql.query(`
    do $body$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $body$;
    do $body$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then execute format('grant ${role} to %I', current_user); end if;
    end $body$;
    grant usage on schema ${schema}, ${nodeSchema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    revoke insert, update, delete on ${schema}.arrivals from ${role};
    grant usage on all sequences in schema ${schema} to ${role};
    grant select on ${nodeSchema}.migrations to ${role}`);
}

/**
 * All of a new place but its positions, in the caller's transaction: in one query, because the tenants of the place are waiting, and each of
 * a hundred would wait for its turn on a busy server.
 */
export async function makePlace(sql: Sql, place: PlaceFacts, layout: readonly LayoutPart[]): Promise<void> {
  const schema = placeSchema(place.shard);
  const tables = await placedTables(sql, place.shard);
  const statements = [
    `create schema ${schema}; set local search_path = ${schema}, ${nodeSchema}`,
    ...[holdFunction(place), arrivals],
    ...tables.map((table) => tableText(place, table)),
    ...layout.map((part) => partText(place, part)),
  ];
  await sql.query(statements.join(';\n'));
}
