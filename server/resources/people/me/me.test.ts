import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { cookieOf, fromBase32, type TestPerson, testPassword } from '../../../test/person.ts';
import { codeAt, stepAt } from '../users/totp.ts';

let clock: VirtualClock;
let server: TestServer;
let shop: TestAccount;
/** Two whose password and authenticator no test changes. */
let somebody: TestPerson;
let somebodyElse: TestPerson;
beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  shop = await server.account();
  somebody = await server.person(shop.id, 'viewer');
  somebodyElse = await server.person(shop.id, 'owner');
});
afterAll(() => server.stop());

const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const signIn = (person: TestPerson, fields: object = {}) =>
  visitor().post('/v1/sessions', { email: person.email, password: person.password, ...fields });
const nextStep = () => clock.advance(30_000);
const isOpen = async (client: Client) => (await client.get('/v1/sessions/current')).status === 200;

/** A person with an authenticator, and the codes that it shows. */
async function enrolled() {
  const person = await server.person(shop.id, 'viewer');
  const { secret, token } = (await person.alone.post('/v1/me/totp')).json;
  const code = (steps = 0) => codeAt(fromBase32(secret), stepAt(clock.now()) + steps);
  const confirmed = await person.alone.post('/v1/me/totp/confirm', { token, password: testPassword, code: code() });
  expect(confirmed.status, confirmed.text).toBe(200);
  nextStep();
  return { ...person, secret, code, recovery: confirmed.json.codes as string[] };
}

test('GET /v1/me shows the person who has signed in, in no account', async () => {
  expect((await somebody.alone.get('/v1/me')).json).toMatchObject({
    id: somebody.id,
    object: 'me',
    email: somebody.email,
    totp_enabled: false,
    recovery_codes_left: 0,
  });
  expect(refused(await shop.test.get('/v1/me'))).toEqual([404, 'url_unrecognized', undefined]);
});

describe('a new password', () => {
  const chosen = 'a new password of mine';

  test('ends all other sessions, on every instance, and not this one', async () => {
    const other = await startServer({ databaseUrl: server.databaseUrl });
    const person = await server.person(shop.id, 'viewer');
    const cookie = cookieOf(await signIn(person));
    const elsewhere = visitor().with({ Cookie: cookie });
    const onOther = other.anonymous.with({ Cookie: cookie });
    expect(await isOpen(onOther)).toBe(true);
    const changed = await person.alone.post('/v1/me/password', { password: testPassword, new_password: chosen });
    expect(changed.status, changed.text).toBe(200);
    expect(await isOpen(elsewhere)).toBe(false);
    expect(await isOpen(person.alone)).toBe(true);
    await expect.poll(() => isOpen(onOther), { timeout: 1_500, interval: 50 }).toBe(false);
    await other.stop();
    expect(refused(await signIn(person))).toEqual([401, 'sign_in_failed', undefined]);
    expect((await signIn(person, { password: chosen })).status).toBe(200);
  });

  test('ends a session that began with the old one and is written later', async () => {
    const person = await server.person(shop.id, 'viewer');
    const late = await person.signInAgain();
    await person.alone.post('/v1/me/password', { password: testPassword, new_password: chosen });
    // As a sign-in leaves it whose password was checked before the change, and which was committed after it.
    await server.sql.query('update sessions set ended_at = null where user_id = $1', [person.id]);
    expect(await isOpen(late)).toBe(false);
    expect((await person.alone.get('/v1/me/sessions')).json.data).toHaveLength(1);
  });

  test.each([
    ['a wrong old one', { password: 'not my password', new_password: chosen }, 'password'],
    ['11 characters', { password: testPassword, new_password: 'elevenchars' }, 'new_password'],
    ['one of the commonest', { password: testPassword, new_password: '1Q2w3E4r5T6y' }, 'new_password'],
    ['the old one', { password: testPassword, new_password: testPassword }, 'new_password'],
  ])('is refused with %s', async (_, fields, param) => {
    expect(refused(await somebody.alone.post('/v1/me/password', fields))).toEqual([400, 'parameter_invalid', param]);
  });

  test('takes a code where an authenticator is set up, and none where there is not', async () => {
    const person = await enrolled();
    const change = (fields: object) =>
      person.alone.post('/v1/me/password', { password: testPassword, new_password: chosen, ...fields });
    for (
      let round = 0;
      round < 12;
      round++ // a right password without a code is no failure
    )
      expect(refused(await change({}))).toEqual([401, 'code_required', 'code']);
    expect(refused(await change({ code: '000000' }))).toEqual([400, 'parameter_invalid', 'code']);
    expect((await signIn(person)).json.error.code).toBe('code_required'); // the password is the old one
    const code = person.code();
    expect((await change({ code })).status).toBe(200);
    nextStep();
    expect(refused(await signIn(person, { password: chosen, code }))).toEqual([401, 'sign_in_failed', undefined]);
    expect((await signIn(person, { password: chosen, code: person.code() })).status).toBe(200);
    const fields = { password: testPassword, new_password: chosen, code: '123456' };
    expect(refused(await somebody.alone.post('/v1/me/password', fields))).toEqual([400, 'parameter_invalid', 'code']);
  });

  test('cannot be found out by somebody who has the browser: tries count as failed sign-ins', async () => {
    const person = await server.person(shop.id, 'viewer');
    const guess = { password: 'not my password', new_password: chosen };
    const tries = Array.from({ length: 11 }, () => person.alone.post('/v1/me/password', guess));
    const codes = (await Promise.all(tries)).map((answer) => answer.json.error.code);
    expect(codes.filter((code) => code === 'sign_in_locked')).toHaveLength(1);
    expect(refused(await signIn(person))).toEqual([429, 'sign_in_locked', undefined]);
  });
});

