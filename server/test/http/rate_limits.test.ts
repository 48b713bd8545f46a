import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { operations } from '../../catalog.ts';
import type { Answer } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { expectRefusal, inOneMinute, rateOf, rawHead, sendRaw, unusedId } from './support.ts';

const tiers = [
  ['standard', null, 100],
  ['premium', null, 500],
  ['enterprise', 7, 7],
  ['enterprise', 20_000, 20_000],
] as const;

function together(count: number, ask: (at: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => ask(at)));
}

/** Exactly as many requests as the limit are served, each with its own remainder; the rest get 429. */
function expectExactly(limit: number, answers: Answer[]): void {
  const served = answers.filter((answer) => answer.status !== 429);
  const remainders = served.map((answer) => rateOf(answer).remaining).sort((a, b) => b - a);
  expect(remainders).toEqual(Array.from({ length: limit }, (_, at) => limit - 1 - at));
  for (const answer of answers) if (answer.status === 429) expectRefusal(answer, 'rate_limited');
}

describe('accounts', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  test.each(tiers)('%s (%s): %i a minute', async (tier, rateLimit, limit) => {
    await inOneMinute(async () => {
      const account = await server.account({ tier, rateLimit });
      const [first, second] = [await account.test.get('/v1/events'), await account.test.get('/v1/events')];
      expect(rateOf(first)).toMatchObject({ policy: 'account', limit, remaining: limit - 1 });
      expect(rateOf(second)).toMatchObject({ policy: 'account', limit, remaining: limit - 2 });
    });
  });

  /** Premium, with its 520 requests, under torture: a tier is a number. */
  const counted = tiers.filter(([tier], at) => at < 3 && (isTorture || tier !== 'premium'));
  test.each(counted)('%s (%s): exactly %i are served', async (tier, rateLimit, limit) => {
    await inOneMinute(async () => {
      const account = await server.account({ tier, rateLimit });
      expectExactly(limit, await together(limit + 20, () => account.test.get('/v1/events')));
    });
  });

  test('a request over the limit is 429 with the time to wait', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 1 });
      const served = await account.test.get('/v1/events');
      const answer = await account.test.get('/v1/events');
      expectRefusal(answer, 'rate_limited');
      expect(answer.json.error.type).toBe('rate_limit_error');
      const { reset, secondsLeft, ...rate } = rateOf(answer);
      expect(rate).toEqual({ policy: 'account', limit: 1, remaining: 0 });
      expect(answer.headers['retry-after']).toBe(String(secondsLeft));
      expect(Math.abs(reset - Date.now() / 1_000 - secondsLeft)).toBeLessThan(3);
      expect(answer.json.error.message).toContain('1 per minute');
      expect(served.headers['retry-after']).toBeUndefined();
    });
  });

  test('windows are the minutes of the clock', async () => {
    await inOneMinute(async () => {
      const account = await server.account();
      const end = (Math.floor(Date.now() / 60_000) + 1) * 60;
      expect(rateOf(await account.test.get('/v1/events')).reset).toBe(end);
      expect(rateOf(await server.anonymous.get('/healthz')).reset).toBe(end);
    });
  });

  test('all keys of an account in a mode share its window', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 6 });
      const second = await server.key(account.id, {});
      const third = await server.key(account.id, { scopes: ['events:read'] });
      const clients = [account.test, second.client, third.client];
      const remainders = [];
      for (let at = 0; at < 6; at++) remainders.push(rateOf(await clients[at % 3]!.get('/v1/events')).remaining);
      expect(remainders).toEqual([5, 4, 3, 2, 1, 0]);
      for (const client of clients) expectRefusal(await client.get('/v1/events'), 'rate_limited');
    });
  });

  test('each mode of an account has its own window, and so has each account', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 2 });
      const other = await server.account({ rateLimit: 2 });
      await together(3, () => account.test.get('/v1/events'));
      expectRefusal(await account.test.get('/v1/events'), 'rate_limited');
      for (const client of [account.live, other.test, other.live])
        expect(rateOf(await client.get('/v1/events'))).toMatchObject({ limit: 2, remaining: 1 });
    });
  });

  test('every request with a valid key counts, whatever its outcome', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 50 });
      const { client: reader } = await server.key(account.id, { scopes: ['events:read'] });
      const { client: elsewhere } = await server.key(account.id, { allowedIps: ['10.0.0.1'] });
      const key = { 'Idempotency-Key': 'again' };
      const asked = [
        () => account.test.post('/v1/customers', {}, key),
        () => account.test.post('/v1/customers', {}, key),
        () => account.test.get('/v1/nothing'),
        () => account.test.get(`/v1/customers/${unusedId('cus')}`),
        () => account.test.get('/v0/customers'),
        () => account.test.post('/v1/customers', { colour: 'red' }),
        () => account.test.request('HEAD', '/v1/customers'),
        () => reader.get('/v1/customers'),
        () => elsewhere.get('/v1/customers'),
      ];
      for (const [at, ask] of asked.entries())
        expect(rateOf(await ask()), `${at}: ${ask}`).toMatchObject({ policy: 'account', remaining: 49 - at });
    });
  });

  test.each([
    ['that cannot be decoded', '%zz'],
    ['that is very long', 'x'.repeat(1_001)],
  ])('a path %s counts like any other', async (_what, id) => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 2 });
      const asked = [];
      for (let at = 0; at < 3; at++) asked.push((await account.test.get(`/v1/customers/${id}`)).status);
      expect(asked).toEqual([404, 404, 429]);
    });
  });

  test('two instances share a window exactly, and one that starts later finds it used up', async () => {
    const second = await startServer({ databaseUrl: server.databaseUrl });
    try {
      const account = await inOneMinute(async () => {
        const made = await server.account({ tier: 'standard' });
        const clients = [made.test, second.client(made.testKey)];
        expectExactly(100, await together(150, (at) => clients[at % 2]!.get('/v1/events')));
        return made;
      });
      await inOneMinute(async () => {
        await together(101, () => account.test.get('/v1/events')); // in case a new minute has begun
        const third = await startServer({ databaseUrl: server.databaseUrl });
        const answer = await third.client(account.testKey).get('/v1/events');
        await third.stop();
        expectRefusal(answer, 'rate_limited');
      });
    } finally {
      await second.stop();
    }
  });

  test('no endpoint has its own limit unless the operator sets one', async () => {
    const account = await server.account();
    for (const { method, route } of operations) {
      const answer = await account.test.request(method, `/v1${route.replace(':id', unusedId('cus'))}`);
      expect(rateOf(answer)).toMatchObject({ policy: 'account', limit: 1_000_000 });
    }
  });
});

