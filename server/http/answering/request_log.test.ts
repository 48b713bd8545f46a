import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../../base/sql.ts';
import { createDatabase } from '../../test/harness.ts';
import { keepPartitions } from '../chores.ts';
import type { Exchange } from '../exchange.ts';
import { RequestLog } from './request_log.ts';

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
    await keepPartitions(pool);
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
    log = new RequestLog(pool, virtualClock(now), (entries) => {
      dropped += entries;
    });
    vi.useRealTimers();
  });
  afterEach(() => log.close());

  function exchange(facts: Partial<Exchange> = {}): Exchange {
    const caller = { kind: 'key', tenant, key: { id: 'key_1' } } as unknown as Exchange['caller'];
    const operation = { name: 'customers.create', route: '/customers' } as Exchange['operation'];
    return {
      requestId: newId('req', now),
      startedAt: 0,
      receivedAt: now,
      method: 'POST',
      target: '/v1/customers',
      address: '192.0.2.1',
      caller,
      operation,
      ...facts,
    } as Exchange; // the log reads neither the request nor the response
  }

  const rows = async () => (await sql.query('select * from requests order by id')).rows;

  test('has a row for each request, with its facts', async () => {
    const one = exchange({ objectId: 'cus_1', shownIdempotencyKey: 'key', parameters: '{"a":{"b":[1,"x"]}}' });
    log.add(one, 200);
    log.add(
      exchange({ caller: undefined, operation: undefined, target: '/v1/nothing?x=1', errorCode: 'url_unrecognized' }),
      404,
    );
    await log.flush();
    const [first, second, ...others] = (await rows()).sort((a, b) => a.status - b.status);
    expect(others).toEqual([]);
    expect(first).toEqual({
      at: new Date(now),
      id: one.requestId,
      tenant,
      api_key: 'key_1',
      operation: 'customers.create',
      method: 'POST',
      path: expect.any(String),
      status: 200,
      code: null,
      duration_us: 0,
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
    log.add(exchange({ shownIdempotencyKey: odd, parameters: JSON.stringify({ [odd]: `${odd}\n🧾` }) }), 200);
    await log.flush();
    expect((await rows())[0]).toMatchObject({ idempotency_key: odd, parameters: { [odd]: `${odd}\n🧾` } });
  });

  test('finds the parameters of a request of the same tenant, even before they are written', async () => {
    const one = exchange({ parameters: '{"name":"digest:1"}' });
    log.add(one, 200);
    expect(await log.parametersOf(tenant, one.requestId)).toEqual({ name: 'digest:1' });
    expect(await log.parametersOf(8 as Tenant, one.requestId)).toBeUndefined();
    expect(await log.parametersOf(tenant, newId('req', now))).toBeUndefined();
  });

  test('finds the parameters of a request that was added while earlier rows were in flight', async () => {
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table requests in share mode');
    log.add(exchange(), 200);
    const earlier = log.flush();
    const one = exchange({ parameters: '{"name":"digest:1"}' });
    log.add(one, 200);
    const found = log.parametersOf(tenant, one.requestId);
    await holder.query('rollback');
    await earlier;
    expect(await found).toEqual({ name: 'digest:1' });
  });

  test('drops and counts rows that do not fit, and keeps working', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    for (let i = 0; i < 10; i++) log.add(exchange({ parameters: large }), 200);
    log.add(exchange(), 200);
    expect(dropped).toBeGreaterThan(0);
    await log.flush();
    expect(await rows()).toHaveLength(11 - dropped);
    log.add(exchange(), 200);
    await log.flush();
    expect(await rows()).toHaveLength(12 - dropped);
  });

  test('drops and counts rows that the database refuses, and keeps working', async () => {
    await sql.query('alter table requests rename to elsewhere');
    log.add(exchange(), 200);
    log.add(exchange(), 200);
    await log.flush();
    await sql.query('alter table elsewhere rename to requests');
    expect(dropped).toBe(2);
    log.add(exchange(), 200);
    await log.close();
    expect(await rows()).toHaveLength(1);
  });
});
