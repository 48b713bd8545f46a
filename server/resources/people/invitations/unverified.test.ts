import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { cookieOf, type TestPerson, testPassword } from '../../../test/person.ts';

/** An invitation proves nothing about its email: its sender has the link. */

let server: TestServer;
let hostile: { account: TestAccount; owner: TestPerson };
let shop: { account: TestAccount; owner: TestPerson };
beforeAll(async () => {
  server = await startServer();
  const open = async () => {
    const account = await server.account();
    return { account, owner: await server.person(account.id, 'owner') };
  };
  [hostile, shop] = [await open(), await open()];
});
afterAll(() => server.stop());

const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const refused = ({ status, json }: Answer) => [status, json.error?.code];
let people = 0;
const newEmail = () => `cfo-${++people}@victim.example`;
const theirs = 'the password of the real person';
const squatters = 'the password of the squatter';

const tokenFor = async (by: { owner: TestPerson }, email: string, role = 'developer') => {
  const { status, json, text } = await by.owner.client.post('/v1/invitations', { email, role });
  expect(status, text).toBe(200);
  return json.url.split('#invitation=')[1] as string;
};
const accept = (token: string, fields: object, by: Client = visitor()) =>
  by.post('/v1/invitations/accept', { token, ...fields });
const signIn = (email: string, password: string, fields: object = {}) =>
  visitor().post('/v1/sessions', { email, password, ...fields });
const sessionOf = (answer: Answer) =>
  visitor().with({ Cookie: cookieOf(answer), 'X-Tollgate-CSRF': answer.json.csrf_token });
const accountsOf = ({ json }: Answer) => json.accounts.map(({ id }: { id: string }) => id);
const verify = (id: string) => server.operator.run<{ id: string }>('users.verify', { id });

