import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { cookieOf, type TestPerson, testPassword } from '../../../test/person.ts';
import { approvedCard, cardOf } from '../../payments/payments/payments.fixture.ts';
import type { UserId } from '../users/user.ts';

let server: TestServer;
let shop: TestAccount;
let owner: TestPerson;
beforeAll(async () => {
  server = await startServer({ isAlone: true });
  shop = await server.account();
  owner = await server.person(shop.id, 'owner');
});
afterAll(() => server.stop());

const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const signIn = (fields: object) => visitor().post('/v1/sessions', fields);
const refused = (answer: { status: number; json: { error: { code: string } } }) => [
  answer.status,
  answer.json.error.code,
];

describe('signing in', () => {
  test('sets a cookie that scripts cannot read, and answers with the user, the accounts and a token', async () => {
    const answer = await signIn({ email: owner.email.toUpperCase(), password: testPassword });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      object: 'session',
      user: { id: owner.id, email: owner.email, totp_enabled: false },
      accounts: [{ id: shop.id, role: 'owner', status: 'active' }],
    });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-tollgate=[0-9A-Za-z]{46}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    const { rows } = await server.sql.query<{ hash: Buffer }>('select hash from sessions where id = $1', [
      answer.json.id,
    ]);
    expect(rows[0]!.hash.toString('base64')).not.toContain(cookieOf(answer).split('=')[1]);
  });

  test('begins a new session, whatever cookie the browser had', async () => {
    const planted = { Cookie: '__Host-tollgate=planted', Origin: server.baseUrl };
    const answer = await server.anonymous.post('/v1/sessions', { email: owner.email, password: testPassword }, planted);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).not.toContain('planted');
  });

  test.each([
    ['a wrong password', () => ({ email: owner.email, password: 'wrong horse battery staple' })],
    ['an email that nobody has', () => ({ email: 'nobody@example.com', password: testPassword })],
    ['a made-up link', () => ({ link: 'made-up' })],
  ])('with %s is refused with the same words', async (_, fields) => {
    const answer = await signIn(fields());
    expect(refused(answer)).toEqual([401, 'sign_in_failed']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['nothing', {}, 'parameter_missing', 'email'],
    ['no password', { email: 'a@example.com' }, 'parameter_missing', 'password'],
    ['a link and an email', { link: 'x', email: 'a@example.com' }, 'parameters_exclusive', 'link'],
  ])('with %s names the parameter', async (_, fields, code, param) => {
    expect((await signIn(fields)).json.error).toMatchObject({ code, param });
  });

  test.each([
    ['from another origin', { Origin: 'https://evil.example' }, { email: 'a@example.com' }],
    ['without an origin', {}, { email: 'a@example.com' }],
    ['by a form', null, 'email=a%40example.com&password=x'],
  ])('%s is refused', async (_, headers, body) => {
    const answer =
      headers === null
        ? await visitor().form('/v1/sessions', body as string)
        : await server.anonymous.post('/v1/sessions', body, headers);
    expect(refused(answer)).toEqual([403, 'csrf_invalid']);
  });

  test('with a link works once, also for two at the same moment, and for 15 minutes', async () => {
    const link = async () =>
      (await server.operator.run<{ token: string }>('sessions.create_link', { id: owner.id })).token;
    const first = await link();
    const both = await Promise.all([signIn({ link: first }), signIn({ link: first })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const second = await link();
    await server.sql.query(`update sign_in_links set expires_at = expires_at - interval '15 minutes'`);
    const late = await signIn({ link: second });
    expect(refused(late)).toEqual([401, 'sign_in_failed']);
    expect(late.json.error.message).toMatch(
      /^This sign-in link expired at \S+Z\. A link works for 15 minutes\. .*"npx tollgate dashboard"/,
    );
    const other = second.slice(0, -1) + (second.endsWith('x') ? 'y' : 'x');
    for (const link of [first, 'no-token', other])
      expect((await signIn({ link })).json.error.message).toMatch(
        /^This sign-in link was used before, or .*once\. To get/,
      );
  });

  test('ten times with a wrong password locks the email for this address, for the right password too', async () => {
    const person = await server.person(shop.id, 'viewer');
    const tries = Array.from({ length: 12 }, () => signIn({ email: person.email, password: 'wrong-wrong-wrong' }));
    const codes = (await Promise.all(tries)).map((answer) => answer.json.error.code);
    expect(codes.filter((code) => code === 'sign_in_failed')).toHaveLength(10);
    expect(codes.filter((code) => code === 'sign_in_locked')).toHaveLength(2);
    const right = await signIn({ email: person.email, password: testPassword });
    expect(refused(right)).toEqual([429, 'sign_in_locked']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(880);
    await server.sql.query(`update sign_in_failures set last_at = last_at - interval '15 minutes'`);
    expect((await signIn({ email: person.email, password: testPassword })).status).toBe(200);
  });

  test('a hundred times from addresses that the user never signed in from locks it for those, and not for its own', async () => {
    const person = await server.person(shop.id, 'viewer');
    const { signIns } = server.gateway.services;
    const from = (address: string) => ({ email: person.email, address, users: [person.id as UserId] });
    for (let at = 0; at < 100; at++) await signIns.count(from(`2001:db8:${at}::1`));
    await expect(signIns.count(from('2001:db8:ffff::1'))).rejects.toThrow('Too many failed sign-ins');
    expect((await signIn({ email: person.email, password: testPassword })).status).toBe(200);
  });

  test('counts addresses of one IPv6 /64 as one', async () => {
    const { signIns } = server.gateway.services;
    const tried = (at: number) => ({ email: 'one-network@example.com', address: `2001:db8:0:7::${at}`, users: [] });
    for (let at = 1; at <= 10; at++) await signIns.count(tried(at));
    await expect(signIns.count(tried(11))).rejects.toThrow('Too many failed sign-ins');
  });

  test('fails for unknown emails as often as for known ones', async () => {
    const tries = Array.from({ length: 11 }, () =>
      signIn({ email: 'ghost@example.com', password: 'wrong-wrong-wrong' }),
    );
    const codes = (await Promise.all(tries)).map((answer) => answer.json.error.code);
    expect(codes.filter((code) => code === 'sign_in_locked')).toHaveLength(1);
  });
});

describe('a session', () => {
  test('calls what a key can call, in the account and the mode of its headers', async () => {
    const made = await owner.client.post('/v1/customers', { name: 'Ada' });
    expect(made.status).toBe(200);
    expect((await shop.test.get(`/v1/customers/${made.json.id}`)).status).toBe(200);
    expect((await owner.client.with({ 'X-Tollgate-Mode': 'live' }).get(`/v1/customers/${made.json.id}`)).status).toBe(
      404,
    );
  });

  test.each([
    ['no account', { 'X-Tollgate-Account': undefined }, 400, 'parameter_missing'],
    ['no mode', { 'X-Tollgate-Mode': undefined }, 400, 'parameter_missing'],
    ['another mode', { 'X-Tollgate-Mode': 'both' }, 400, 'parameter_invalid'],
    ['an account that does not exist', { 'X-Tollgate-Account': 'acct_x' }, 403, 'role_missing'],
    ['a cookie that nobody has', { Cookie: '__Host-tollgate=nobody' }, 401, 'session_invalid'],
  ])('with %s is refused', async (_, headers, status, code) => {
    expect(refused(await owner.client.with(headers).get('/v1/customers'))).toEqual([status, code]);
  });

  test('has no role in the account of others', async () => {
    const other = await server.account();
    const answer = await owner.client.with({ 'X-Tollgate-Account': other.id }).get('/v1/customers');
    expect(refused(answer)).toEqual([403, 'role_missing']);
  });

  test.each([
    ['the token', { 'X-Tollgate-CSRF': undefined }],
    ['the right token', { 'X-Tollgate-CSRF': 'x'.repeat(43) }],
    ['an origin', { Origin: undefined }],
    ['its own origin', { Origin: 'https://evil.example' }],
    ['JSON', { 'Content-Type': 'text/plain' }],
  ])('changes nothing without %s', async (_, headers) => {
    const answer = await owner.client.with(headers).post('/v1/customers', '{"name":"Eve"}', {
      'Content-Type': 'application/json',
      ...headers,
    });
    expect(refused(answer)).toEqual([403, 'csrf_invalid']);
  });

  test('is found although its address has used up its requests without one', async () => {
    const alone = await startServer({ databaseUrl: server.databaseUrl });
    const person = await alone.person(shop.id, 'viewer');
    expect((await person.client.get('/v1/customers')).status).toBe(200);
    while ((await alone.anonymous.get('/v1/customers')).status !== 429);
    expect((await person.client.get('/v1/customers')).status).toBe(200);
    expect((await person.client.with({ Cookie: '__Host-tollgate=nobody' }).get('/v1/customers')).status).toBe(429);
    await alone.stop();
  });

  test('ends nothing without the token', async () => {
    const answer = await owner.alone.with({ 'X-Tollgate-CSRF': undefined }).delete('/v1/sessions');
    expect(refused(answer)).toEqual([403, 'csrf_invalid']);
    expect((await owner.alone.get('/v1/sessions/current')).status).toBe(200);
  });

  test('is ignored beside a key, even a bad one', async () => {
    const answer = await owner.client.with({ Authorization: 'Bearer sk_test_tg_bad' }).get('/v1/customers');
    expect(refused(answer)).toEqual([401, 'api_key_invalid']);
  });

  test('is nothing that a key could find', async () => {
    expect(refused(await shop.test.get('/v1/sessions/current'))).toEqual([404, 'url_unrecognized']);
  });

  test('has a separate window for its requests', async () => {
    const { headers } = await owner.client.get('/v1/customers');
    expect(headers['x-ratelimit-limit']).toBe('600');
    expect(headers['ratelimit-policy']).toBe('"person";q=600;w=60');
  });

  test('ends immediately when its owner signs out', async () => {
    const again = await owner.signInAgain();
    expect((await again.get('/v1/sessions/current')).json.user.id).toBe(owner.id);
    const ended = await again.delete('/v1/sessions/current');
    expect(ended.json).toEqual({ object: 'sessions_ended', count: 1 });
    expect(ended.headers['set-cookie']![0]).toMatch(/^__Host-tollgate=; Path=\/; Max-Age=0;/);
    expect(refused(await again.get('/v1/sessions/current'))).toEqual([401, 'session_invalid']);
  });

  test('ends with all others of its user, and with no session of anybody else', async () => {
    const person = await server.person(shop.id, 'viewer');
    const second = await person.signInAgain();
    expect((await second.delete('/v1/sessions')).json.count).toBe(2);
    expect(refused(await person.alone.get('/v1/sessions/current'))).toEqual([401, 'session_invalid']);
    expect((await owner.alone.get('/v1/sessions/current')).status).toBe(200);
  });

  test.each([
    ['12 hours without use', `last_used = last_used - interval '12 hours'`],
    ['7 days', `expires_at = expires_at - interval '7 days'`],
  ])('ends after %s', async (_, change) => {
    const person = await server.person(shop.id, 'viewer');
    await server.sql.query(`update sessions set ${change} where user_id = $1`, [person.id]);
    await expect.poll(async () => (await person.alone.get('/v1/sessions/current')).status, { interval: 100 }).toBe(401);
  });

  test('is part of what an idempotency key is compared by', async () => {
    const other = await server.person(shop.id, 'owner');
    const headers = { 'Idempotency-Key': 'one-key' };
    const first = await owner.client.post('/v1/customers', { name: 'Ada' }, headers);
    const again = await owner.client.post('/v1/customers', { name: 'Ada' }, headers);
    expect(again.json.id).toBe(first.json.id);
    const foreign = await other.client.post('/v1/customers', { name: 'Ada' }, headers);
    expect(refused(foreign)).toEqual([400, 'idempotency_key_reused']);
  });

  test('leaves an entry in the audit log for each change: who, what, from where', async () => {
    const made = await owner.client.post('/v1/customers', { name: 'Ada' });
    const { rows } = await server.sql.query(
      'select actor, action, account, user_id, address, request_id from audit where subject = $1',
      [made.json.id],
    );
    expect(rows).toEqual([
      {
        actor: owner.email,
        action: 'customers.create',
        account: shop.id,
        user_id: owner.id,
        address: '127.0.0.1',
        request_id: made.headers['request-id'],
      },
    ]);
  });
});

describe('a role', () => {
  const payment = async () => {
    const method = await shop.test.post('/v1/payment_methods', cardOf(approvedCard));
    const fields = { amount: 500, currency: 'usd', payment_method: method.json.id };
    return (await shop.test.post('/v1/payments', fields)).json.id as string;
  };

  test.each([
    ['owner', [200, 200, 200]],
    ['developer', [200, 200, 200]],
    ['support', [200, 403, 200]],
    ['viewer', [200, 403, 403]],
  ] as const)('%s reads, changes and refunds in test mode: %s', async (role, statuses) => {
    const { client } = await server.person(shop.id, role);
    const id = await payment();
    const answers = [
      await client.get('/v1/payments'),
      await client.post('/v1/customers', { name: 'Ada' }),
      await client.post('/v1/refunds', { payment: id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const answer of answers) if (answer.status === 403) expect(answer.json.error.code).toBe('role_missing');
  });

  test('of a developer neither refunds nor routes in live mode', async () => {
    const { client } = await server.person(shop.id, 'developer', { mode: 'live' });
    expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
    expect(refused(await client.post('/v1/refunds', { payment: 'pay_x' }))).toEqual([403, 'role_missing']);
    expect(refused(await client.post('/v1/routing', { rules: [] }))).toEqual([403, 'role_missing']);
  });
});
