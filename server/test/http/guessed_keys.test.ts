import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { newId } from '../../base/id.ts';
import { openPool, type Pool } from '../../base/sql.ts';
import { AddressLimiter } from '../../http/admission/address_limit.ts';
import { Authenticator } from '../../http/admission/authenticate.ts';
import { LastSeenKeys } from '../../http/admission/last_seen.ts';
import { sessionCookie } from '../../http/admission/session_lookup.ts';
import { makeKey } from '../../resources/people/api_keys/api_key.ts';
import { newToken } from '../../resources/people/sessions/session.ts';
import type { Answer } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { signedIn } from '../person.ts';
import { shareOf } from '../torture.ts';
import { expectRefusal } from './support.ts';

/** Made-up keys with the right checksum. The limit of an address is 100 a minute. */
const guesses = shareOf(100_000, 400);
const limit = 100;
/** Beyond the limit, so that strangers cannot keep out those who share their address. */
const lookupsBeyond = 20;
const guesser = '203.0.113.7';
const merchant = '203.0.113.1';

// Behind a proxy, so that requests can come from any address.
const environment = { TLS: 'proxy', TRUSTED_PROXIES: '127.0.0.1' };

let server: TestServer;
let account: TestAccount;
let clock: VirtualClock;
let pool: Pool;
let lookedUp: string[];
let sessionsLookedUp: number;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ isAlone: true, environment, clock });
  account = await server.account();
  pool = openPool(
    { connectionString: server.databaseUrl },
    { use: 'reads', connectionsMax: 1, onError: () => undefined },
  );
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

/** Every test begins with new windows, and notes which hashes the server asks the database for. */
beforeEach(() => {
  clock.advance(60_000);
  lookedUp = [];
  sessionsLookedUp = 0;
  const pools = Object.getPrototypeOf(pool) as Pool;
  const query = pools.query as (...args: unknown[]) => unknown;
  vi.spyOn(pools, 'query').mockImplementation(function (this: Pool, ...args: unknown[]) {
    const { name, text, values } = args[0] as { name?: string; text: string; values: [Buffer[]] };
    if (name === 'keys_by_hash') lookedUp.push(...values[0].map((hash) => hash.toString('base64')));
    if (text?.includes('from sessions s join users')) sessionsLookedUp++;
    return query.apply(this, args) as never;
  });
  // On a cluster, keys in use are read again every 15 seconds, which is no lookup for a request.
  vi.spyOn(LastSeenKeys.prototype, 'inUse').mockReturnValue([]);
});
afterEach(() => vi.restoreAllMocks());

function ask(key: string, address: string): Promise<Answer> {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': address };
  return server.client(key).get('/v1/events', { headers });
}

const guess = (address: string) => ask(makeKey('secret', 'live').open(), address);

/** In waves, as many at a time as the client has connections. */
async function guessAll(count: number, address: string, between: () => Promise<void>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const wave = Math.min(300, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: wave }, () => guess(address)))));
    await between();
  }
  return answers;
}

/** Keys of the account that no request has used yet. */
async function newKeys(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => makeKey('secret', 'test').open());
  await server.sql.query(
    `insert into api_keys (id, tenant, hash, hint, name, version)
     select x.id, t.tenant, x.hash, 'abcd', 'key', 1
       from unnest($2::text[], $3::bytea[]) as x (id, hash) join tenants t on t.account = $1 and t.mode = 'test'`,
    [
      account.id,
      keys.map(() => newId('key', Date.now())),
      keys.map((key) => server.gateway.keyring.hmac('api_key', key)),
    ],
  );
  return keys;
}

describe('guessed keys with a right checksum', () => {
  test(`${guesses} from one address cost as many database reads as its limit and twenty more, and end in 429`, async () => {
    expect((await ask(account.testKey, merchant)).status).toBe(200);
    expect((await ask(account.testKey, merchant)).status).toBe(200);
    lookedUp = [];
    const answers = await guessAll(guesses, guesser, async () => {
      expect((await ask(account.testKey, merchant)).status).toBe(200);
    });
    // Not one of them is the merchant's: its key stays cached.
    expect(lookedUp).toHaveLength(limit + lookupsBeyond);
    expect(lookedUp).not.toContain(server.gateway.keyring.hmac('api_key', account.testKey).toString('base64'));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(guesses - limit);
    expectRefusal(answers[0]!, 'api_key_invalid', 'Authorization');
    expectRefusal(answers.at(-1)!, 'rate_limited');
  });

  test('from ever new addresses do not push a valid key out of the cache', async () => {
    const addresses = new AddressLimiter(clock);
    const keys = new Authenticator(server.gateway.keyring, pool, clock, {
      addresses,
      lastSeen: new LastSeenKeys(clock, 0),
    });
    const find = (key: string, address: string) => keys.authenticate(`Bearer ${key}`, new Socket(), address);
    for (let at = 0; at < 2; at++) expect(await find(account.testKey, merchant)).toHaveProperty('key');
    lookedUp = [];
    // More than either cache holds.
    for (let at = 0; at < 102; at++) {
      const guessed = Array.from({ length: limit }, () => makeKey('secret', 'live').open());
      await Promise.all(guessed.map((key) => find(key, `198.51.100.${at}`)));
    }
    expect(lookedUp).toHaveLength(102 * limit);
    expect(await find(account.testKey, merchant)).toHaveProperty('key');
    expect(lookedUp).toHaveLength(102 * limit);
  });

  test('a key that is guessed again is not looked up again', async () => {
    const key = makeKey('secret', 'live').open();
    for (let at = 0; at < 3; at++) expectRefusal(await ask(key, `203.0.113.${at}`), 'api_key_invalid', 'Authorization');
    expect(lookedUp).toHaveLength(1);
  });
});

