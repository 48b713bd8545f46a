import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { cookieOf, type TestPerson } from '../../../test/person.ts';

let clock: VirtualClock;
let server: TestServer;
let shop: TestAccount;
let owner: TestPerson;
beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock, isAlone: true }); // another instance knows a change of roles within a second
  shop = await server.account();
  owner = await server.person(shop.id, 'owner');
});
afterAll(() => server.stop());

const password = 'a password that I chose';
const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const refused = ({ status, json }: Answer) => [status, json.error?.code];
let people = 0;
const newEmail = () => `new-${++people}@example.com`;
const invite = async (email: string, role = 'developer', by: Client = owner.client) =>
  (await by.post('/v1/invitations', { email, role })).json;
const tokenOf = ({ url }: { url: string }) => url.split('#invitation=')[1]!;
const accept = (token: string, fields: object = { password }, by = visitor()) =>
  by.post('/v1/invitations/accept', { token, ...fields });

test('a link is shown once, its token after the #, and stored hashed', async () => {
  const email = newEmail();
  const made = await invite(email.toUpperCase());
  expect(made).toMatchObject({
    object: 'invitation',
    email,
    role: 'developer',
    status: 'pending',
    invited_by: owner.id,
  });
  expect(made.url).toMatch(new RegExp(`^${server.baseUrl}/dashboard#invitation=[0-9A-Za-z]{46}$`));
  expect(made.expires_at - made.created).toBe(7 * 86_400);
  const [listed] = (await owner.client.get('/v1/invitations?limit=1')).json.data;
  const { url: _, ...rest } = made;
  expect(listed).toEqual(rest);
  const { rows } = await server.sql.query('select i::text as text from invitations i where id = $1', [made.id]);
  expect(rows[0].text).not.toContain(tokenOf(made));
  expect(JSON.stringify(server.logged)).not.toContain(tokenOf(made));
});

test('a new email chooses a password, and is signed in by the answer', async () => {
  const email = newEmail();
  const token = tokenOf(await invite(email, 'support'));
  const look = (await visitor().post('/v1/invitations/preview', { token })).json;
  expect(look).toMatchObject({ email, role: 'support', account: 'Test' });
  expect(look).not.toHaveProperty('has_user');
  expect(refused(await accept(token, {}))).toEqual([400, 'parameter_missing']);
  expect(refused(await accept(token, { password: 'short' }))).toEqual([400, 'parameter_invalid']);
  expect(refused(await accept(token, { password: 'qwertyuiop12' }))).toEqual([400, 'parameter_invalid']);
  const answer = await accept(token);
  expect(answer.json).toMatchObject({
    object: 'session',
    user: { email },
    accounts: [{ id: shop.id, role: 'support' }],
  });
  const headers = { Cookie: cookieOf(answer), 'X-Tollgate-Account': shop.id, 'X-Tollgate-Mode': 'test' };
  expect((await visitor().with(headers).get('/v1/payments')).status).toBe(200);
  expect((await visitor().post('/v1/sessions', { email, password })).status).toBe(200);
  const { data } = (await owner.client.get(`/v1/audit_log?action=invitation.accepted&user=${answer.json.user.id}`))
    .json;
  expect(data).toMatchObject([{ actor: email, details: { role: 'support' } }]);
});

describe('an email that somebody has', () => {
  test('accepts as the user that it is verified for, when it has signed in', async () => {
    const elsewhere = await server.account();
    const person = await server.person(elsewhere.id, 'viewer');
    const other = await server.person(elsewhere.id, 'viewer');
    const token = tokenOf(await invite(person.email));
    const asOther = await accept(token, {}, other.alone);
    expect(refused(asOther)).toEqual([400, 'invitation_invalid']);
    expect(asOther.json.error.message).toContain('sign out');
    expect(refused(await accept(token, { password }, person.alone))).toEqual([400, 'parameter_invalid']);
    const withoutToken = person.alone.with({ 'X-Tollgate-CSRF': undefined });
    expect(refused(await accept(token, {}, withoutToken))).toEqual([403, 'csrf_invalid']);
    const answer = await accept(token, {}, person.alone);
    expect(answer.json.accounts.map(({ id }: { id: string }) => id).sort()).toEqual([elsewhere.id, shop.id].sort());
    // Another server learns of it a moment later.
    const isMember = () => person.client.with({ 'X-Tollgate-Account': shop.id }).get('/v1/payments');
    await expect.poll(async () => (await isMember()).status, { timeout: 10_000 }).toBe(200);
  });

  test('and has a role in the account is not invited again', async () => {
    expect(refused(await owner.client.post('/v1/invitations', { email: owner.email, role: 'viewer' }))).toEqual([
      400,
      'parameter_invalid',
    ]);
  });
});

