import { type Connection, query, type Sql, transaction } from '../base/sql.ts';
import { directorySchema, nodeSchema, sharedTables } from './homes.ts';
import { quoted } from './names.ts';
import { anchorTable } from './shards.ts';
import { splitShared } from './shared.ts';
import { hasTable, type TenantTable, tenantTables } from './tables.ts';

/** One step of the way from one PostgreSQL to a cluster. What it does is committed together with its name. */
export type DistributionStep = { name: string; run: (sql: Sql) => Promise<void> };

const anchor = anchorTable.replace('public.', '');
const complete = 'complete';
const record = `${nodeSchema}.distribution`;
const counts = `${nodeSchema}.distribution_rows`;

/** plain: nothing was begun. unfinished: tables are in between, and no server may use them. */
export type DistributionState = 'plain' | 'unfinished' | 'distributed';

export async function distributionState(sql: Sql): Promise<DistributionState> {
  const done = await doneSteps(sql);
  if (done === undefined || done.size === 0) return 'plain';
  return done.has(complete) ? 'distributed' : 'unfinished';
}

async function doneSteps(sql: Sql): Promise<Set<string> | undefined> {
  if (!(await hasTable(sql, record))) return undefined;
  const rows = await query<{ step: string }>(sql, `select step from ${record}`, []);
  return new Set(rows.map(({ step }) => step));
}

/**
 * Distributes the tables of tenants over the workers, step by step; a run that was interrupted goes on with the step that it was at. The
 * connection is the owner's, at the coordinator, and no server is connected.
 */
export async function distribute(
  sql: Connection,
  shards: number,
  onStep: (done: number, total: number, name: string) => void = () => {},
): Promise<void> {
  await transaction(sql, async () => {
    await sql.query(`set local citus.enable_ddl_propagation = off; create schema if not exists ${nodeSchema};
      create table if not exists ${record} (step text primary key, done_at timestamptz not null default now())`);
  });
  const done = (await doneSteps(sql))!;
  const steps = stepsOf(await tenantTables(sql), shards);
  for (const [at, { name, run }] of steps.entries()) {
    onStep(at, steps.length, name);
    if (done.has(name)) continue;
    await transaction(sql, async () => {
      await run(sql);
      await sql.query(`insert into ${record} (step) values ($1)`, [name]);
    });
  }
  onStep(steps.length, steps.length, complete);
}

/** The names do not depend on how far an earlier run has come. */
function stepsOf(tables: readonly TenantTable[], shards: number): DistributionStep[] {
  const others = tables.filter(({ name }) => name !== anchor);
  const step = (name: string, run: DistributionStep['run']) => ({ name, run });
  return [
    step('count rows', (sql) => countRows(sql, tables)),
    ...Object.keys(sharedTables).map((name) => step(`directory.${name}`, (sql) => splitShared(sql, name))),
    ...tables.map((table) => step(`keys of ${table.name}`, (sql) => fitKeys(sql, table))),
    step(`distribute ${anchor}`, (sql) => distributeAnchor(sql, shards)),
    ...others.map(({ name }) => step(`distribute ${name}`, (sql) => distributeTable(sql, name))),
    ...tables.map(({ name }) => step(`empty ${name}`, (sql) => emptyLocal(sql, name))),
    step('positions', (sql) => dropPositionDefault(sql)),
  ];
}

/** Gives places the tables that a migration has made since they were distributed. Its connection is in a transaction, or nothing else is meant. */
export async function distributeNew(sql: Sql): Promise<void> {
  for (const table of await tenantTables(sql)) {
    if (table.isDistributed) continue;
    await fitKeys(sql, table);
    await distributeTable(sql, table.name);
    await emptyLocal(sql, table.name);
  }
  await dropPositionDefault(sql);
}

/** Called when the nodes are prepared, too: from now on servers may use the tables. */
export async function finishDistribution(sql: Sql): Promise<void> {
  await sql.query(`insert into ${record} (step) values ($1) on conflict do nothing`, [complete]);
}

/** What each table is to have at the end, at the places and in the directory. */
async function countRows(sql: Sql, tables: readonly TenantTable[]): Promise<void> {
  await sql.query(`set local citus.enable_ddl_propagation = off;
    create table ${counts} (name text primary key, rows int8 not null)`);
  const count = (name: string, table: string, where = 'true') =>
    sql.query(`insert into ${counts} select $1, count(*) from public.${quoted(table)} where ${where}`, [name]);
  for (const { name } of tables) await count(`public.${name}`, name, sharedTables[name]?.places);
  for (const [name, { directory }] of Object.entries(sharedTables))
    await count(`${directorySchema}.${name}`, name, directory);
}

export type RowCount = { table: string; before: number; after: number };

/** The rows of each table before it was distributed, and now. */
export async function compareRows(sql: Sql): Promise<RowCount[]> {
  const found = await query<{ name: string; rows: number }>(sql, `select name, rows from ${counts} order by name`, []);
  const compared: RowCount[] = [];
  for (const { name, rows } of found) {
    const [schema, table] = name.split('.') as [string, string];
    const [now] = await query<{ rows: number }>(sql, `select count(*) as rows from ${schema}.${quoted(table)}`, []);
    compared.push({ table: name, before: rows, after: now!.rows });
  }
  return compared;
}

/** Each server sees its own rows alone: a key has to begin with the tenant, and a foreign key has to stay within it. */
async function fitKeys(sql: Sql, { name, isNullable, looseKeys, crossing }: TenantTable): Promise<void> {
  const table = `public.${quoted(name)}`;
  for (const foreign of crossing)
    await sql.query(`alter table public.${quoted(foreign.table)} drop constraint ${quoted(foreign.name)}`);
  if (isNullable) await sql.query(`alter table ${table} alter column tenant set not null`);
  for (const key of looseKeys) {
    const columns = key.columns.map(quoted).join(', ');
    if (!key.isConstraint)
      await sql.query(
        `drop index public.${quoted(key.name)}; create index ${quoted(key.name)} on ${table} (${columns})`,
      );
    else
      await sql.query(`alter table ${table} drop constraint ${quoted(key.name)},
        add constraint ${quoted(key.name)} ${key.isPrimary ? 'primary key' : 'unique'} (tenant, ${columns})`);
  }
}

async function distributeAnchor(sql: Sql, shards: number): Promise<void> {
  const text = `select create_distributed_table($1, 'tenant', colocate_with => 'none', shard_count => $2)`;
  await sql.query(text, [anchorTable, shards]);
}

async function distributeTable(sql: Sql, name: string): Promise<void> {
  const text = `select create_distributed_table($1, 'tenant', colocate_with => $2)`;
  await sql.query(text, [`public.${quoted(name)}`, anchorTable]);
}

/** The rows are on the workers now; the coordinator has kept them until here. */
async function emptyLocal(sql: Sql, name: string): Promise<void> {
  await sql.query('select truncate_local_data_after_distributing_table($1)', [`public.${quoted(name)}`]);
}

/** An insert that goes past a place would be numbered by another server's transactions, and never be sealed: without a default it fails. */
async function dropPositionDefault(sql: Sql): Promise<void> {
  const rows = await query<{ name: string }>(
    sql,
    `select c.relname as name from pg_attrdef d join pg_class c on c.oid = d.adrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
      where c.relnamespace = 'public'::regnamespace and a.attname = 'position' and pg_get_expr(d.adbin, d.adrelid) like '%pg_current_xact_id%'`,
    [],
  );
  for (const { name } of rows) await sql.query(`alter table public.${quoted(name)} alter column position drop default`);
}