describe('an endpoint with a lower limit', () => {
  let server: TestServer;
  let second: TestServer;

  beforeAll(async () => {
    const environment = { ENDPOINT_RATE_LIMITS: 'customers.create=3, events.list=50' };
    server = await startServer({ environment });
    second = await startServer({ environment, databaseUrl: server.databaseUrl });
  });
  afterAll(async () => {
    await second.stop();
    await server.stop();
  });

  const create = (account: TestAccount) => account.test.post('/v1/customers', {});

  test('refuses requests over its limit and shows that limit, while other endpoints are served', async () => {
    await inOneMinute(async () => {
      const account = await server.account();
      const answers = [];
      for (let at = 0; at < 5; at++) answers.push(await create(account));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429, 429]);
      expect(answers.map((answer) => rateOf(answer).remaining)).toEqual([2, 1, 0, 0, 0]);
      for (const answer of answers) expect(rateOf(answer)).toMatchObject({ policy: 'customers.create', limit: 3 });
      expectRefusal(answers[4]!, 'rate_limited');
      expect(answers[4]!.headers['retry-after']).toBe(String(rateOf(answers[4]!).secondsLeft));
      expect(rateOf(await account.test.get('/v1/customers'))).toMatchObject({ policy: 'account', limit: 1_000_000 });
      expect((await account.test.get('/v1/customers')).json.data.length).toBe(3);
    });
  });

  test('counts the path without a prefix, every key and every instance', async () => {
    await inOneMinute(async () => {
      const account = await server.account();
      const other = await server.key(account.id, {});
      await create(account);
      await other.client.post('/customers', {});
      const elsewhere = second.client(account.testKey);
      expect(rateOf(await elsewhere.post('/v1/customers', {}))).toMatchObject({ limit: 3, remaining: 0 });
      expectRefusal(await create(account), 'rate_limited');
      expect((await account.live.post('/v1/customers', {})).status).toBe(200);
    });
  });

  test('shows its limit only if that limit has the least left', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 5 });
      expect(rateOf(await create(account))).toMatchObject({ policy: 'customers.create', limit: 3, remaining: 2 });
      for (let more = 0; more < 3; more++) await account.test.get('/v1/customers');
      // Two are left of the endpoint's three, and one of the account's five.
      expect(rateOf(await create(account))).toMatchObject({ policy: 'account', limit: 5, remaining: 0 });
      const last = await account.test.get('/v1/events');
      expect(last.status).toBe(429);
      expect(rateOf(last)).toMatchObject({ policy: 'account', limit: 5, remaining: 0 });
    });
  });

  test('does not raise the limit of an account', async () => {
    await inOneMinute(async () => {
      const account = await server.account({ rateLimit: 2 });
      const answers = [await create(account), await create(account), await create(account)];
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
      expect(rateOf(answers[1]!)).toMatchObject({ policy: 'account', limit: 2, remaining: 0 });
      expect(rateOf(answers[2]!)).toMatchObject({ policy: 'account', limit: 2, remaining: 0 });
    });
  });
});

