import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { type Connection, connect, openPool, type Pool } from '../../../base/sql.ts';
import { createDatabase } from '../../../test/harness.ts';
import { sweep } from '../../../worker/sweep.fixture.ts';
import { webhookEndpoints } from './index.ts';

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

describe('a sweep', () => {
  test('destroys secrets whose overlap is over, and skips endpoints that are locked', async () => {
    await sql.query(`insert into vault_keys (tenant, version, master, wrapped) values (1, 1, 'x', '')`);
    await sql.query(
      `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret, previous_until)
       select 1, id, 1, 'https://example.com/' || id, '["*"]', 'enabled', '{}', 2, until
         from (values ('we_over', now()), ('we_held', now()), ('we_not_yet', now() + interval '1 hour')) as x (id, until)`,
    );
    await sql.query(
      `insert into vault_secrets (tenant, id, key_version, sealed)
       select 1, id || '/' || n, 1, '' from webhook_endpoints, generate_series(1, 2) n`,
    );
    const secrets = async () => (await sql.query('select id from vault_secrets order by id')).rows.map(({ id }) => id);
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(`select 1 from webhook_endpoints where id = 'we_held' for update`);
    await sweep(webhookEndpoints.maintenance!, pool);
    expect(await secrets()).toEqual(['we_held/1', 'we_held/2', 'we_not_yet/1', 'we_not_yet/2', 'we_over/2']);
    await holder.query('rollback');
    await sweep(webhookEndpoints.maintenance!, pool);
    expect(await secrets()).toEqual(['we_held/2', 'we_not_yet/1', 'we_not_yet/2', 'we_over/2']);
    const { rows } = await sql.query(
      'select id, version, previous_until is null as alone from webhook_endpoints order by id',
    );
    expect(rows).toEqual([
      { id: 'we_held', version: 2, alone: true },
      { id: 'we_not_yet', version: 1, alone: false },
      { id: 'we_over', version: 2, alone: true },
    ]);
  });

  test('cancels the pending deliveries of a deleted endpoint', async () => {
    const id = newId('whd', Date.now());
    await sql.query(
      `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       values (1, $1, 1, 'evt_one', 'we_deleted', 'pending', 1, now() + interval '1 hour')`,
      [id],
    );
    await sweep(webhookEndpoints.maintenance!, pool);
    const { rows } = await sql.query('select state, due_at from deliveries where id = $1', [id]);
    expect(rows).toEqual([{ state: 'canceled', due_at: null }]);
  });
});
