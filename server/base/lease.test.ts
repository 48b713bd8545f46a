import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../test/harness.ts';
import { type Table, table } from './commit/index.ts';
import { type Leasable, leaseDue } from './lease.ts';
import { Reads, type Tenant } from './reads.ts';
import { type Connection, connect, type Pool } from './sql.ts';

const things: Table<Leasable> = table('things', {
  int4: 'tenant version',
  text: 'id',
  timestamptz: 'due_at lease_until',
});
const many = 20_000;
const buffersMax = 10; // of some hundred
const tenant = 1 as Tenant;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query(
    `create table things (tenant int4, id text collate "C", version int4, due_at timestamptz, lease_until timestamptz, primary key (tenant, id));
     create index on things (due_at) where due_at is not null;`,
  );
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

type Explained = { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] };
type Prepared = { name: string; text: string; values: unknown[] };

/** A pool of one connection, which prepares each statement as soon as it is used. */
function preparingPool(): { pool: Pool; statements: Prepared[] } {
  const statements: Prepared[] = [];
  const query = async (statement: Prepared) => {
    statements.push(statement);
    return sql.query(statement);
  };
  return { pool: { query } as unknown as Pool, statements };
}

/** How many buffers a prepared statement reads, with the plan that PostgreSQL keeps for it. */
async function buffersOf({ name, values }: Prepared): Promise<number> {
  const literals = values.map((value) => sql.escapeLiteral(String(value)));
  const { rows } = await sql.query<Explained>(
    `explain (analyze, buffers, format json) execute ${name} (${literals.join(', ')})`,
  );
  const { Plan } = rows[0]!['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
}

test('a statement that was planned for an empty table costs the same when there are many rows', async () => {
  const { pool, statements } = preparingPool();
  await sql.query('set plan_cache_mode = force_generic_plan');
  await leaseDue(pool, things, 10, 0);
  await new Reads(pool).one(things, tenant, '7');
  await sql.query(
    `insert into things select 1, n::text, 1, null, null from generate_series(1, ${many}) n;
     insert into things select 1, 'leased ' || n, 1, now(), now() + interval '1 hour' from generate_series(1, 3) n`,
  );
  const [look, read] = statements;
  expect(await buffersOf(look!)).toBeLessThanOrEqual(buffersMax);
  expect(await buffersOf(read!)).toBeLessThanOrEqual(buffersMax);
  expect(await new Reads(pool).one(things, tenant, '7')).toMatchObject({ id: '7', version: 1 });
  expect(await leaseDue(pool, things, 10, 0)).toEqual([]);
});