describe('with a clock that the test moves', () => {
  let clock: VirtualClock;
  /** By how much the wall clock of the machine was set. */
  let jumped = 0;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    clock = virtualClock(Date.now());
    server = await startServer({ isAlone: true, clock: { ...clock, now: () => clock.now() + jumped } });
    account = await server.account();
  });
  beforeEach(() => clock.advance(60_000)); // each test has its own minute
  afterAll(() => server.stop());

  test('a window that has ended is full again, and a changed tier counts immediately', async () => {
    const { id, test: client } = await server.account({ rateLimit: 2 });
    await together(3, () => client.get('/v1/events'));
    expectRefusal(await client.get('/v1/events'), 'rate_limited');

    await server.sql.query('update accounts set rate_limit = 1000 where id = $1', [id]);
    clock.advance(1_000); // so that the key is read again
    expect((await client.get('/v1/events')).status).toBe(200);
    await server.sql.query('update accounts set rate_limit = 2 where id = $1', [id]);
    clock.advance(1_000);
    // The row in the database is made a minute older. What the server remembers expires by its clock.
    await server.sql.query(`update rate_windows set window_start = window_start - interval '1 minute'`);
    clock.advance(60_000);
    expect(rateOf(await client.get('/v1/events'))).toMatchObject({ limit: 2, remaining: 1 });
  });

  describe('without a valid key', () => {
    const raw = (bytes: string, tls = true) => sendRaw(server, bytes, { tls });
    const remaining = async () => rateOf(await server.anonymous.get('/healthz')).remaining;

    test('100 requests of an address are answered per minute; Retry-After leads into the next, and a clock that jumps does not', async () => {
      expect((await account.test.get('/v1/customers')).status).toBe(200); // from now on this key is known
      const answers = await together(120, () => server.anonymous.get('/v1/customers'));
      expect(answers.filter((answer) => answer.status === 401).length).toBe(100);
      expectExactly(100, answers);
      expect((await server.anonymous.get('/docs')).status).toBe(200);
      const refused = await server.client('sk_test_tg_x').get('/v1/customers');
      expectRefusal(refused, 'rate_limited');
      // What is never refused, and who has a valid key.
      for (const method of ['GET', 'HEAD'])
        for (const path of ['/healthz', '/readyz'])
          expect((await server.anonymous.request(method, path)).status).toBe(200);
      expect((await account.test.get('/v1/customers')).status).toBe(200);
      // No other time of the day refills the window.
      for (const jump of [-3_600_000, 3_600_000, 3_600_000]) {
        jumped += jump;
        expectRefusal(await server.anonymous.get('/version'), 'rate_limited');
      }
      jumped = 0;
      clock.advance(Number(refused.headers['retry-after']) * 1_000);
      expectRefusal(await server.anonymous.get('/v1/customers'), 'api_key_missing', 'Authorization');
    });

    const counted: [what: string, ask: () => Promise<Answer>][] = [
      ['a request without a key', () => server.anonymous.get('/v1/customers')],
      ['a path that does not exist', () => server.anonymous.get('/nothing')],
      ['a made-up key', () => server.client('sk_test_tg_x').get('/v1/customers')],
      [
        'an expired key',
        async () => (await server.key(account.id, { expiresAt: new Date(0) })).client.get('/v1/customers'),
      ],
      ['/openapi.json', () => server.anonymous.get('/openapi.json')],
      ['/version', () => server.anonymous.get('/version')],
      ['the first page', () => server.anonymous.get('/')],
      ['a retired version', () => server.anonymous.get('/v0/customers')],
      ['plain HTTP', () => raw(`${rawHead('GET /healthz')}\r\n`, false)],
      ['what is not HTTP', () => raw('hello\r\n\r\n')],
      ['headers that are too large', () => raw(`${rawHead('GET /docs')}X-Big: ${'x'.repeat(20_000)}\r\n\r\n`)],
      ['a repeated header', () => raw(`${rawHead('GET /v1/customers')}Host: b\r\n\r\n`)],
      ['a repeated key', () => raw(`${rawHead('GET /v1/customers', 'a')}Authorization: Bearer b\r\n\r\n`)],
      ['a path that cannot be decoded', () => server.anonymous.get('/v1/customers/%zz')],
      ['a path of 1,001 characters', () => server.anonymous.get(`/v1/customers/${'x'.repeat(1_001)}`)],
    ];
    test.each(counted)('%s is counted by address', async (_what, ask) => {
      const before = await remaining();
      const answer = await ask();
      expect(rateOf(answer)).toMatchObject({ policy: 'address', limit: 100, remaining: before - 1 });
      expect(await remaining()).toBe(before - 1);
    });

    test('the pages of the docs and what is typed into their search have another window, of 300', async () => {
      const before = await remaining();
      const typed = async (q: string) => rateOf(await server.anonymous.get(`/docs/search.json?q=${q}`));
      const first = await typed('re');
      expect(first).toMatchObject({ policy: 'page', limit: 300 });
      expect(await typed('ref')).toMatchObject({ remaining: first.remaining - 1 });
      expect(rateOf(await server.anonymous.get('/docs/find?q=refund'))).toMatchObject({
        remaining: first.remaining - 2,
      });
      expect(rateOf(await server.anonymous.get('/docs/errors'))).toMatchObject({ remaining: first.remaining - 3 });
      expect(await remaining()).toBe(before);
    });

    test('/healthz and /readyz are never counted', async () => {
      const before = await remaining();
      for (const path of ['/healthz', '/readyz', '/healthz?verbose'])
        expect((await server.anonymous.get(path)).status).toBe(200);
      expect(await remaining()).toBe(before);
    });

    test('requests with a valid key do not count against their address', async () => {
      const before = await remaining();
      await account.test.get('/v1/customers');
      expect(await remaining()).toBe(before);
    });

    test('X-Forwarded-For does not change the address', async () => {
      const headers = { 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7', 'X-Real-Ip': '203.0.113.7' };
      const before = await remaining();
      expect(rateOf(await server.anonymous.get('/version', { headers })).remaining).toBe(before - 1);
    });
  });
});

describe('addresses', () => {
  let server: TestServer;

  beforeAll(async () => {
    const environment = { TLS: 'proxy', TRUSTED_PROXIES: '127.0.0.1' };
    server = await startServer({ isAlone: true, environment, clock: virtualClock(Date.now()) });
  });
  afterAll(() => server.stop());

  const from = (address: string) =>
    server.anonymous.get('/version', { headers: { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': address } });

  test('have separate windows', async () => {
    expectExactly(100, await together(105, () => from('203.0.113.1')));
    expect(rateOf(await from('203.0.113.2'))).toMatchObject({ limit: 100, remaining: 99 });
  });

  test('of one IPv6 network of 64 bits count as one', async () => {
    expect(rateOf(await from('2001:db8:0:1::1')).remaining).toBe(99);
    expect(rateOf(await from('2001:db8:0:1:ffff::2')).remaining).toBe(98);
    expect(rateOf(await from('2001:db8:0:2::1')).remaining).toBe(99);
  });

  test('that are IPv4 mapped into IPv6 count as IPv4', async () => {
    expect(rateOf(await from('203.0.113.9')).remaining).toBe(99);
    expect(rateOf(await from('::ffff:203.0.113.9')).remaining).toBe(98);
  });
});
