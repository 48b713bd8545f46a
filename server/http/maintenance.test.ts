import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Connection, connect, openPool, type Pool } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { sweep } from '../worker/sweep.fixture.ts';
import { httpMaintenance } from './maintenance.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  pool = openPool(database.address, { use: 'relaxed', connectionsMax: 4, onError: () => {} });
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await database.drop();
});

describe('a sweep', () => {
  test('deletes idempotency keys and used signatures that have expired by the clock of the database', async () => {
    await sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, expires_at)
       select 1, 'key ' || n, '', 'x', 'req', 200, '', now() + make_interval(secs => case when n <= 6000 then -n else n end)
         from generate_series(1, 6010) n`,
    );
    await sql.query(
      `insert into used_signatures (tenant, signature, request_id, expires_at)
       values (1, '\\x01', 'req', now() - interval '1 second'), (1, '\\x02', 'req', now() + interval '1 hour')`,
    );
    await sweep(httpMaintenance, pool);
    expect((await sql.query('select count(*) from idempotency')).rows[0].count).toBe(10);
    expect((await sql.query(`select encode(signature, 'hex') as signature from used_signatures`)).rows).toEqual([
      { signature: '02' },
    ]);
  });

  test('skips rows that are locked, and deletes them in the next sweep', async () => {
    await sql.query(`truncate idempotency`);
    await sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, expires_at)
       select 1, 'key ' || n, '', 'x', 'req', 200, '', now() - interval '1 second' from generate_series(1, 3) n`,
    );
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(`select 1 from idempotency where key = 'key 2' for update`);
    await sweep(httpMaintenance, pool);
    expect((await sql.query('select key from idempotency')).rows).toEqual([{ key: 'key 2' }]);
    await holder.query('rollback');
    await sweep(httpMaintenance, pool);
    expect((await sql.query('select key from idempotency')).rows).toEqual([]);
  });
});
