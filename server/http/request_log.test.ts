import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '../base/clock.ts';
import { newId } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import { type Connection, connect, openPool, type Pool } from '../base/sql.ts';
import { makeKey } from '../resources/api_keys/api_key.ts';
import { createDatabase } from '../test/harness.ts';
import { keepPartitions } from './chores.ts';
import type { Exchange } from './exchange.ts';
import { RequestLog, safePath } from './request_log.ts';

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
    // Only what a test asks for is written: the timer of this log stands still.
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
      ...{ requestId: newId('req', now), startedAt: 0, receivedAt: now, method: 'POST', target: '/v1/customers' },
      ...{ address: '192.0.2.1', version: { path: '', inPath: undefined }, rate: undefined, caller, operation },
      contentType: undefined,
      page: undefined,
      ...{ idempotencyKey: undefined, parameters: undefined, objectId: undefined, errorCode: undefined },
      ...facts,
    };
  }

  const rows = async () => (await sql.query('select * from requests order by id')).rows;

  test('has a row for each request, with its facts', async () => {
    const one = exchange({ objectId: 'cus_1', idempotencyKey: 'key', parameters: '{"a":{"b":[1,"x"]}}' });
    log.add(one, 200);
    log.add(
      exchange({ caller: undefined, operation: undefined, target: '/v1/nothing?x=1', errorCode: 'url_unrecognized' }),
      404,
    );
    await log.flush();
    const [first, second, ...others] = (await rows()).sort((a, b) => a.status - b.status);
    expect(others).toEqual([]);
    expect(first).toEqual({
      ...{
        at: new Date(now),
        id: one.requestId,
        tenant,
        api_key: 'key_1',
        operation: 'customers.create',
        method: 'POST',
      },
      ...{ path: expect.any(String), status: 200, code: null, duration_us: 0, address: '192.0.2.1' },
      ...{ idempotency_key: 'key', object_id: 'cus_1', parameters: { a: { b: [1, 'x'] } } },
    });
    expect(second).toMatchObject({
      tenant: null,
      api_key: null,
      operation: null,
      path: '/v1/nothing',
      parameters: null,
    });
  });

  test('keeps odd characters as they are', async () => {
    const odd = `it's "quoted" \\ {a,b} $1 ~`;
    log.add(exchange({ idempotencyKey: odd, parameters: JSON.stringify({ [odd]: `${odd}\n🧾` }) }), 200);
    await log.flush();
    expect((await rows())[0]).toMatchObject({ idempotency_key: odd, parameters: { [odd]: `${odd}\n🧾` } });
  });

  test('finds the parameters of a request of the same tenant, also one that is not written yet', async () => {
    const one = exchange({ parameters: '{"name":"digest:1"}' });
    log.add(one, 200);
    expect(await log.parametersOf(tenant, one.requestId)).toEqual({ name: 'digest:1' });
    expect(await log.parametersOf(8 as Tenant, one.requestId)).toBeUndefined();
    expect(await log.parametersOf(tenant, newId('req', now))).toBeUndefined();
  });

  test('finds the parameters of a request that came while earlier ones were on their way', async () => {
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

  test('drops and counts what does not fit, and goes on', async () => {
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

  test('drops and counts what the database does not take, and goes on', async () => {
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

describe('a path as the log shows it', () => {
  const key = makeKey('secret', 'live').open();
  const restricted = makeKey('restricted', 'test').open();
  const webhookSecret = `whsec_${'a1B2'.repeat(8)}`;
  const id = newId('cus', 1_700_000_000_000);
  const card = '4242424242424242';

  const cases: [string, string, string][] = [
    ['a list', '/v1/customers', '/v1/customers'],
    ['an object', `/v1/customers/${id}`, `/v1/customers/${id}`],
    ['without the query', `/v1/customers?email=ada@example.com`, '/v1/customers'],
    ['without all of an odd query', `/v1/customers?a?b=${key}`, '/v1/customers'],
    ['a key', `/v1/customers/${key}`, '/v1/customers/[key]'],
    ['a restricted key', `/v1/${restricted}`, '/v1/[key]'],
    ['a webhook secret', `/v1/${webhookSecret}`, '/v1/[key]'],
    ['a key behind a scheme', `/v1/Bearer%20${key}`, '/v1/Bearer%20[key]'],
    ['a key that is stuck to a word', `/v1/customers_${key}`, '/v1/customers_[key]'],
    ['a key behind a letter too many', `/v1/s${key}`, '/v1/s[key]'],
    ['a card number', `/v1/payment_methods/${card}`, '/v1/payment_methods/[digits]'],
    ['a card number in groups', '/v1/cards/4242-4242-4242-4242/x', '/v1/cards/[digits]/x'],
    ['a card number with spaces', '/v1/cards/4242%204242%204242%204242', '/v1/cards/[digits]'],
    ['a short number', '/v1/customers/12345678901', '/v1/customers/12345678901'],
    ['a long path, cut', `/v1/${'x'.repeat(500)}`, `/v1/${'x'.repeat(196)}`],
    ['nothing', '', ''],
  ];
  test.each(cases)('%s', (_, target, shown) => {
    expect(safePath(target)).toBe(shown);
  });

  const long: [string, string][] = [
    ['letters', '/v1/'.padEnd(16_000, 'x')],
    ['dashes', '/v1/1'.padEnd(16_000, '-')],
    ['percent signs', '/v1/'.padEnd(16_000, '%11')],
    ['short numbers', '/v1/'.padEnd(16_000, '1-2-3-4-5x')],
    ['beginnings of keys', '/v1/'.padEnd(16_000, 'sk_live_')],
  ];
  test.each(long)('is made in no time from 16 kB of %s, which anybody can send', (_, target) => {
    // The best of some tries, because a machine can be busy; anything that is not linear takes hundreds of milliseconds.
    const tries = Array.from({ length: 3 }, () => {
      const started = performance.now();
      safePath(target);
      return performance.now() - started;
    });
    expect(Math.min(...tries)).toBeLessThan(50);
  });

  test('never holds more of a key or a card number than a person may see, wherever in the path it stands', () => {
    const around = fc.nat({ max: 260 }).map((length) => '/x'.repeat(length / 2));
    fc.assert(
      fc.property(around, fc.constantFrom(key, restricted, webhookSecret, card), (before, secret) => {
        const shown = safePath(`${before}/${secret}`);
        expect(shown).not.toContain(secret.slice(0, secret === card ? 9 : 16));
      }),
      { numRuns: 1_000 },
    );
  });
});
