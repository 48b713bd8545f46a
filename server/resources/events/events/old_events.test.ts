import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { type Connection, connect, openPool, type Pool } from '../../../base/sql.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import { createDatabase } from '../../../test/harness.ts';
import { sweep } from '../../../worker/sweep.fixture.ts';
import { events } from './index.ts';

const dayMs = 86_400_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  pool = openPool(database.address, { use: 'relaxed', connectionsMax: 2, onError: () => {} });
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await database.drop();
});

test('a sweep purges events after ninety days, or as many as are set, of every tenant, and no others', async () => {
  await sql.query(`insert into accounts (id, name, tier) values ('acct_1', 'One', 'standard')`);
  const tenants = await sql.query(
    `insert into tenants (account, mode) values ('acct_1', 'test'), ('acct_1', 'live') returning tenant`,
  );
  const now = Date.now();
  const minute = 60_000;
  const ages = [0, 30 * dayMs, 90 * dayMs - minute, 90 * dayMs + minute, 400 * dayMs];
  for (const { tenant } of tenants.rows)
    for (const age of ages)
      await sql.query(
        `insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $2, 'x', 'x', 1, '')`,
        [tenant, newId('evt', now - age)],
      );
  const old = Array.from({ length: 5_001 }, () => newId('evt', now - 200 * dayMs));
  await sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select $1, id, 'x', 'x', 1, '' from unnest($2::text[]) id`,
    [tenants.rows[0].tenant, old],
  );
  await sweep(events.maintenance!, pool);
  const left = await sql.query('select tenant, count(*) from events group by tenant order by tenant');
  expect(left.rows).toEqual(tenants.rows.map(({ tenant }) => ({ tenant, count: 3 })));

  await sweep(events.maintenance!, pool, { retention: { ...defaultRetention, eventDays: 29 } });
  const kept = await sql.query('select tenant, count(*) from events group by tenant order by tenant');
  expect(kept.rows).toEqual(tenants.rows.map(({ tenant }) => ({ tenant, count: 1 })));
});
