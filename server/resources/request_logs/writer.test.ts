import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../../base/sql.ts';
import { createDatabase } from '../../test/harness.ts';
import { defaultRetention } from '../retention.ts';
import { keepPartitions } from './partitions.ts';
import { type AnsweredRequest, RequestLog } from './writer.ts';

describe('the request log', () => {
  const tenant = 7 as Tenant;
  const now = Date.now();
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let sql: Connection;
  let pool: Pool;
  let log: RequestLog;
  let dropped = 0;

  beforeAll(async () => {
    database = await createDatabase();
    sql = await connect(database.address, 'test');
    pool = openPool(database.address, { use: 'relaxed', connectionsMax: 2, onError: () => {} });
    await keepPartitions(pool, defaultRetention);
  });
  afterAll(async () => {
    await pool.end();
    await sql.end();
    await database.drop();
  });
  beforeEach(async () => {
    await sql.query('truncate requests');
    dropped = 0;
    // The timer of this log is stopped: only explicit flushes write.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    log = new RequestLog(pool, (entries) => {
      dropped += entries;
    });
    vi.useRealTimers();
  });
  afterEach(() => log.close());

  function answered(facts: Partial<AnsweredRequest> = {}): AnsweredRequest {
    return {
      id: newId('req', now),
      receivedAt: now,
      durationMs: 1.5,
      tenant,
      apiKey: 'key_1',
      user: undefined,
      operation: 'customers.create',
      method: 'POST',
      path: '/v1/customers',
      status: 200,
      code: undefined,
      address: '192.0.2.1',
      idempotencyKey: undefined,
      objectId: undefined,
      parameters: undefined,
      ...facts,
    };
  }

  const rows = async () => (await sql.query('select * from requests order by id')).rows;

  test('has a row for each request, with its facts', async () => {
    const one = answered({ objectId: 'cus_1', idempotencyKey: 'key', parameters: '{"a":{"b":[1,"x"]}}' });
    log.add(one);
    const nobody = { tenant: undefined, apiKey: undefined, operation: undefined };
    log.add(answered({ ...nobody, path: '/v1/nothing', status: 404, code: 'url_unrecognized' }));
    await log.flush();
    const [first, second, ...others] = (await rows()).sort((a, b) => a.status - b.status);
    expect(others).toEqual([]);
    expect(first).toEqual({
      at: new Date(now),
      id: one.id,
      tenant,
      api_key: 'key_1',
      operation: 'customers.create',
      method: 'POST',
      path: '/v1/customers',
      status: 200,
      code: null,
      duration_us: 1_500,
      address: '192.0.2.1',
      idempotency_key: 'key',
      object_id: 'cus_1',
      user_id: null,
      parameters: { a: { b: [1, 'x'] } },
    });
    expect(second).toMatchObject({
      tenant: null,
      api_key: null,
      operation: null,
      path: '/v1/nothing',
      parameters: null,
    });
  });

  test('stores unusual characters unchanged', async () => {
    const odd = `it's "quoted" \\ {a,b} $1 ~`;
    log.add(answered({ idempotencyKey: odd, parameters: JSON.stringify({ [odd]: `${odd}\n🧾` }) }));
    await log.flush();
    expect((await rows())[0]).toMatchObject({ idempotency_key: odd, parameters: { [odd]: `${odd}\n🧾` } });
  });

  test('finds the parameters of a request of the same tenant, even before they are written', async () => {
    const one = answered({ parameters: '{"name":"digest:1"}' });
    log.add(one);
    expect(await log.parametersOf(tenant, one.id)).toEqual({ name: 'digest:1' });
    expect(await log.parametersOf(8 as Tenant, one.id)).toBeUndefined();
    expect(await log.parametersOf(tenant, newId('req', now))).toBeUndefined();
  });

  test('finds the parameters of a request that was added while earlier rows were in flight', async () => {
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table requests in share mode');
    log.add(answered());
    const earlier = log.flush();
    const one = answered({ parameters: '{"name":"digest:1"}' });
    log.add(one);
    const found = log.parametersOf(tenant, one.id);
    await holder.query('rollback');
    await earlier;
    expect(await found).toEqual({ name: 'digest:1' });
  });

  test('drops and counts rows that do not fit, and keeps working', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    for (let i = 0; i < 10; i++) log.add(answered({ parameters: large }));
    log.add(answered());
    expect(dropped).toBeGreaterThan(0);
    await log.flush();
    expect(await rows()).toHaveLength(11 - dropped);
    log.add(answered());
    await log.flush();
    expect(await rows()).toHaveLength(12 - dropped);
  });

  test('drops and counts rows that the database refuses, and keeps working', async () => {
    await sql.query('alter table requests rename to elsewhere');
    log.add(answered());
    log.add(answered());
    await log.flush();
    await sql.query('alter table elsewhere rename to requests');
    expect(dropped).toBe(2);
    log.add(answered());
    await log.close();
    expect(await rows()).toHaveLength(1);
  });
});