/** Somebody whom an owner has invited, and who chose a password. */
async function joinAs(by: { owner: TestPerson }, email: string, password: string, role?: string): Promise<Answer> {
  const answer = await accept(await tokenFor(by, email, role), { password });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

describe('an email that another account has claimed', () => {
  test('can join elsewhere: a second user is made, and nobody loses a password, a role or a session', async () => {
    const email = newEmail();
    const squatter = await joinAs(hostile, email, squatters);
    const person = await joinAs(shop, email, theirs);
    expect(person.json.user.id).not.toBe(squatter.json.user.id);
    expect(accountsOf(person)).toEqual([shop.account.id]);
    expect((await sessionOf(squatter).get('/v1/me')).json).toMatchObject({ email, email_verified: false });
    for (const [password, id, account] of [
      [squatters, squatter.json.user.id, hostile.account.id],
      [theirs, person.json.user.id, shop.account.id],
    ]) {
      const answer = await signIn(email, password);
      expect([answer.json.user?.id, accountsOf(answer)]).toEqual([id, [account]]);
    }
    expect(refused(await signIn(email, 'neither of the two'))).toEqual([401, 'sign_in_failed']);
  });

  test('cannot be found out with the link', async () => {
    const [known, unknown] = [(await server.person(shop.account.id, 'viewer')).email, newEmail()];
    const looks = await Promise.all(
      [known, unknown].map(async (email) => {
        const token = await tokenFor(hostile, email);
        const look = (await visitor().post('/v1/invitations/preview', { token })).json;
        const missing = await accept(token, {});
        const joined = await accept(token, { password: squatters });
        return [{ ...look, email: '' }, refused(missing), missing.json.error.message, joined.status];
      }),
    );
    const withoutTime = (look: unknown[]) => JSON.stringify(look).replace(/\d{10}/g, '');
    expect(withoutTime(looks[0]!)).toBe(withoutTime(looks[1]!));
    expect((await signIn(known, testPassword)).status).toBe(200);
  });

  test('shows its owners who is not verified, and the audit log names users by their id', async () => {
    const email = newEmail();
    const first = await joinAs(hostile, email, squatters);
    const second = await joinAs(shop, email, theirs, 'support');
    const listed = async ({ owner }: { owner: TestPerson }) =>
      (await owner.client.get('/v1/users')).json.data.filter((user: { email: string }) => user.email === email);
    expect(await listed(shop)).toMatchObject([{ id: second.json.user.id, email_verified: false, role: 'support' }]);
    expect(await listed(hostile)).toMatchObject([{ id: first.json.user.id, email_verified: false }]);
    const acts = (await shop.owner.client.get(`/v1/audit_log?user=${second.json.user.id}`)).json.data;
    expect(acts.map(({ action }: { action: string }) => action)).toContain('invitation.accepted');
    expect((await shop.owner.client.get(`/v1/audit_log?user=${first.json.user.id}`)).json.data).toEqual([]);
    expect(refused(await shop.owner.client.post('/v1/invitations', { email, role: 'viewer' }))).toEqual([
      400,
      'parameter_invalid',
    ]);
  });

  test('with one password for two users signs in to the account that is named, or to the older user', async () => {
    const email = newEmail();
    const first = await joinAs(hostile, email, theirs);
    const second = await joinAs(shop, email, theirs);
    expect((await signIn(email, theirs)).json.user.id).toBe(first.json.user.id);
    expect((await signIn(email, theirs, { account: shop.account.id })).json.user.id).toBe(second.json.user.id);
    expect((await signIn(email, theirs, { account: 'acct_made_up' })).json.user.id).toBe(first.json.user.id);
  });

  test('has at most five users that a sign-in tries; one with a role in the account that is named is among them', async () => {
    const email = newEmail();
    for (let more = 0; more < 6; more++) {
      const account = await server.account();
      await joinAs({ owner: await server.person(account.id, 'owner') }, email, `password of number ${more}`);
    }
    const last = await joinAs(shop, email, theirs);
    expect(refused(await signIn(email, 'password of number 5'))).toEqual([401, 'sign_in_failed']);
    expect((await signIn(email, 'password of number 4')).status).toBe(200);
    const answer = await signIn(email, theirs, { account: shop.account.id });
    expect(answer.json.user.id).toBe(last.json.user.id);
    await verify(last.json.user.id);
    expect((await signIn(email, theirs)).json.user.id).toBe(last.json.user.id);
  });
});

describe('guessing at a password by somebody who has claimed the same email', () => {
  const wrong = 'a guess that is wrong';

  test('ends after ten tries from an address, however often they sign in as their own user in between', async () => {
    const email = newEmail();
    await joinAs(hostile, email, squatters);
    await joinAs(shop, email, theirs);
    const codes: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 5; guess++) codes.push((await signIn(email, wrong)).json.error.code);
      await signIn(email, squatters);
    }
    expect(codes.filter((code) => code === 'sign_in_failed')).toHaveLength(10);
    expect(refused(await signIn(email, theirs))).toEqual([429, 'sign_in_locked']);
  });

  test('ends after a hundred tries from addresses where only they have signed in, and the other user signs in at their own', async () => {
    const email = newEmail();
    const squatter = (await joinAs(hostile, email, squatters)).json.user.id;
    const person = (await joinAs(shop, email, theirs)).json.user.id;
    expect((await signIn(email, theirs)).status).toBe(200);
    const { signIns } = server.gateway.services;
    const from = (at: number) => ({ email, address: `198.51.${at}.1`, users: [squatter, person] });
    for (let at = 0; at < 100; at++) {
      expect(await signIns.count(from(at))).toEqual(new Set([squatter, person]));
      await signIns.succeeded(from(at));
      await server.sql.query('insert into sign_in_networks (user_id, network) values ($1, $2)', [
        squatter,
        from(at).address,
      ]);
      await signIns.count(from(at));
    }
    expect(await signIns.count(from(0))).toEqual(new Set([squatter]));
    await expect(signIns.count(from(100))).resolves.toEqual(new Set([squatter]));
    expect((await signIn(email, theirs)).json.user.id).toBe(person);
  });
});

