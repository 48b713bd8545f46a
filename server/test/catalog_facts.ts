import type { Connection } from '../base/sql.ts';

/**
 * A schema as the catalogs of PostgreSQL describe it, one line for each fact, in the order of the alphabet. The order of columns is left
 * out: every statement names its columns. So are partitions, which servers make, and the table of migrations.
 */
export async function catalogFacts(client: Connection): Promise<string[]> {
  const lines: string[] = [];
  for (const sql of [
    relations,
    columns,
    constraints,
    indexes,
    indexOrder,
    sequences,
    otherObjects,
    privileges,
    comments,
  ]) {
    const { rows } = await client.query<{ line: string }>(`${ours} ${sql}`);
    lines.push(...rows.map(({ line }) => line));
  }
  return [...lines, ...(await initialRows(client))].map((line) => line.replaceAll(/\s+/g, ' ')).sort();
}

const ours = `
  with spaces as (
    select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  ours as (
    select oid::regclass::text as name, * from pg_class
     where relnamespace in (select oid from spaces) and not relispartition and relname not like 'migrations%')`;

const relations = `
  select concat_ws(' ',
           case relpersistence when 'u' then 'unlogged' end,
           case relkind when 'r' then 'table' when 'p' then 'partitioned table' else 'view' end,
           name, reloptions::text, pg_get_partkeydef(o.oid),
           case relkind when 'v' then pg_get_viewdef(o.oid) end,
           (select 'toast ' || t.reloptions::text from pg_class t where t.oid = o.reltoastrelid),
           case when relrowsecurity then 'row security' end) as line
    from ours o where relkind in ('r', 'p', 'v')`;

const columns = `
  select concat_ws(' ', 'column', name || '.' || attname, format_type(atttypid, atttypmod),
           case when attcollation not in (0, 100) then 'collate ' || attcollation::regcollation end,
           case when attnotnull then 'not null' end,
           'default ' || pg_get_expr(adbin, adrelid),
           'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''),
           case when attstorage <> typstorage then 'storage ' || attstorage::text end,
           'compression ' || nullif(attcompression::text, ''),
           'statistics ' || nullif(attstattarget, -1), attoptions::text) as line
    from ours o join pg_attribute a on a.attrelid = o.oid and attnum > 0 and not attisdropped
    join pg_type t on t.oid = atttypid
    left join pg_attrdef d on d.adrelid = o.oid and d.adnum = attnum
   where relkind in ('r', 'p', 'v')`;

/** Without those of columns that are not null: before PostgreSQL 18 they were no constraints. */
const constraints = `
  select concat_ws(' ', 'constraint', name || '.' || conname, pg_get_constraintdef(c.oid)) as line
    from ours o join pg_constraint c on c.conrelid = o.oid and contype <> 'n'`;

const indexes = `
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), case when not indisvalid then 'invalid' end) as line
    from ours o join pg_index i on i.indrelid = o.oid`;

/** Of two indexes that cost the same, the planner takes one by the order in which they were created. */
const indexOrder = `
  select concat_ws(' ', 'order of the indexes of', name, string_agg(indexrelid::regclass::text, ' ' order by indexrelid)) as line
    from ours o join pg_index i on i.indrelid = o.oid group by name`;

const sequences = `
  select concat_ws(' ', 'sequence', name, format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
           (select deptype::text || ' ' || refobjid::regclass from pg_depend
             where objid = o.oid and refclassid = 'pg_class'::regclass and refobjsubid > 0)) as line
    from ours o join pg_sequence s on s.seqrelid = o.oid`;

/** What the schema has none of: one that appears is a fact as well. */
const otherObjects = `
  select 'schema ' || nspname as line from pg_namespace where oid in (select oid from spaces)
  union all select 'function ' || oid::regprocedure from pg_proc where pronamespace in (select oid from spaces)
  union all select 'type ' || oid::regtype from pg_type
             where typnamespace in (select oid from spaces) and typtype in ('d', 'e', 'r', 'm')
  union all select 'trigger ' || tgname from pg_trigger where not tgisinternal
  union all select 'rule ' || rulename from pg_rewrite join ours o on o.oid = ev_class and rulename <> '_RETURN'
  union all select 'policy ' || polname from pg_policy
  union all select 'statistics ' || stxname from pg_statistic_ext
  union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'`;

const privileges = `
  select 'privileges of ' || name || ' ' || relacl::text as line from ours where relacl is not null
  union all select 'privileges of ' || name || '.' || attname || ' ' || attacl::text
              from ours o join pg_attribute a on a.attrelid = o.oid and attacl is not null
  union all select 'privileges of the schema ' || nspname || ' ' || nspacl::text
              from pg_namespace where oid in (select oid from spaces) and nspacl is not null and nspname <> 'public'
  union all select 'default privileges ' || defaclacl::text from pg_default_acl`;

const comments = `
  select concat_ws(' ', 'comment on', name || coalesce('.' || attname, ''), description) as line
    from ours o join pg_description d on d.objoid = o.oid and d.classoid = 'pg_class'::regclass
    left join pg_attribute a on a.attrelid = o.oid and a.attnum = d.objsubid and d.objsubid > 0`;

async function initialRows(client: Connection): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `${ours} select name from ours where relkind in ('r', 'p')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`select to_jsonb(t)::text as line from ${name} t`);
    found.push(...rows.map(({ line }) => `row of ${name} ${line}`));
  }
  return found;
}
