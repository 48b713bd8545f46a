import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../../../base/sql.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import { createDatabase } from '../../../test/harness.ts';
import { findBodies } from './bodies.ts';
import { keepPartitions } from './partitions.ts';
import type { AnsweredRequest } from './request.ts';
import { RequestLog } from './writer.ts';

describe('the request log', () => {
  const tenant = 7 as Tenant;
  const now = Math.floor(Date.now() / 60_000) * 60_000; // a minute begins
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let sql: Connection;
  let pool: Pool;
  let log: RequestLog;
  let clock: VirtualClock;
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
    await sql.query('truncate requests, request_bodies, anonymous_requests');
    clock = virtualClock(now);
    dropped = 0;
    // The timer of this log is stopped: only explicit flushes write.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    log = new RequestLog(onePool(pool), clock, (entries) => {
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
      param: undefined,
      message: undefined,
      address: '192.0.2.1',
      idempotencyKey: undefined,
      objectId: undefined,
      parameters: undefined,
      bodies: undefined,
      ...facts,
    };
  }

  const rows = async () => (await sql.query('select * from requests order by id')).rows;

  test('has a row for each request, with its facts', async () => {
    const one = answered({ objectId: 'cus_1', idempotencyKey: 'key', parameters: '{"a":{"b":[1,"x"]}}' });
    log.add(one);
    await log.flush();
    const [first, ...others] = await rows();
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
      param: null,
      message: null,
      duration_us: 1_500,
      address: '192.0.2.1',
      idempotency_key: 'key',
      object_id: 'cus_1',
      user_id: null,
      parameters: { a: { b: [1, 'x'] } },
    });
  });

  describe('of requests without a key', () => {
    const nobody = { tenant: undefined, apiKey: undefined, operation: undefined, path: '/v1/nothing', method: 'GET' };
    const anonymous = (facts: Partial<AnsweredRequest> = {}) =>
      answered({ ...nobody, status: 404, code: 'url_unrecognized', ...facts });
    const limited = (address: string) => anonymous({ status: 429, code: 'rate_limited', address });
    const stored = async () => (await sql.query('select * from anonymous_requests order by count, id')).rows;

    test('has a row for each in a separate table', async () => {
      const one = anonymous();
      log.add(one);
      await log.flush();
      expect(await rows()).toEqual([]);
      expect(await stored()).toEqual([
        {
          at: new Date(now),
          id: one.id,
          operation: null,
          method: 'GET',
          path: '/v1/nothing',
          status: 404,
          code: 'url_unrecognized',
          duration_us: 1_500,
          address: '192.0.2.1',
          count: 1,
        },
      ]);
    });

    test('has one row for each network and minute beyond its limit, with their number', async () => {
      for (let at = 0; at < 50; at++) log.add(limited('192.0.2.1'));
      for (let at = 1; at <= 9; at++) log.add(limited(`2001:db8:0:1::${at}`));
      await log.flush();
      expect(await stored()).toEqual([]);
      clock.advance(60_000);
      await log.flush();
      expect((await stored()).map(({ count, address, status }) => [count, address, status])).toEqual([
        [9, '2001:db8:0:1::1', 429],
        [50, '192.0.2.1', 429],
      ]);
      log.add(limited('192.0.2.1'));
      await log.close();
      expect(await stored()).toHaveLength(3);
    });

    test('has a thousand rows a minute at most, which count all of them', async () => {
      for (let at = 0; at < 3_000; at++) log.add(anonymous({ address: `10.0.${at >> 8}.${at & 255}` }));
      await log.flush();
      expect(await stored()).toHaveLength(600);
      clock.advance(60_000);
      await log.flush();
      const all = await stored();
      expect(all).toHaveLength(600 + 400 + 1);
      expect(all.at(-1)).toMatchObject({ address: 'others', count: 2_000 });
      log.add(anonymous());
      await log.flush();
      expect(await stored()).toHaveLength(1_002);
      expect(dropped).toBe(0);
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

  describe('with what test mode keeps', () => {
    const bodies = (parameters: string | undefined, answer: string | undefined) => ({
      pathId: 'cus_1',
      parameters,
      answer,
      scopes: [],
    });
    const reads = { rows: async (text: string, values: unknown[]) => (await sql.query(text, values)).rows } as never;
    const kept = ({ id }: AnsweredRequest, days = 0) => findBodies(reads, { tenant, id, now: now + days * 86_400_000 });

    test('has every text of a batch where it belongs, whatever it contains', async () => {
      const odd = JSON.stringify({ text: `it's \\ "quoted" \u0000 \ud800 🧾\n${'é'.repeat(50)}` });
      const all = [
        answered({ bodies: bodies('{}', '{"object":"customer"}') }),
        answered(),
        answered({ bodies: bodies(undefined, odd) }),
        answered({ bodies: { ...bodies(odd, undefined), pathId: undefined, scopes: ['customers:read'] } }),
      ];
      for (const one of all) log.add(one);
      await log.flush();
      const whole = (text: string) => ({ text, isWhole: true });
      expect(await Promise.all(all.map((one) => kept(one)))).toEqual([
        { path_id: 'cus_1', scopes: [], parameters: whole('{}'), answer: whole('{"object":"customer"}') },
        undefined,
        { path_id: 'cus_1', scopes: [], parameters: undefined, answer: whole(odd) },
        { path_id: null, scopes: ['customers:read'], parameters: whole(odd), answer: undefined },
      ]);
    });

    test('has 8 KiB of each at most, and no half of a character', async () => {
      const exact = 'x'.repeat(8_192);
      const wide = `${'x'.repeat(8_190)}${'🧾'.repeat(2_000)}`;
      const one = answered({ bodies: bodies(exact, wide) });
      log.add(one);
      await log.flush();
      expect(await kept(one)).toMatchObject({
        parameters: { text: exact, isWhole: true },
        answer: { text: 'x'.repeat(8_190), isWhole: false },
      });
      const [stored] = (await sql.query('select answer_bytes, octet_length(answer) as kept from request_bodies')).rows;
      expect(stored).toEqual({ answer_bytes: 16_190, kept: 8_190 });
    });

    test('shows it for seven days', async () => {
      const one = answered({ bodies: bodies('{}', '{}') });
      log.add(one);
      await log.flush();
      expect(await kept(one, 7)).toBeDefined();
      expect(await kept(one, 7.01)).toBeUndefined();
    });

    test('loses no row of the log where the texts do not fit', async () => {
      const large = 'x'.repeat(8_192);
      for (let at = 0; at < 600; at++) log.add(answered({ bodies: bodies(large, large) }));
      await log.flush();
      expect(await rows()).toHaveLength(600);
      const { rows: stored } = await sql.query('select count(answer)::int4 as count from request_bodies');
      expect(stored[0].count).toBe(256);
      expect(dropped).toBe(0);
    });
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
