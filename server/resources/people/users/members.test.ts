import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog, requestable } from '../../../catalog.ts';
import { permits, type Right, rights, roles } from '../../../operations/role.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';
import { noteSessionsUsed } from '../sessions/store.ts';

let server: TestServer;
let shop: TestAccount;
let owner: TestPerson;
let viewer: TestPerson;
beforeAll(async () => {
  server = await startServer({ isAlone: true });
  shop = await server.account();
  owner = await server.person(shop.id, 'owner');
  viewer = await server.person(shop.id, 'viewer');
});
afterAll(() => server.stop());

const refused = ({ status, json }: Answer) => [status, json.error?.code];
const setRole = (by: TestPerson, user: TestPerson, role: string) => by.client.post(`/v1/users/${user.id}`, { role });

async function ownersOf(account: string): Promise<string[]> {
  const text = `select user_id from memberships where account = $1 and role = 'owner' order by user_id`;
  return (await server.sql.query(text, [account])).rows.map((row) => row.user_id);
}

test('users that are added at the same moment are all added', async () => {
  const { id } = await server.account();
  const members = await Promise.all(Array.from({ length: 12 }, () => server.person(id, 'owner')));
  const ids = members.map((member) => member.id).sort();
  expect(await ownersOf(id)).toEqual(ids);
});

describe('the users of an account', () => {
  test('are listed for its owners, with nothing secret, and nobody of another account', async () => {
    const other = await server.account();
    await server.person(other.id, 'owner');
    const { json } = await owner.client.get('/v1/users');
    expect(json.data.map(({ id, role }: { id: string; role: string }) => [id, role]).sort()).toEqual(
      [
        [owner.id, 'owner'],
        [viewer.id, 'viewer'],
      ].sort(),
    );
    const shown = (await owner.client.get(`/v1/users/${viewer.id}`)).json;
    const seen = { last_seen: expect.any(Number), created: expect.any(Number) };
    expect(shown).toEqual({
      ...{
        id: viewer.id,
        object: 'user',
        email: viewer.email,
        email_verified: true,
        role: 'viewer',
        totp_enabled: false,
      },
      ...seen,
    });
    const page = (await owner.client.get('/v1/users?limit=1')).json;
    const next = (await owner.client.get(`/v1/users?limit=1&starting_after=${page.data[0].id}`)).json;
    expect([page.has_more, next.has_more, next.data.length]).toEqual([true, false, 1]);
  });

  test('are nothing that a key can find, and nobody else can change them', async () => {
    const stranger = await server.person((await server.account()).id, 'owner');
    for (const path of ['/v1/users', '/v1/invitations', '/v1/audit_log'])
      expect(refused(await shop.test.get(path))).toEqual([404, 'url_unrecognized']);
    expect(refused(await setRole(stranger, viewer, 'owner'))).toEqual([404, 'resource_missing']);
    expect(refused(await stranger.client.delete(`/v1/users/${viewer.id}`))).toEqual([404, 'resource_missing']);
    for (const fields of [
      { role: 'viewer', email: 'x@example.com' },
      { role: 'viewer', password: 'x' },
    ])
      expect(refused(await owner.client.post(`/v1/users/${viewer.id}`, fields))).toEqual([400, 'parameter_unknown']);
    expect(refused(await owner.client.post(`/v1/users/${viewer.id}`, { role: 'king' }))).toEqual([
      400,
      'parameter_invalid',
    ]);
  });

  test('were last seen when they last used the dashboard, also when the session is long gone', async () => {
    const person = await server.person(shop.id, 'viewer');
    const session = (await person.alone.get('/v1/sessions/current')).json.id;
    await noteSessionsUsed(server.gateway.services.durable.directory, [session]);
    const seen = async () => (await owner.client.get(`/v1/users/${person.id}`)).json.last_seen;
    const before = await seen();
    expect(Math.abs(before - Date.now() / 1_000)).toBeLessThan(60);
    await server.sql.query('delete from sessions where user_id = $1', [person.id]);
    expect(Math.abs((await seen()) - before)).toBeLessThanOrEqual(1);
  });
});