describe('who accepts as a user that exists', () => {
  test('is verified, or belongs to the account; anybody else chooses a password there', async () => {
    const email = newEmail();
    const first = await joinAs(hostile, email, squatters);
    const alone = sessionOf(first);
    const token = await tokenFor(shop, email);
    const asUnverified = await accept(token, {}, alone);
    expect(refused(asUnverified)).toEqual([400, 'invitation_invalid']);
    expect(asUnverified.json.error.message).toContain('sign out');
    await verify(first.json.user.id);
    const joined = await accept(token, {}, alone);
    expect(accountsOf(joined).sort()).toEqual([hostile.account.id, shop.account.id].sort());
  });

  test('may come back to the account that invited it first', async () => {
    const email = newEmail();
    const member = await joinAs(shop, email, theirs);
    expect((await shop.owner.client.delete(`/v1/users/${member.json.user.id}`)).status).toBe(200);
    const again = await accept(await tokenFor(shop, email, 'viewer'), {}, sessionOf(await signIn(email, theirs)));
    expect([again.json.user.id, again.json.accounts]).toMatchObject([member.json.user.id, [{ role: 'viewer' }]]);
  });

  test('is one of two who accept for one email at the same moment', async () => {
    const email = newEmail();
    const first = await tokenFor(shop, email);
    await server.sql.query('update invitations set revoked_at = null'); // two links that both work
    const second = await tokenFor(shop, email);
    await server.sql.query('update invitations set revoked_at = null');
    const answers = await Promise.all([first, second].map((token) => accept(token, { password: theirs })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('an email is verified', () => {
  test('by the operator, for one user at a time, with an entry in the audit log', async () => {
    const email = newEmail();
    const squatter = await joinAs(hostile, email, squatters);
    const person = await joinAs(shop, email, theirs);
    await expect(verify(email)).rejects.toMatchObject({ code: 'parameter_invalid' }); // which of the two?
    await verify(person.json.user.id);
    expect((await verify(email)).id).toBe(person.json.user.id);
    expect((await sessionOf(person).get('/v1/me')).json.email_verified).toBe(true);
    await expect(verify(squatter.json.user.id)).rejects.toMatchObject({ code: 'parameter_invalid' });
    // Nobody is evicted.
    expect((await sessionOf(squatter).get('/v1/me')).json.email_verified).toBe(false);
    expect((await signIn(email, squatters)).json.user.id).toBe(squatter.json.user.id);
    const entries = (await shop.owner.client.get(`/v1/audit_log?subject=${person.json.user.id}`)).json.data;
    expect(entries.filter(({ action }: { action: string }) => action === 'user.verified')).toHaveLength(1);
    await server.operator.run('users.unverify', { id: person.json.user.id });
    expect((await verify(squatter.json.user.id)).id).toBe(squatter.json.user.id);
  });

  test('for one of two that are verified at the same moment', async () => {
    const email = newEmail();
    const users = [await joinAs(hostile, email, squatters), await joinAs(shop, email, theirs)].map(
      ({ json }) => json.user.id,
    );
    const results = await Promise.allSettled(users.map(verify));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { rows } = await server.sql.query('select count(*)::int as count from verified_emails where email = $1', [
      email,
    ]);
    expect(rows[0].count).toBe(1);
  });

  test('if the operator has invited it, unless somebody has it already', async () => {
    const invited = async (email: string) => {
      const parameters = { email, role: 'owner' };
      const { url } = await server.operator.run<{ url: string }>('invitations.create', {
        account: shop.account.id,
        parameters,
      });
      return accept(url.split('#invitation=')[1]!, { password: theirs });
    };
    const email = newEmail();
    expect((await sessionOf(await invited(email)).get('/v1/me')).json.email_verified).toBe(true);
    const known = await server.person(hostile.account.id, 'viewer');
    const second = await invited(known.email);
    expect((await sessionOf(second).get('/v1/me')).json.email_verified).toBe(false);
    expect((await known.alone.get('/v1/me')).json.email_verified).toBe(true);
  });

  test('and a link for a new password is made for the verified user, or for the one that is named by its id', async () => {
    const email = newEmail();
    const squatter = await joinAs(hostile, email, squatters);
    const person = await joinAs(shop, email, theirs);
    const reset = (id: string) => server.operator.run<{ url: string }>('me.create_reset_link', { id, parameters: {} });
    await expect(reset(email)).rejects.toMatchObject({ code: 'parameter_invalid' });
    await expect(reset(email)).rejects.toThrow(person.json.user.id);
    await verify(person.json.user.id);
    const use = async ({ url }: { url: string }, password: string) =>
      (await visitor().post('/v1/me/reset', { token: url.split('#reset=')[1]!, password })).json.user.id;
    expect(await use(await reset(email), 'a password after the loss')).toBe(person.json.user.id);
    expect(await use(await reset(squatter.json.user.id), 'another password after it')).toBe(squatter.json.user.id);
    expect((await signIn(email, 'a password after the loss')).json.user.id).toBe(person.json.user.id);
    expect((await signIn(email, 'another password after it')).json.user.id).toBe(squatter.json.user.id);
  });
});

test('a sign-in makes one hash, whether nobody, one or several have the email', async () => {
  const email = newEmail();
  await joinAs(hostile, email, squatters);
  const person = await joinAs(shop, email, theirs);
  const change = { password: theirs, new_password: 'a newer password of theirs' };
  expect((await sessionOf(person).post('/v1/me/password', change)).status).toBe(200);
  const { rows } = await server.sql.query('select password from users where email = $1', [email]);
  const starts = rows.map(({ password }) => password.slice(0, password.lastIndexOf('$')));
  expect([rows.length, new Set(starts).size]).toEqual([2, 1]); // one salt for all users of an email
});