describe('from an address that has used up its limit', () => {
  async function useUp(): Promise<void> {
    await Promise.all(Array.from({ length: limit }, () => guess(guesser)));
    expectRefusal(await guess(guesser), 'rate_limited');
  }

  test('a valid key that the server knows is served, also when it has to be read again', async () => {
    expect((await ask(account.testKey, guesser)).status).toBe(200);
    await useUp();
    lookedUp = [];
    clock.advance(5_000);
    expect((await ask(account.testKey, guesser)).status).toBe(200);
    expect(lookedUp).toHaveLength(1);
  });

  test('valid keys that the server has not seen before are served, and do not use up what is left', async () => {
    await useUp();
    const keys = await newKeys(3 * lookupsBeyond);
    for (const key of keys) expect((await ask(key, guesser)).status).toBe(200);
    expect((await ask(keys[0]!, guesser)).status).toBe(200);
  });

  test('a valid session that the server has not seen before is served', async () => {
    const anonymous = server.anonymous.with({ 'X-Forwarded-Proto': 'https' });
    const baseUrl = `https://localhost:${server.gateway.port}`;
    const person = await signedIn({ operator: server.operator, anonymous, baseUrl }, account.id, 'viewer');
    const other = await startServer({ databaseUrl: server.databaseUrl, environment, clock });
    onTestFinished(() => other.stop());
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': guesser };
    for (let at = 0; at <= limit; at++) await other.anonymous.get('/v1/me', { headers });
    expect((await other.anonymous.get('/v1/me', { headers: { ...headers, Cookie: person.cookie } })).status).toBe(200);
  });

  test('a key that the server does not know is 429 until the next minute once twenty more were guessed, and no database read', async () => {
    const [key = ''] = await newKeys(1);
    await useUp();
    for (let at = 1; at < lookupsBeyond; at++) expectRefusal(await guess(guesser), 'rate_limited');
    lookedUp = [];
    expectRefusal(await ask(key, guesser), 'rate_limited');
    expect(lookedUp).toEqual([]);
    clock.advance(60_000);
    expect((await ask(key, guesser)).status).toBe(200);
  });

  test('a key that exists when the server starts is served, however many were guessed', async () => {
    const [key = ''] = await newKeys(1);
    const other = await startServer({ databaseUrl: server.databaseUrl, environment, clock });
    onTestFinished(() => other.stop());
    const askOther = (tried: string) =>
      other.client(tried).get('/v1/events', { headers: { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': guesser } });
    for (let at = 0; at < limit + lookupsBeyond; at++) await askOther(makeKey('secret', 'live').open());
    expect((await askOther(key)).status).toBe(200);
  });
});

test('more valid keys than the limit of an address, used for the first time at one moment, are all served', async () => {
  const keys = await newKeys(limit + 30);
  const answers = await Promise.all(keys.map((key) => ask(key, guesser)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('a valid key that many requests of one moment use for the first time is served to all of them', async () => {
  const [key = ''] = await newKeys(1);
  const answers = await Promise.all(Array.from({ length: 250 }, () => ask(key, guesser)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(lookedUp.length).toBeLessThanOrEqual(3);
});

test('session tokens that are guessed at one moment cost as many database reads as their address has requests left, and twenty more', async () => {
  const askAs = (token: string) =>
    server.client('').get('/v1/me', {
      headers: {
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-For': guesser,
        Authorization: undefined,
        Cookie: `${sessionCookie}=${token}`,
      },
    });
  const answers = await Promise.all(Array.from({ length: 250 }, () => askAs(newToken().open())));
  expect(sessionsLookedUp).toBe(limit + lookupsBeyond);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
});