test('the cookie of a session that is over does not keep anybody from accepting', async () => {
  const person = await server.person(shop.id, 'viewer');
  await person.alone.delete('/v1/sessions');
  expect((await accept(tokenOf(await invite(newEmail())), { password }, person.alone)).status).toBe(200);
});

describe('an invitation', () => {
  test('works once, also for two at the same moment', async () => {
    const token = tokenOf(await invite(newEmail()));
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await accept(token);
    expect(refused(again)).toEqual([400, 'invitation_invalid']);
    expect(again.json.error.message).toContain('used already');
    await expect
      .poll(async () => (await owner.client.get('/v1/audit_log?action=invitation_invalid')).json.data.length)
      .toBeGreaterThan(0);
  });

  test('of two accounts for one new email makes a user for each, with one salt', async () => {
    const other = await server.account();
    const second = await server.person(other.id, 'owner');
    const email = newEmail();
    const tokens = [tokenOf(await invite(email)), tokenOf(await invite(email, 'viewer', second.client))];
    const answers = await Promise.all(tokens.map((token) => accept(token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await server.sql.query('select password from users where email = $1', [email]);
    const starts = rows.map((row) => row.password.slice(0, row.password.lastIndexOf('$')));
    expect([rows.length, new Set(starts).size]).toEqual([2, 1]);
  });

  test.each([
    ['was revoked', (id: string) => owner.client.post(`/v1/invitations/${id}/revoke`), 'revoked'],
    ['has expired', async () => clock.advance(7 * 86_400_000), 'expired'],
    ['was replaced by another', async (_: string, email: string) => invite(email), 'revoked'],
  ])('that %s is refused', async (_, spoil, words) => {
    const email = newEmail();
    const account = await server.account();
    const boss = await server.person(account.id, 'owner');
    const by = words === 'expired' ? boss.client : owner.client;
    const made = await invite(email, 'viewer', by);
    await spoil(made.id, email);
    const answer = await accept(tokenOf(made));
    expect(refused(answer)).toEqual([400, 'invitation_invalid']);
    expect(answer.json.error.message).toContain(words);
  });

  test('of somebody who is no longer an owner is refused: nobody comes back by one that they put aside', async () => {
    const second = await server.person(shop.id, 'owner');
    const made = await invite(newEmail(), 'owner', second.client);
    await owner.client.post(`/v1/users/${second.id}`, { role: 'viewer' });
    expect(refused(await accept(tokenOf(made)))).toEqual([400, 'invitation_invalid']);
    const { data } = (await owner.client.get('/v1/invitations')).json;
    expect(data.find(({ id }: { id: string }) => id === made.id).status).toBe('revoked');
  });

  test('of another account cannot be revoked, and one that was accepted stays', async () => {
    const other = await server.account();
    const stranger = await server.person(other.id, 'owner');
    const made = await invite(newEmail());
    expect(refused(await stranger.client.post(`/v1/invitations/${made.id}/revoke`))).toEqual([404, 'resource_missing']);
    await accept(tokenOf(made));
    expect(refused(await owner.client.post(`/v1/invitations/${made.id}/revoke`))).toEqual([400, 'invitation_invalid']);
  });

  test('cannot be made up', async () => {
    expect(refused(await accept('made-up'))).toEqual([400, 'invitation_invalid']);
    expect(refused(await accept(`${'A'.repeat(40)}000000`))).toEqual([400, 'invitation_invalid']);
  });
});

test('no walk of changes gives a right to anybody but by an owner, or leaves the account without one', async () => {
  const account = await server.account();
  const names = ['owner', 'owner', 'developer', 'viewer'] as const;
  const members = await Promise.all(names.map((role) => server.person(account.id, role)));
  const step = fc.record({
    by: fc.nat(members.length - 1),
    to: fc.nat(members.length - 1),
    role: fc.constantFrom('owner', 'developer', 'support', 'viewer'),
    verb: fc.constantFrom('role', 'role', 'role', 'invite'),
  });
  const rolesNow = async () => {
    const { rows } = await server.sql.query('select user_id, role from memberships where account = $1', [account.id]);
    return new Map<string, string>(rows.map((row) => [row.user_id, row.role]));
  };
  const act = ({ by, to, role, verb }: { by: number; to: number; role: string; verb: string }) =>
    verb === 'role'
      ? members[by]!.client.post(`/v1/users/${members[to]!.id}`, { role })
      : members[by]!.client.post('/v1/invitations', { email: newEmail(), role });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const one of steps) {
        const before = await rolesNow();
        const { status } = await act(one);
        const after = await rolesNow();
        const wasOwner = before.get(members[one.by]!.id) === 'owner';
        expect([...after.values()]).toContain('owner');
        if (!wasOwner) expect([status, [...after]]).toEqual([403, [...before]]);
        else expect(status === 200 || status === 400).toBe(true);
      }
    }),
    { numRuns: 8 },
  );
});
