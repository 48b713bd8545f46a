import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { base62 } from '../../base/id.ts';
import type { Mode } from '../../base/reads.ts';
import { catalog, operations } from '../../catalog.ts';
import type { Scope } from '../../operations/scope.ts';
import { makeKey } from '../../resources/people/api_keys/api_key.ts';
import type { NewKeyShown } from '../../resources/people/api_keys/schema.ts';
import type { Answer, Client } from '../client.ts';
import { onFreeMachine } from '../fastest.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { askUntil, expectRefusal, inOneMinute, rateOf, unusedId } from './support.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

async function stored(id: string, at: TestServer = server) {
  const { rows } = await at.sql.query(
    'select k.*, t.mode from api_keys k join tenants t using (tenant) where id = $1',
    [id],
  );
  if (rows[0] === undefined) throw new Error(`no key ${id}`);
  return rows[0];
}

const revoke = (id: string) => server.operator.run('api_keys.revoke', { account: account.id, id });

function roll(id: string, overlapSeconds: number, mode: Mode = 'test'): Promise<NewKeyShown> {
  const parameters = { overlap_hours: overlapSeconds / 3_600 };
  return server.operator.run('api_keys.roll', { account: account.id, mode, id, parameters });
}

/** Repeats a request: the key works until `moment` and is refused a second later at the latest. Returns the refusal. */
async function refusedFrom(moment: Date | number, client: Client): Promise<Answer> {
  for (;;) {
    const asked = Date.now();
    const answer = await client.get('/v1/events');
    if (answer.status !== 200) {
      expect(Date.now()).toBeGreaterThanOrEqual(Number(moment));
      return answer;
    }
    expect(onFreeMachine(1_000, asked - Number(moment))).toBeLessThan(1_000);
    await sleep(10);
  }
}

/** A key with one character changed. */
function mistyped(key: string, at: number): string {
  const wrong = key[at] === 'x' ? 'y' : 'x';
  return key.slice(0, at) + wrong + key.slice(at + 1);
}

describe('a request without a key', () => {
  const keyless: (string | undefined)[] = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic c2s6',
    'Token abc',
    'Bearer one two',
    'sk_test_tg_abc',
  ];
  test.each(keyless)('is 401 api_key_missing: Authorization: %s', async (Authorization) => {
    const headers = Authorization === undefined ? {} : { Authorization };
    expectRefusal(await server.anonymous.get('/v1/customers', { headers }), 'api_key_missing', 'Authorization');
  });

  test('is refused even if a key is sent in another place', async () => {
    const target = `/v1/customers?api_key=${account.testKey}`;
    expectRefusal(await server.anonymous.get(target), 'api_key_missing', 'Authorization');
    const basic = `Basic ${Buffer.from(`${account.testKey}:`).toString('base64')}`;
    const answer = await server.anonymous.get('/v1/customers', { headers: { Authorization: basic } });
    expectRefusal(answer, 'api_key_missing', 'Authorization');
  });

  test('is refused by every operation', async () => {
    const asked = [
      ...operations.map(({ method, route }) => [method, `/v1${route.replace(':id', unusedId('cus'))}`] as const),
      ...([
        ['GET', '/v1/nothing'],
        ['GET', '/metrics'],
        ['PUT', '/docs'],
      ] as const),
    ];
    // Requests without a key are counted by address: a server has 100 of them in a minute.
    for (let from = 0; from < asked.length; from += 100) {
      const other = await startServer();
      for (const [method, path] of asked.slice(from, from + 100))
        expectRefusal(await other.anonymous.request(method, path), 'api_key_missing', 'Authorization');
      await other.stop();
    }
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('is not one whose scheme is written %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${account.testKey}` };
    expect((await server.anonymous.get('/v1/customers', { headers })).status).toBe(200);
  });
});

