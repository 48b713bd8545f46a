import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Tenant } from '../../../../base/reads.ts';
import { type Connection, connect, type DatabaseAddress, openPool, type Pool } from '../../../../base/sql.ts';
import { createDatabase } from '../../../../test/harness.ts';
import { failingSince, noteFailure, noteSuccess } from './health.ts';

const [tenant, other] = [1 as Tenant, 2 as Tenant];
const endpoint = 'we_one';
const moment = new Date('2026-01-01');

let address: DatabaseAddress;
let drop: () => Promise<void>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  const database = await createDatabase();
  ({ address, drop } = database);
  sql = await connect(address, 'test');
  pool = openPool(address, { use: 'relaxed', connectionsMax: 2, onError: () => {} });
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await drop();
});
beforeEach(async () => {
  await sql.query('truncate webhook_endpoints, webhook_health');
  await sql.query(
    `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret)
     values ($1, $2, 1, 'https://example.com', '["*"]', 'enabled', '{}', 1)`,
    [tenant, endpoint],
  );
});

const rows = async () => (await sql.query('select tenant, endpoint, failing_since from webhook_health')).rows;

test('an endpoint is failing since its first failure after the last success', async () => {
  await noteFailure(pool, tenant, endpoint, moment);
  await noteFailure(pool, tenant, endpoint, new Date());
  expect(await failingSince(pool, tenant, endpoint)).toBe(moment.getTime());
  await noteSuccess(pool, tenant, endpoint);
  expect(await failingSince(pool, tenant, endpoint)).toBeUndefined();
});

test('no failure is noted for an endpoint that was deleted, or is of another tenant', async () => {
  await noteFailure(pool, tenant, 'we_gone', moment);
  await noteFailure(pool, other, endpoint, moment);
  expect(await rows()).toEqual([]);
});

test('no failure remains of an endpoint that is being deleted', async () => {
  const owner = await connect(address, 'test');
  onTestFinished(() => owner.end());
  await owner.query('begin; delete from webhook_health; delete from webhook_endpoints');
  const noting = noteFailure(pool, tenant, endpoint, moment);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await sql.query(waiting)).rows).toHaveLength(1);
  await owner.query('commit');
  await noting;
  expect(await rows()).toEqual([]);
});

test('the failure of an endpoint that its owner is updating is noted without waiting', async () => {
  const owner = await connect(address, 'test');
  onTestFinished(() => owner.end());
  await owner.query('begin; update webhook_endpoints set version = version + 1');
  await noteFailure(pool, tenant, endpoint, moment);
  await owner.query('rollback');
  expect(await rows()).toEqual([{ tenant, endpoint, failing_since: moment }]);
});