describe('a role that is changed', () => {
  test('takes effect immediately here, and within a second on other instances', async () => {
    const other = await startServer({ databaseUrl: server.databaseUrl });
    const person = await server.person(shop.id, 'viewer');
    const headers = { 'X-Tollgate-Account': shop.id, 'X-Tollgate-Mode': 'test' };
    const cookie = person.cookie;
    const elsewhere = other.anonymous.with({ ...headers, Cookie: cookie });
    expect(refused(await elsewhere.get('/v1/users'))).toEqual([403, 'role_missing']);
    expect((await setRole(owner, person, 'owner')).json.role).toBe('owner');
    expect((await person.client.get('/v1/users')).status).toBe(200);
    await expect
      .poll(async () => (await elsewhere.get('/v1/users')).status, { timeout: 1_500, interval: 50 })
      .toBe(200);
    expect((await owner.client.delete(`/v1/users/${person.id}`)).json).toEqual({
      ...{ id: person.id, object: 'user', deleted: true },
    });
    expect(refused(await person.client.get('/v1/payments'))).toEqual([403, 'role_missing']);
    await expect
      .poll(async () => (await elsewhere.get('/v1/payments')).status, { timeout: 1_500, interval: 50 })
      .toBe(403);
    await other.stop();
  });

  test('is in the audit log, with who did it', async () => {
    const person = await server.person(shop.id, 'viewer');
    await setRole(owner, person, 'support');
    expect((await setRole(owner, person, 'support')).status).toBe(200); // changes nothing
    const { data } = (await owner.client.get(`/v1/audit_log?subject=${person.id}&action=user.role_changed`)).json;
    expect(data).toMatchObject([
      { actor: owner.email, user: owner.id, address: '127.0.0.1', details: { from: 'viewer', to: 'support' } },
    ]);
  });
});

describe('the last owner', () => {
  test.each([
    ['is not demoted', (one: TestPerson) => setRole(one, one, 'developer')],
    ['is not removed', (one: TestPerson) => one.client.delete(`/v1/users/${one.id}`)],
    [
      'is not removed by the operator',
      (one: TestPerson, account: string) =>
        server.operator.run('users.remove', { account, id: one.id }).catch((error) => ({
          status: 400,
          json: { error: { code: error.code } },
        })) as Promise<Answer>,
    ],
  ])('%s', async (_, change) => {
    const account = await server.account();
    const last = await server.person(account.id, 'owner');
    expect(refused(await change(last, account.id))).toEqual([400, 'last_owner']);
    expect(await ownersOf(account.id)).toEqual([last.id]);
  });

  test('stays, when the only two demote or remove each other at the same moment', async () => {
    const account = await server.account();
    const [one, two] = [await server.person(account.id, 'owner'), await server.person(account.id, 'owner')];
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([setRole(one, two, 'viewer'), setRole(two, one, 'viewer')]);
      expect(answers.map(({ status }) => status).sort()[0]).toBe(200);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [left] = await ownersOf(account.id);
      const [stays, goes] = left === one.id ? [one, two] : [two, one];
      expect(await ownersOf(account.id)).toEqual([stays.id]);
      expect((await setRole(stays, goes, 'owner')).status).toBe(200);
    }
    const removals = await Promise.all([
      one.client.delete(`/v1/users/${two.id}`),
      two.client.delete(`/v1/users/${one.id}`),
    ]);
    expect(removals.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await ownersOf(account.id)).toHaveLength(1);
  });
});

describe('what a role permits', () => {
  const offered = requestable(catalog).filter(({ callers }) => callers.includes('person'));
  const about = (right: Right) => offered.filter((operation) => !operation.isPersonal && operation.right === right);

  test('is no more than an owner may, and for viewers reading alone', () => {
    for (const mode of ['test', 'live'] as const)
      for (const right of Object.keys(rights) as Right[])
        for (const role of roles) {
          const allowed = permits(role, mode, right);
          if (allowed) expect(permits('owner', mode, right)).toBe(true);
          if (allowed && role === 'viewer') expect(['read', 'read_money']).toContain(right);
          if (right === 'people') expect(allowed).toBe(role === 'owner');
        }
  });

  test('to change something is never what reading permits', () => {
    const changing = about('read').filter(({ method }) => method !== 'GET');
    // Everybody has saved views, and chooses what is mailed to them. A preview changes nothing.
    const others = changing.map(({ name }) => name).filter((name) => !name.startsWith('saved_views.'));
    expect(others).toEqual(['needs_attention.update_mail', 'invoices.preview']);
  });

  test.each(['developer', 'finance', 'support', 'viewer'] as const)(
    'a %s can do nothing that concerns people',
    async (role) => {
      const person = await server.person(shop.id, role);
      const answers = await Promise.all(
        about('people').map(({ method, route }) =>
          person.client.request(
            method,
            `/v1${route.replace(':id', person.id)}`,
            method === 'POST' ? { body: { role: 'owner' } } : {},
          ),
        ),
      );
      expect(answers.length).toBeGreaterThan(6);
      for (const answer of answers) expect(refused(answer)).toEqual([403, 'role_missing']);
      expect(await ownersOf(shop.id)).not.toContain(person.id);
    },
  );
});