describe('the form of a key', () => {
  test.each([
    ['secret', 'test', 'sk_test_tg_'],
    ['secret', 'live', 'sk_live_tg_'],
    ['restricted', 'test', 'rk_test_tg_'],
    ['restricted', 'live', 'rk_live_tg_'],
  ] as const)('%s, %s: %s, 32 random characters and 6 of CRC-32', async (kind, mode, prefix) => {
    const { key, client } = await server.key(account.id, { mode, scopes: kind === 'secret' ? null : ['events:read'] });
    const [, start = '', sum] = /^([sr]k_(?:test|live)_tg_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(key) ?? [];
    expect(start.slice(0, -32)).toBe(prefix);
    expect(sum).toBe(base62(crc32(start), 6));
    expect((await client.get('/v1/events')).status).toBe(200);
  });

  test('is never stored, except as a keyed hash', async () => {
    const { id, key } = await server.key(account.id, {});
    const { rows } = await server.sql.query('select k::text as text, k.hash from api_keys k where id = $1', [id]);
    expect(rows[0].text).not.toContain(key.slice(11, 43));
    expect(rows[0].hash.equals(createHash('sha256').update(key).digest())).toBe(false);
    // Another installation has another root key, without which a hash cannot be matched to its key.
    const other = await startServer();
    const keyrings = [server.gateway.keyring, other.gateway.keyring];
    await other.stop();
    expect(keyrings.map((keyring) => keyring.hmac('api_key', key).equals(rows[0].hash))).toEqual([true, false]);
    const { rows: audit } = await server.sql.query('select a::text as text from audit a where subject = $1', [id]);
    expect(audit.length).toBe(1);
    expect(audit[0].text).not.toContain(key.slice(11, 43));
  });

  test('is never logged, even if it is sent in the wrong place', async () => {
    await account.test.get(`/v1/${account.testKey}`);
    await account.test.get(`/v1/customers/${account.testKey}`);
    const answer = await account.test.get(`/v1/customers?${account.testKey}=1`);
    expect(answer.text).not.toContain(account.testKey.slice(11));
    expect(server.logged.join('\n')).not.toContain(account.testKey.slice(11));
    await expect
      .poll(async () => (await server.sql.query('select r::text as text from requests r')).rows.length)
      .toBeGreaterThan(0);
    const { rows } = await server.sql.query('select r::text as text from requests r');
    expect(rows.map((row) => row.text).join('\n')).not.toContain(account.testKey.slice(11));
  });
});

describe('an unknown key', () => {
  let guessed: TestServer;
  let owner: TestAccount;

  beforeAll(async () => {
    guessed = await startServer();
    owner = await guessed.account();
  });
  afterAll(() => guessed.stop());

  /** While this runs, every read of a key and every count of a request waits in the database. */
  async function withLockedKeys<T>(work: (waiting: () => Promise<number>) => Promise<T>): Promise<T> {
    await guessed.sql.query('begin');
    try {
      await guessed.sql.query('lock table api_keys, rate_windows in access exclusive mode');
      return await work(async () => {
        const { rows } = await guessed.sql.query(
          // The times of last uses are written beside the requests, every few seconds.
          `select count(*) as waiting from pg_locks l join pg_stat_activity a using (pid)
            where not l.granted and a.datname = current_database() and a.query not like '%set last_used%'`,
        );
        return Number(rows[0].waiting);
      });
    } finally {
      await guessed.sql.query('rollback');
    }
  }

  /** Fails as soon as the database is queried, instead of waiting for an answer that cannot come. */
  async function unlessOneWaits<T>(waiting: () => Promise<number>, work: Promise<T>): Promise<T> {
    let working = true;
    const done = work.finally(() => {
      working = false;
    });
    while (working) {
      if ((await waiting()) > 0) throw new Error('the database was queried');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }

  test('with a wrong checksum is refused without a database query', async () => {
    const key = owner.testKey;
    const wrong = [
      ...Array.from({ length: 12 }, (_, step) => mistyped(key, key.length - 1 - step * 4)),
      key.slice(0, -1),
      `${key}x`,
      key.slice(0, 20),
      key.replace('sk_', 'rk_'),
      key.replace('_test_', '_live_'),
      key.replace('_tg_', '_xx_'),
      key.toUpperCase(),
      key.toLowerCase(),
      'sk_test_tg_',
      `sk_test_tg_${'a'.repeat(38)}`,
      'x'.repeat(2_000),
      'null',
      '{{api_key}}',
      "'--",
    ];
    const answers = await withLockedKeys(async (waiting) => {
      const first = await unlessOneWaits(
        waiting,
        Promise.all(wrong.map((one) => guessed.client(one).get('/v1/customers'))),
      );
      // Proof that a query would have been detected:
      const real = guessed.client(makeKey('secret', 'test').open()).get('/v1/customers');
      expect(await askUntil(waiting, (count) => count > 0)).toBeGreaterThan(0);
      return [first, real] as const;
    });
    for (const answer of answers[0]) expectRefusal(answer, 'api_key_invalid', 'Authorization');
    expectRefusal(await answers[1], 'api_key_invalid', 'Authorization');
  });

  test('that is guessed repeatedly ends in 429 without a database query, while a valid key that was used before is served from the same address', async () => {
    await inOneMinute(async () => {
      expect((await owner.test.first.get('/v1/customers')).status).toBe(200);
      const answers = await withLockedKeys(async (waiting) => {
        const guesses = Array.from({ length: 150 }, (_, at) => `sk_test_tg_${String(at).padStart(38, '0')}`);
        return unlessOneWaits(
          waiting,
          Promise.all(guesses.map((guess) => guessed.client(guess).first.get('/v1/customers'))),
        );
      });
      const tooMany = answers.filter((answer) => answer.status === 429);
      expect(tooMany.length).toBeGreaterThanOrEqual(50);
      for (const answer of tooMany) expectRefusal(answer, 'rate_limited');
      expect((await owner.test.get('/v1/customers')).status).toBe(200);
    });
  });

  test('with a correct checksum is refused', async () => {
    // It counts against its address, so it uses a server with few requests so far.
    const unknown = makeKey('restricted', 'live').open();
    expectRefusal(await server.client(unknown).get('/v1/customers'), 'api_key_invalid', 'Authorization');
  });

  test('of another installation is refused', async () => {
    expectRefusal(await server.client(owner.testKey).get('/v1/customers'), 'api_key_invalid', 'Authorization');
  });
});

describe('a key that has expired or was revoked', () => {
  test('expired: 401 api_key_expired with the time', async () => {
    const expiresAt = new Date('2024-02-29T12:00:00Z');
    const { client } = await server.key(account.id, { expiresAt });
    const answer = await client.get('/v1/customers');
    expectRefusal(answer, 'api_key_expired', 'Authorization');
    expect(answer.json.error.message).toContain('2024-02-29T12:00:00Z');
  });

  test('expires while it is in use', async () => {
    const expiresAt = new Date(Date.now() + 1_000);
    const { client } = await server.key(account.id, { expiresAt });
    expectRefusal(await refusedFrom(expiresAt, client), 'api_key_expired', 'Authorization');
  });

  test('revoked: 401 api_key_revoked with the time', async () => {
    const { id, client } = await server.key(account.id, {});
    await revoke(id);
    const answer = await client.get('/v1/customers');
    expectRefusal(answer, 'api_key_revoked', 'Authorization');
    const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.exec(answer.json.error.message)?.[0];
    expect(Math.abs(Date.parse(moment ?? '') - Date.now())).toBeLessThan(10_000);
  });

  test('counts against its address, like no key at all', async () => {
    const { client } = await server.key(account.id, { expiresAt: new Date(0) });
    expect(rateOf(await client.get('/v1/customers'))).toMatchObject({ policy: 'address', limit: 100 });
  });

  test('is refused within a second of its revocation by every instance that used it', async () => {
    const second = await startServer({ databaseUrl: server.databaseUrl });
    try {
      const { id, key } = await server.key(account.id, {});
      const clients = [server.client(key), second.client(key)];
      for (const client of clients) expect((await client.get('/v1/events')).status).toBe(200);
      await revoke(id);
      const { revoked_at } = await stored(id);
      const answers = await Promise.all(clients.map((client) => refusedFrom(revoked_at!, client)));
      for (const answer of answers) expectRefusal(answer, 'api_key_revoked', 'Authorization');
    } finally {
      await second.stop();
    }
  });
});

describe('a key that is rolled', () => {
  test('works beside its successor during the overlap, and no longer', async () => {
    const { id, client } = await server.key(account.id, {});
    const rolledAt = Date.now();
    const made = await roll(id, 1);
    const successor = server.client(made.key);
    const { rolled_to, revoked_at } = await stored(id);
    expect(rolled_to).toBe(made.id);
    expect(revoked_at!.getTime() - rolledAt).toBeGreaterThanOrEqual(1_000);
    expect((await successor.get('/v1/events')).status).toBe(200);
    expectRefusal(await refusedFrom(revoked_at!, client), 'api_key_revoked', 'Authorization');
    expect((await successor.get('/v1/events')).status).toBe(200);
  });

  test('without an overlap is refused immediately', async () => {
    const { id, client } = await server.key(account.id, {});
    await roll(id, 0);
    expectRefusal(await client.get('/v1/events'), 'api_key_revoked', 'Authorization');
  });

  test('passes on its rights and its limits', async () => {
    const wish = { mode: 'live', scopes: ['events:read'] as Scope[], allowedIps: ['127.0.0.0/8'] } as const;
    const { id } = await server.key(account.id, {
      ...wish,
      allowedIps: [...wish.allowedIps],
      name: 'till',
      signatureRequired: true,
    });
    const made = await roll(id, 60, 'live');
    const { name, mode, scopes: granted, allowed_ips, signature_required, expires_at } = await stored(made.id);
    expect({ name, mode, granted, allowed_ips, signature_required, expires_at }).toEqual({
      name: 'till',
      mode: 'live',
      granted: wish.scopes,
      allowed_ips: wish.allowedIps,
      signature_required: true,
      expires_at: null,
    });
    expect(made.key).toMatch(/^rk_live_tg_/);
  });
});

/** The key was accepted: the object or a parameter is missing. */
function expectAdmitted(answer: Answer): void {
  if (answer.status === 400) expectRefusal(answer, 'parameter_missing', answer.json.error.param);
  else expect([200, 404]).toContain(answer.status);
}

describe('a restricted key', () => {
  const restricted = new Map<string, Client>();
  const writeOf = (scope: string) => scope.replace(/:.*/, ':write');
  const readOf = (scope: string) => scope.replace(/:.*/, ':read');
  /** Everything but what allows it: if all other scopes together do not, none of them does. */
  const allBut = (scope: string) =>
    catalog.scopes.filter((other) => other !== scope && (scope === writeOf(scope) || other !== writeOf(scope)));

  beforeAll(async () => {
    const grants = new Map<string, readonly string[]>([['none', []]]);
    for (const scope of catalog.scopes) grants.set(scope, [scope]).set(`all but ${scope}`, allBut(scope));
    for (const [name, scopes] of grants)
      restricted.set(name, (await server.key(account.id, { scopes: scopes as Scope[] })).client);
  });

  /** The rule of scopes is repeated here, so that the server's own rule is not used to check itself. */
  const ofOneKind = operations.filter(({ scope }) => scope !== 'any:read');
  const firstOf = new Map(operations.toReversed().map((operation) => [operation.scope, operation]));
  const table = ofOneKind.flatMap((operation) => {
    const { scope } = operation;
    // In every run, the first operation of each scope stands for the others with the same.
    const others = isTorture || firstOf.get(scope) === operation ? [writeOf(scope), readOf(scope), 'none'] : [];
    const granted = new Set([scope, `all but ${scope}`, ...others]);
    return [...granted].map((name) => ({
      granted: name,
      operation,
      allowed: name === scope || name === writeOf(scope),
    }));
  });

  test.each(table.map((row) => [row.granted, row.allowed ? 'may' : 'may not', row.operation.name, row] as const))(
    'with %s %s %s',
    async (granted, _may, _name, { operation, allowed }) => {
      const path = `/v1${operation.route.replace(':id', unusedId('cus'))}`;
      const answer = await restricted.get(granted)!.request(operation.method, path);
      if (allowed) return expectAdmitted(answer);
      expectRefusal(answer, 'scope_missing');
      expect(answer.json.error.message).toContain(operation.scope);
    },
  );

  test('may ask what happened and search without any scope: it finds nothing that it may not read', async () => {
    const names = operations.filter((operation) => !ofOneKind.includes(operation)).map(({ name }) => name);
    expect(names).toEqual(['timeline.list', 'search.query']);
    const none = restricted.get('none')!;
    expectRefusal(await none.get(`/v1/timeline/${unusedId('cus')}`), 'scope_missing');
    const { id } = (await account.test.post('/v1/customers', {})).json;
    expect((await none.get(`/v1/search?q=${id}`)).json.data).toEqual([]);
  });

  /** Resources that use the scope of another. */
  const shared: Record<string, string> = {
    ...{ coupons: 'prices', invoice_items: 'invoices' },
    ...{ changes: 'events', setups: 'payment_methods' },
    ...{ reconciliations: 'balance', reconciliation_differences: 'balance' },
  };
  /** What a list below another object shows has the scope of its kind. */
  const shown: Record<string, string> = { payment_methods: 'payment_methods', deliveries: 'webhook_endpoints' };
  /** Requests with a body that write nothing. */
  const reading = ['invoices.preview'];

  test('every operation needs a scope of its own resource: to read for GET, to write for the rest', () => {
    for (const { name, method, route, scope } of ofOneKind) {
      const isRead = method === 'GET' || reading.includes(name);
      const [, first = ''] = route.split('/');
      const resource = shown[route.split('/').at(-1)!] ?? first;
      expect(scope).toBe(`${shared[resource] ?? resource}:${isRead ? 'read' : 'write'}`);
    }
  });

  test('with several scopes may do what each of them allows', async () => {
    const { client } = await server.key(account.id, { scopes: ['customers:write', 'events:read'] });
    const { id } = (await client.post('/v1/customers', {})).json;
    expect((await client.get(`/v1/customers/${id}`)).status).toBe(200);
    expect((await client.get('/v1/events')).status).toBe(200);
  });

  test('that is refused does nothing', async () => {
    const { id } = (await account.test.post('/v1/customers', { name: 'Ada' })).json;
    const reader = restricted.get('customers:read')!;
    expectRefusal(await reader.post(`/v1/customers/${id}`, { name: 'Eve' }), 'scope_missing');
    expectRefusal(await reader.delete(`/v1/customers/${id}`), 'scope_missing');
    expect((await account.test.get(`/v1/customers/${id}`)).json.name).toBe('Ada');
  });

  test('is not needed: a secret key may do everything', async () => {
    for (const { method, route } of operations) {
      const path = `/v1${route.replace(':id', unusedId('cus'))}`;
      expectAdmitted(await account.test.request(method, path));
    }
  });
});

describe('a key that is limited to addresses', () => {
  test.each([
    [['127.0.0.1'], true],
    [['127.0.0.1/32'], true],
    [['127.0.0.0/8'], true],
    [['0.0.0.0/0'], true],
    [['10.0.0.0/8', '::1', '127.0.0.1'], true],
    [['127.0.0.2'], false],
    [['10.0.0.0/8', '192.168.0.1'], false],
    [['::1'], false],
    [['::/0'], false],
    [[], false],
  ])('%j from 127.0.0.1: %s', async (allowedIps, allowed) => {
    const { client } = await server.key(account.id, { allowedIps });
    const answer = await client.get('/v1/events');
    if (allowed) return expect(answer.status).toBe(200);
    expectRefusal(answer, 'ip_not_allowed');
    expect(answer.json.error.message).toContain('127.0.0.1');
  });

  test('ignores X-Forwarded-For without a proxy', async () => {
    const { client } = await server.key(account.id, { allowedIps: ['10.0.0.1'] });
    const headers = { 'X-Forwarded-For': '10.0.0.1', 'X-Forwarded-Proto': 'https', Forwarded: 'for=10.0.0.1' };
    expectRefusal(await client.get('/v1/events', { headers }), 'ip_not_allowed');
  });
});

describe('a suspended account', () => {
  test('is refused with 403 within a second, in both modes, and served again once it is reactivated', async () => {
    const suspended = await server.account();
    const clients = [suspended.test, suspended.live];
    for (const client of clients) expect((await client.get('/v1/events')).status).toBe(200);
    await server.operator.run('accounts.suspend', { id: suspended.id });
    const since = Date.now();
    for (const client of clients) {
      expectRefusal(await refusedFrom(since, client), 'account_suspended');
      expectRefusal(await client.post('/v1/customers', {}), 'account_suspended');
    }
    await server.operator.run('accounts.resume', { id: suspended.id });
    for (const client of clients) {
      const served = await askUntil(
        () => client.get('/v1/events'),
        (answer) => answer.status === 200,
      );
      expect(served.status).toBe(200);
    }
  });
});

describe('test and live data', () => {
  test('never mix: lists, events and ids of one mode do not exist in the other', async () => {
    const both = await server.account();
    const clients: Record<Mode, Client> = { test: both.test, live: both.live };
    const made = { test: '', live: '' };
    for (const mode of ['test', 'live'] as const)
      made[mode] = (await clients[mode].post('/v1/customers', { name: mode })).json.id;
    for (const [mode, other] of [
      ['test', 'live'],
      ['live', 'test'],
    ] as const) {
      const customers = (await clients[mode].get('/v1/customers')).json.data;
      expect(customers.map((customer: { name: string }) => customer.name)).toEqual([mode]);
      const events = (await clients[mode].get('/v1/events')).json.data;
      expect(events.map((event: { data: { object: { id: string } } }) => event.data.object.id)).toEqual([made[mode]]);
      expectRefusal(await clients[mode].get(`/v1/customers/${made[other]}`), 'resource_missing', 'id');
    }
  });

  test('have separate idempotency keys', async () => {
    const headers = { 'Idempotency-Key': 'one for both' };
    const first = await account.test.post('/v1/customers', { name: 'test' }, headers);
    const second = await account.live.post('/v1/customers', { name: 'live' }, headers);
    expect([first.json.name, second.json.name]).toEqual(['test', 'live']);
  });
});

describe('last_used', () => {
  test('is written within a minute of a use, and exact to a minute', async () => {
    // Only the loops of the server are faked; everything else runs in real time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const hurried = await startServer();
    try {
      const user = await hurried.account();
      const used = await hurried.key(user.id, {});
      const idle = await hurried.key(user.id, {});
      const from = Date.now();
      expect((await used.client.get('/v1/events')).status).toBe(200);
      const to = Date.now();
      vi.advanceTimersByTime(60_000);
      const noted = await askUntil(
        async () => (await stored(used.id, hurried)).last_used?.getTime() ?? 0,
        (at) => at > 0,
      );
      expect(noted).toBeGreaterThanOrEqual(from);
      expect(noted).toBeLessThanOrEqual(to);
      expect((await stored(idle.id, hurried)).last_used).toBeNull();
    } finally {
      await hurried.stop();
      vi.useRealTimers();
    }
  });

  test('is written when the server stops', async () => {
    const brief = await startServer({ databaseUrl: server.databaseUrl });
    const { id, key } = await server.key(account.id, {});
    expect((await brief.client(key).get('/v1/events')).status).toBe(200);
    expect((await stored(id)).last_used).toBeNull();
    await brief.stop();
    expect(Math.abs((await stored(id)).last_used!.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('is not written for a key that is refused', async () => {
    const brief = await startServer({ databaseUrl: server.databaseUrl });
    const { id, key } = await server.key(account.id, { expiresAt: new Date(0) });
    await brief.client(key).get('/v1/events');
    await brief.stop();
    expect((await stored(id)).last_used).toBeNull();
  });
});