describe('an authenticator', () => {
  test('is stored sealed, when it is confirmed', async () => {
    const person = await server.person(shop.id, 'viewer');
    const { secret, uri, token } = (await person.alone.post('/v1/me/totp')).json;
    expect(uri).toBe(
      `otpauth://totp/${encodeURIComponent(`Tollgate ${new URL(server.baseUrl).host}`)}:${encodeURIComponent(person.email)}` +
        `?secret=${secret}&issuer=${encodeURIComponent(`Tollgate ${new URL(server.baseUrl).host}`)}&algorithm=SHA1&digits=6&period=30`,
    );
    const stored = async () =>
      (await server.sql.query('select totp_secret from users where id = $1', [person.id])).rows[0].totp_secret;
    expect(await stored()).toBeNull();
    const code = codeAt(fromBase32(secret), stepAt(clock.now()));
    await person.alone.post('/v1/me/totp/confirm', { token, password: testPassword, code });
    expect((await stored()).includes(fromBase32(secret))).toBe(false);
    expect((await person.alone.get('/v1/me')).json).toMatchObject({ totp_enabled: true, recovery_codes_left: 10 });
  });

  test.each([
    ['a wrong password', { password: 'not my password' }, 'password'],
    ['a wrong code', { code: '000000' }, 'code'],
    ['the token of somebody else', { token: 'others' }, 'token'],
    ['a made-up token', { token: 'made-up' }, 'token'],
    ['an old token', { token: 'old' }, 'token'],
  ])('is not set up with %s', async (_, wrong, param) => {
    const [person, other] = [somebody, somebodyElse];
    const mine = (await person.alone.post('/v1/me/totp')).json;
    const tokens: Record<string, string> = {
      others: (await other.alone.post('/v1/me/totp')).json.token,
      old: mine.token,
    };
    if ('token' in wrong && wrong.token === 'old') clock.advance(15 * 60_000);
    const code = codeAt(fromBase32(mine.secret), stepAt(clock.now()));
    const fields = { token: mine.token, password: testPassword, code, ...wrong };
    const sent = { ...fields, token: tokens[fields.token] ?? fields.token };
    const answer = await person.alone.post('/v1/me/totp/confirm', sent);
    expect(refused(answer)).toEqual([400, 'parameter_invalid', param]);
    expect((await person.alone.get('/v1/me')).json.totp_enabled).toBe(false);
  });

  test('is begun once for one idempotency key, and that of somebody else is not shown', async () => {
    const headers = { 'Idempotency-Key': 'enrolment' };
    const first = await somebody.alone.post('/v1/me/totp', {}, headers);
    expect((await somebody.alone.post('/v1/me/totp', {}, headers)).json).toEqual(first.json);
    const other = await somebodyElse.alone.post('/v1/me/totp', {}, headers);
    expect(refused(other)).toEqual([400, 'idempotency_key_reused', 'Idempotency-Key']);
  });

  test('is not replaced by the password alone', async () => {
    const person = await enrolled();
    const { secret, token } = (await person.alone.post('/v1/me/totp')).json;
    const code = codeAt(fromBase32(secret), stepAt(clock.now()));
    const answer = await person.alone.post('/v1/me/totp/confirm', { token, password: testPassword, code });
    expect(refused(answer)).toEqual([400, 'parameter_invalid', 'token']);
  });

  test('is asked for when signing in, which is not a failure', async () => {
    const person = await enrolled();
    for (let round = 0; round < 2; round++) {
      const tries = await Promise.all(Array.from({ length: 6 }, () => signIn(person)));
      for (const one of tries) expect(refused(one)).toEqual([401, 'code_required', 'code']);
    }
    const answer = await signIn(person, { code: person.code() });
    expect(answer.json.user).toMatchObject({ id: person.id, totp_enabled: true });
  });

  test('shows codes that work one step away, once, and not two', async () => {
    const person = await enrolled();
    const tried = [];
    for (const steps of [-2, -1, -1, 0, 0, 2, 1, 1, 0]) {
      if (tried.length === 0) nextStep(); // the code of the step before was not used yet
      tried.push((await signIn(person, { code: person.code(steps) })).status);
    }
    expect(tried).toEqual([401, 200, 401, 200, 401, 401, 200, 401, 401]);
  });

  test('shows a code that lets one of two in who use it at the same moment', async () => {
    const person = await enrolled();
    const answers = await Promise.all(Array.from({ length: 2 }, () => signIn(person, { code: person.code() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const rows = await server.sql.query('select count(*)::int as count from sessions where user_id = $1', [person.id]);
    expect(rows.rows[0].count).toBe(2); // with the session of the enrolment
  });

  test('cannot be guessed: wrong codes lock the email, and a right one does not open it', async () => {
    const person = await enrolled();
    const tries = Array.from({ length: 11 }, (_, at) => signIn(person, { code: `wrong-${at}` }));
    const codes = (await Promise.all(tries)).map((answer) => answer.json.error.code);
    expect(codes.filter((code) => code === 'sign_in_failed')).toHaveLength(10);
    expect(refused(await signIn(person, { code: person.code() }))).toEqual([429, 'sign_in_locked', undefined]);
  });

  test('has ten tries an hour for a user, from whatever address and by whatever way', async () => {
    const person = await enrolled();
    const proof = { password: testPassword, code: '000000' };
    const ways = [
      () => signIn(person, { code: '000000' }),
      () => person.alone.post('/v1/me/totp/disable', proof),
      () => person.alone.post('/v1/me/recovery_codes', proof),
      () => person.alone.post('/v1/me/password', { ...proof, new_password: 'a new password of mine' }),
    ];
    // Another address has another counter of failed sign-ins.
    const asIfFromElsewhere = () => server.sql.query('delete from sign_in_failures');
    for (let at = 0; at < 10; at++) {
      expect((await ways[at % ways.length]!()).json.error.code).toMatch(/^(sign_in_failed|parameter_invalid)$/);
      await asIfFromElsewhere();
    }
    for (const way of [...ways, () => signIn(person, { code: person.code() })]) {
      const locked = await way();
      expect(refused(locked)).toEqual([429, 'sign_in_locked', undefined]);
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(3_000);
      await asIfFromElsewhere();
    }
    expect(refused(await signIn(person))).toEqual([401, 'code_required', 'code']);
    await server.sql.query(`update code_tries set since = since - interval '1 hour' where user_id = $1`, [person.id]);
    for (let at = 0; at < 12; at++) {
      // right ones are not counted
      expect((await signIn(person, { code: person.code() })).status).toBe(200);
      nextStep();
    }
  });

  test('is switched off with the password and a code, and with nothing less', async () => {
    const person = await enrolled();
    const off = (fields: object) => person.alone.post('/v1/me/totp/disable', fields);
    const password = testPassword;
    expect(refused(await off({ password }))).toEqual([400, 'parameter_missing', 'code']);
    expect(refused(await off({ password, code: '000000' }))).toEqual([400, 'parameter_invalid', 'code']);
    expect(refused(await off({ password: 'x', code: person.code() }))).toEqual([400, 'parameter_invalid', 'password']);
    expect((await off({ password, code: person.code() })).json).toMatchObject({
      totp_enabled: false,
      recovery_codes_left: 0,
    });
    expect((await signIn(person)).status).toBe(200);
    expect(refused(await off({ password, code: '000000' }))).toEqual([400, 'parameter_invalid', 'code']);
  });
});

describe('a recovery code', () => {
  test('is used in place of a code, once, however it is spelt', async () => {
    const person = await enrolled();
    expect(new Set(person.recovery)).toHaveProperty('size', 10);
    const [first, second] = person.recovery as [string, string];
    expect((await signIn(person, { code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
    expect(refused(await signIn(person, { code: first }))).toEqual([401, 'sign_in_failed', undefined]);
    const both = await Promise.all([signIn(person, { code: second }), signIn(person, { code: second })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await person.alone.get('/v1/me')).json.recovery_codes_left).toBe(8);
  });

  test('is stored hashed, is not that of anybody else, and stops working when new ones are made', async () => {
    const [person, other] = [await enrolled(), await enrolled()];
    const { rows } = await server.sql.query('select recovery_codes::text as text from users where id = $1', [
      person.id,
    ]);
    for (const code of person.recovery) expect(rows[0].text).not.toContain(code);
    expect((await signIn(other, { code: person.recovery[0] })).status).toBe(401);
    const renewed = await person.alone.post('/v1/me/recovery_codes', {
      password: testPassword,
      code: person.recovery[9],
    });
    expect(renewed.json.codes).toHaveLength(10);
    expect((await signIn(person, { code: person.recovery[0] })).status).toBe(401);
    expect((await signIn(person, { code: renewed.json.codes[0] })).status).toBe(200);
  });
});

describe('my sessions', () => {
  test('are listed with where they began, and each can be ended, by nobody else', async () => {
    const person = await server.person(shop.id, 'viewer');
    clock.advance(1_000);
    const second = await person.signInAgain();
    const [newer, older] = (await second.get('/v1/me/sessions')).json.data;
    expect(newer).toMatchObject({ object: 'session', address: '127.0.0.1', current: true });
    expect(older).toMatchObject({ current: false, last_used: expect.any(Number), created: expect.any(Number) });
    expect(refused(await somebodyElse.alone.delete(`/v1/me/sessions/${older.id}`))).toEqual([
      404,
      'resource_missing',
      'id',
    ]);
    const ended = await second.delete(`/v1/me/sessions/${older.id}`);
    expect(ended.json).toEqual({ object: 'sessions_ended', count: 1 });
    expect(ended.headers['set-cookie']).toBeUndefined();
    expect(await isOpen(person.alone)).toBe(false);
    expect(refused(await second.delete(`/v1/me/sessions/${older.id}`))).toEqual([404, 'resource_missing', 'id']);
    const last = await second.delete(`/v1/me/sessions/${newer.id}`);
    expect(cookieOf(last)).toBe('__Host-tollgate=');
  });

  test('are listed in pages', async () => {
    const person = await server.person(shop.id, 'viewer');
    for (let more = 0; more < 2; more++) await person.signInAgain();
    const first = (await person.alone.get('/v1/me/sessions?limit=2')).json;
    expect(first).toMatchObject({ has_more: true, url: '/v1/me/sessions' });
    const rest = (await person.alone.get(`/v1/me/sessions?starting_after=${first.data[1].id}`)).json;
    expect(rest.has_more).toBe(false);
    const all = [...first.data, ...rest.data];
    expect(all.map(({ current }) => current).sort()).toEqual([false, false, true]);
  });
});

describe('a link of the operator', () => {
  const linkFor = async (user: string, parameters: { clear_totp?: boolean } = {}) => {
    const made = await server.operator.run<{ url: string }>('me.create_reset_link', { id: user, parameters });
    return made.url.split('#reset=')[1]!;
  };
  const password = 'the password after the loss';
  const reset = (fields: object) => visitor().post('/v1/me/reset', fields);

  test('sets a new password once, signs in, and ends all sessions', async () => {
    const person = await server.person(shop.id, 'owner');
    const token = await linkFor(person.email.toUpperCase());
    const answers = await Promise.all([reset({ token, password }), reset({ token, password })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(refused(await reset({ token, password }))).toEqual([400, 'parameter_invalid', 'token']);
    expect(await isOpen(person.alone)).toBe(false);
    const { json, ...rest } = answers.find(({ status }) => status === 200)!;
    const client = visitor().with({ Cookie: cookieOf({ json, ...rest }) });
    expect((await client.get('/v1/me')).json.email).toBe(person.email);
    expect((await signIn(person, { password })).status).toBe(200);
    const { rows } = await server.sql.query(
      `select action, actor, account from audit where subject = $1 and action like 'user.%' order by id`,
      [person.id],
    );
    expect(rows.slice(1)).toEqual([
      { action: 'user.reset_link_created', actor: 'test', account: shop.id },
      { action: 'user.password_reset', actor: person.email, account: shop.id },
    ]);
  });

  test('still takes a code, unless it says that the authenticator is lost', async () => {
    const person = await enrolled();
    const token = await linkFor(person.id);
    expect(refused(await reset({ token, password }))).toEqual([401, 'code_required', 'code']);
    expect(refused(await reset({ token, password, code: '000000' }))).toEqual([400, 'parameter_invalid', 'code']);
    expect((await reset({ token, password, code: person.code() })).status).toBe(200);
    const answer = await reset({ token: await linkFor(person.id, { clear_totp: true }), password: testPassword });
    expect(answer.json.user.totp_enabled).toBe(false);
  });

  test('neither signs in by itself nor works after a day, and takes no common password', async () => {
    const person = await server.person(shop.id, 'owner');
    const token = await linkFor(person.id);
    expect((await visitor().post('/v1/sessions', { link: token })).status).toBe(401);
    expect(refused(await reset({ token, password: 'password1234' }))).toEqual([400, 'parameter_invalid', 'password']);
    await server.sql.query(`update sign_in_links set expires_at = expires_at - interval '25 hours'`);
    expect(refused(await reset({ token, password }))).toEqual([400, 'parameter_invalid', 'token']);
  });
});
