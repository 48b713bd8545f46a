import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../test/harness.ts';
import { shareOf } from '../test/torture.ts';
import { type Table, table } from './commit/index.ts';
import { FairLeases, type Shares, sharePlaces } from './fair_lease.ts';
import type { Leasable } from './lease.ts';
import { operatorPatience } from './patient_client.ts';
import type { Tenant } from './reads.ts';
import { type Connection, connect, type Pool } from './sql.ts';

const things: Table<Leasable> = table('things', {
  int4: 'tenant version',
  text: 'id',
  timestamptz: 'due_at lease_until',
});
/** Of one tenant; the next tenant's row is due after all of them. */
const many = shareOf(1_000_000, 20_000);
const tenants = 300;
const [busy, next] = [1 as Tenant, 2 as Tenant];

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
/**
 * On a separate connection: what is prepared stays prepared. Without autovacuum: it would analyze the table, and old versions of rows are
 * in the way of new ones as long as that takes, which doubles the buffers of a change.
 */
beforeEach(async () => {
  sql = await connect(database.address, 'test', operatorPatience);
  await sql.query(
    `drop table if exists things;
     create table things (tenant int4, id text collate "C", version int4, due_at timestamptz, lease_until timestamptz, primary key (tenant, id))
       with (autovacuum_enabled = off);
     create index on things (due_at) where due_at is not null;
     create index on things (tenant, due_at) where due_at is not null;`,
  );
});
afterEach(() => sql.end());

type Statement = { text: string; values: unknown[] };
type Explained = { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] };

/** A pool of one connection, which keeps the statements of the last lease. */
function recordingPool(): { pool: Pool; statements: Statement[] } {
  const statements: Statement[] = [];
  const query = async (statement: Statement) => {
    statements.push(statement);
    return sql.query(statement);
  };
  return { pool: { query } as unknown as Pool, statements };
}

/** How many buffers a statement reads. Its changes are taken back. */
async function buffersOf({ text, values }: Statement): Promise<number> {
  await sql.query('begin');
  const { rows } = await sql.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values);
  await sql.query('rollback');
  const { Plan } = rows[0]!['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
}

const shares = (each: number, running: [Tenant, number][] = []): Shares => ({ each, running: new Map(running) });

function countsOf(rows: readonly Leasable[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { tenant } of rows) counts[tenant] = (counts[tenant] ?? 0) + 1;
  return counts;
}

/** Rows of a tenant that have been due for so many seconds; in the future if negative. */
async function addDue(tenant: number, rows: number, seconds: number): Promise<void> {
  await sql.query(
    `insert into things select $1, 'due ' || n, 1, now() - make_interval(secs => $3), null from generate_series(1, $2) n`,
    [tenant, rows, seconds],
  );
}

describe('a lease', () => {
  test('takes the oldest rows, and of no tenant more than its share allows', async () => {
    await addDue(busy, 10, 60);
    await addDue(next, 3, 30);
    const leases = new FairLeases(recordingPool().pool, things);
    expect(countsOf(await leases.lease(20, shares(4, [[busy, 1]]), 0))).toEqual({ [busy]: 3, [next]: 3 });
    expect(countsOf(await leases.lease(20, shares(4, [[busy, 4]]), 0))).toEqual({});
  });

  test('finds the rows of every tenant behind a backlog of one, in turn', async () => {
    await addDue(busy, 500, 60);
    for (const tenant of [3, 4, 5, 6]) await addDue(tenant, 2, 10);
    await addDue(7, 2, -60);
    const leases = new FairLeases(recordingPool().pool, things);
    const first = await leases.lease(8, shares(4), 0);
    expect(countsOf(first)).toEqual({ [busy]: 4, 3: 1, 4: 1, 5: 1, 6: 1 });
    const second = await leases.lease(8, shares(4, [[busy, 4]]), 0);
    expect(countsOf(second)).toEqual({ 3: 1, 4: 1, 5: 1, 6: 1 });
    expect(countsOf(await leases.lease(8, shares(4, [[busy, 1]]), 0))).toEqual({ [busy]: 3 });
    expect(countsOf(await leases.lease(8, shares(4, [[busy, 4]]), 120_000))).toEqual({ 7: 2 });
  });

  test('continues after the tenant that was visited last, and comes around', async () => {
    await addDue(busy, 100, 60);
    for (let tenant = 10; tenant < 10 + tenants; tenant++) await addDue(tenant, 1, 10);
    const leases = new FairLeases(recordingPool().pool, things);
    const seen = new Set<number>();
    for (let round = 0; round < tenants / 10 + 5; round++)
      for (const { tenant } of await leases.lease(10, shares(5, [[busy, 5]]), 0)) seen.add(tenant);
    expect(seen.size).toBe(tenants);
  });

  test('with a backlog costs the same however many rows of one tenant are due, also before the table is analyzed', async () => {
    const { pool, statements } = recordingPool();
    await sql.query(
      `insert into things select ${busy}, n::text, 1, null, null from generate_series(1, ${many}) n;
       insert into things select ${busy}, 'due ' || n, 1, now() - interval '1 hour', null from generate_series(1, ${many}) n;
       insert into things select ${busy}, 'leased ' || n, 1, now() - interval '2 hours', now() + interval '1 hour' from generate_series(1, 64) n;
       insert into things select n, 'later', 1, now() + interval '1 day', null from generate_series(3, ${tenants}) n`,
    );
    await addDue(next, 1, 1);
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql.query('analyze things');
      await sql.query(`update things set lease_until = null where id like 'due %' and lease_until is not null`);
      statements.length = 0;
      const fresh = new FairLeases(pool, things);
      expect(countsOf(await fresh.lease(64, shares(32), 0))).toEqual({ [busy]: 32, [next]: 1 });
      const [look, oldest, tenantsDue, ...more] = statements;
      expect(more).toHaveLength(2); // the other tenants, and a lease
      const costs: [Statement, number][] = [
        [look!, 10 + 64],
        [oldest!, 5 * 64 + 128], // 64 rows, which are locked, and half of which are changed; 64 are leased
        [tenantsDue!, 2 * 4 * 256 + 200], // two looks at the index for each tenant, and the share of the first
        [more[1]!, 5 * 33 + 128],
      ];
      for (const [statement, buffersMax] of costs) {
        const buffers = await buffersOf(statement);
        if (process.env.SHOW) console.log(isAnalyzed, buffers, buffersMax);
        expect(buffers, statement.text).toBeLessThanOrEqual(buffersMax);
      }
    }
  });
});

test('places go to the tenants with the fewest jobs first', () => {
  const found = [1, 2, 3].map((tenant) => ({ tenant: tenant as Tenant, due: tenant === 3 ? 1 : 9 }));
  const placesOf = (limit: number, running: [number, number][] = []) =>
    Object.fromEntries(sharePlaces(found, limit, shares(4, running as [Tenant, number][])));
  expect(placesOf(2)).toEqual({ 1: 1, 2: 1 });
  expect(placesOf(20)).toEqual({ 1: 4, 2: 4, 3: 1 });
  expect(placesOf(3, [[1, 3]])).toEqual({ 2: 2, 3: 1 });
  expect(placesOf(20, [[1, 9]])).toEqual({ 2: 4, 3: 1 });
});
