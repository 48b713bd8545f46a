import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../operations/role.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let shop: TestAccount;
const people = {} as Record<Role, Client>;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  for (const role of ['owner', 'developer', 'support', 'viewer'] as const)
    people[role] = (await server.person(shop.id, role)).client;
});
afterAll(() => server.stop());

const refused = ({ status, json }: Answer) => [status, json.error?.code];
const live = { 'X-Tollgate-Mode': 'live' };
const restricted = (...scopes: string[]) => ({ name: 'program', kind: 'restricted', scopes });
const secret = { name: 'program', kind: 'secret' };

async function make(wish: object, client = people.owner) {
  const answer = await client.post('/v1/api_keys', wish);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe('a key', () => {
  test.each([
    ['owner', live, secret, 200],
    ['owner', live, restricted('refunds:write'), 200],
    ['developer', {}, secret, 200],
    ['developer', live, restricted('payments:write', 'processor_accounts:write', 'refunds:read'), 200],
    ['developer', live, secret, 403],
    ['developer', live, restricted('payments:read', 'refunds:write'), 403],
    ['support', {}, restricted('customers:read'), 403],
    ['viewer', {}, restricted('customers:read'), 403],
  ] as const)('made by a %s %j as %j is answered %i', async (role, headers, wish, status) => {
    const answer = await people[role].with(headers).post('/v1/api_keys', wish);
    expect(answer.status, answer.text).toBe(status);
    if (status === 200) expect((await server.client(answer.json.key).get('/v1/payments')).status).not.toBe(401);
    else expect(answer.json.error.code).toBe('role_missing');
  });

  test('that goes beyond the role is refused with the scope that does', async () => {
    const answer = await people.developer.with(live).post('/v1/api_keys', secret);
    expect(answer.json.error.message).toBe(
      'A secret key has refunds:write, which permits more than your role, developer, does in live mode.',
    );
  });

  test('is shown once; those who make keys see what it may do', async () => {
    const { key, ...made } = await make(restricted('customers:read'));
    expect(key).toMatch(/^rk_test_tg_/);
    expect(made).toMatchObject({ kind: 'restricted', scopes: ['customers:read'], used_scopes: [] });
    for (const client of [people.owner, people.developer]) {
      const shown = await client.get(`/v1/api_keys/${made.id}`);
      expect(shown.json).toEqual({ ...made, used_scopes_since: expect.any(Number) });
      expect((await client.get('/v1/api_keys?limit=1')).json.data).toEqual([shown.json]);
    }
  });

  test('does not find the keys of its account, or any other thing that only people may do', async () => {
    const paths = ['api_keys', `api_keys/${(await make(secret)).id}`, 'account', 'saved_views', 'needs_attention'];
    for (const path of [...paths, 'statistics?from=1&to=2&bucket=day'])
      expect(refused(await shop.test.get(`/v1/${path}`)), path).toEqual([404, 'url_unrecognized']);
    expect(refused(await shop.test.post('/v1/api_keys', secret))).toEqual([404, 'url_unrecognized']);
  });

  test('of another account or mode is not found', async () => {
    const { id } = await make(secret);
    const other = await server.account();
    const stranger = (await server.person(other.id, 'owner')).client;
    for (const client of [stranger, people.owner.with(live)])
      for (const path of ['', '/roll', '/revoke'])
        expect(refused(await client.post(`/v1/api_keys/${id}${path}`))).toEqual([404, 'resource_missing']);
  });
});

describe('rolling a key', () => {
  test('is refused when the key can do more than the role, and revoking it is not', async () => {
    const owner = people.owner.with(live);
    const developer = people.developer.with(live);
    for (const wish of [secret, restricted('refunds:write')]) {
      const { id } = await make(wish, owner);
      expect(refused(await developer.post(`/v1/api_keys/${id}/roll`))).toEqual([403, 'role_missing']);
      const narrowly = await developer.post(`/v1/api_keys/${id}/roll`, { scopes: ['refunds:read'] });
      expect(refused(narrowly)).toEqual([403, 'role_missing']);
      expect((await developer.post(`/v1/api_keys/${id}/revoke`)).json).toMatchObject({ status: 'revoked' });
    }
    const { id } = await make(restricted('payments:write'), owner);
    expect((await developer.post(`/v1/api_keys/${id}/roll`)).json).toMatchObject({ scopes: ['payments:write'] });
  });

  test('with fewer scopes makes a restricted key of a secret one', async () => {
    const { id } = await make(secret);
    const rolled = await people.owner.post(`/v1/api_keys/${id}/roll`, { scopes: ['events:read'], overlap_hours: 1 });
    expect(rolled.json).toMatchObject({ kind: 'restricted', scopes: ['events:read'], name: 'program' });
    expect(rolled.json.key).toMatch(/^rk_test_tg_/);
    const client = server.client(rolled.json.key);
    expect((await client.get('/v1/events')).status).toBe(200);
    expect(refused(await client.get('/v1/customers'))).toEqual([403, 'scope_missing']);
    expect((await people.owner.get(`/v1/api_keys/${id}`)).json).toMatchObject({ rolled_to: rolled.json.id });
  });

  test('never adds a scope', async () => {
    const { id } = await make(restricted('customers:write'));
    const roll = (scopes: string[]) => people.owner.post(`/v1/api_keys/${id}/roll`, { scopes });
    expect((await roll(['customers:read', 'events:read'])).json.error).toMatchObject({
      code: 'parameter_invalid',
      param: 'scopes',
      message: 'The parameter scopes is invalid: the key does not have events:read; create another key.',
    });
    expect((await roll(['customers:read'])).json.scopes).toEqual(['customers:read']);
  });
});

describe('an update', () => {
  test('renames a key, and takes scopes away immediately', async () => {
    const { id, key } = await make(restricted('customers:write', 'events:read'));
    const client = server.client(key);
    expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
    const update = (change: object) => people.developer.post(`/v1/api_keys/${id}`, change);
    expect((await update({ name: 'reports' })).json).toMatchObject({ name: 'reports', kind: 'restricted' });
    expect((await update({ scopes: ['customers:read'] })).json).toMatchObject({
      name: 'reports',
      scopes: ['customers:read'],
    });
    await eventually(async () =>
      expect(refused(await client.post('/v1/customers', { name: 'Eve' }))).toEqual([403, 'scope_missing']),
    );
    expect((await client.get('/v1/customers')).status).toBe(200);
    for (const scope of ['customers:write', 'events:read'])
      expect((await update({ scopes: [scope] })).json.error).toMatchObject({
        param: 'scopes',
        code: 'parameter_invalid',
      });
    const text = `select details from audit where subject = $1 and action = 'key.updated' order by id`;
    const { rows } = await server.sql.query(text, [id]);
    expect(rows.map(({ details }) => details.to)).toEqual([
      { name: 'reports', scopes: ['customers:write', 'events:read'] },
      { name: 'reports', scopes: ['customers:read'] },
    ]);
  });

  test.each([
    ['no scopes at all', restricted('events:read'), { scopes: [] }, 'scopes'],
    ['a scope that does not exist', restricted('events:read'), { scopes: ['tea:read'] }, 'scopes'],
    ['scopes of a secret key', secret, { scopes: ['events:read'] }, 'scopes'],
    ['a blank name', restricted('events:read'), { name: ' ' }, 'name'],
    ['another member', restricted('events:read'), { kind: 'secret' }, 'kind'],
  ])('with %s is refused', async (_, wish, change, param) => {
    const { id, ...made } = await make(wish);
    const answer = await people.owner.post(`/v1/api_keys/${id}`, change);
    expect([answer.status, answer.json.error?.param], answer.text).toEqual([400, param]);
    expect((await people.owner.get(`/v1/api_keys/${id}`)).json).toMatchObject({ kind: made.kind, name: 'program' });
  });

  test('is for those who may change something', async () => {
    const { id } = await make(secret);
    for (const client of [people.support, people.viewer])
      for (const path of ['', '/roll', '/revoke'])
        expect(refused(await client.post(`/v1/api_keys/${id}${path}`, {}))).toEqual([403, 'role_missing']);
  });
});

describe('used_scopes', () => {
  const usesOf = async (id: string) => (await people.developer.get(`/v1/api_keys/${id}`)).json;

  test('are those that requests of the key have needed, of 30 days', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { id, key } = await make(secret);
    const idle = await make(secret);
    const brief = await startServer({ databaseUrl: server.databaseUrl });
    const client = brief.client(key);
    for (const path of ['/v1/customers', '/v1/customers/cus_x', '/v1/events', '/v1/nothing', '/v1/api_keys'])
      await client.get(path);
    await client.post('/v1/refunds', {});
    await brief.stop(); // it writes what its keys were used for
    const used = await usesOf(id);
    expect(used.used_scopes).toEqual(['customers:read', 'events:read', 'refunds:write']);
    expect(used.used_scopes_since).toBeGreaterThanOrEqual(before);
    const { data } = (await people.owner.get('/v1/api_keys?limit=2')).json;
    expect(data.map((one: { used_scopes: string[] }) => one.used_scopes)).toEqual([[], used.used_scopes]);
    expect((await usesOf(idle.id)).used_scopes).toEqual([]);
    await server.sql.query(`update api_keys set scope_uses_since = now() - interval '60 days' where id = $1`, [id]);
    await server.sql.query(
      `update api_key_uses set last_used = now() - interval '31 days' where key_id = $1 and scope = 'events:read'`,
      [id],
    );
    const later = await usesOf(id);
    expect(later.used_scopes).toEqual(['customers:read', 'refunds:write']);
    expect(Math.abs(later.used_scopes_since - (before - 30 * 86_400))).toBeLessThan(600);
  });

  test('are, of a timeline and a search, those of the objects that they have looked for', async () => {
    const { id, key } = await make(secret);
    const brief = await startServer({ databaseUrl: server.databaseUrl });
    const client = brief.client(key);
    const customer = (await shop.test.post('/v1/customers', { name: 'Ada' })).json.id;
    expect((await client.get(`/v1/timeline/${customer}`)).status).toBe(200);
    const fields = { currency: 'usd', unit_amount: 500, recurring: { interval: 'month' }, product_name: 'Seat' };
    const price = (await shop.test.post('/v1/prices', fields)).json.id;
    expect((await client.get(`/v1/search?q=${price}`)).json.data).toHaveLength(1);
    await brief.stop();
    const billed = ['invoices', 'subscriptions'];
    const inTimeline = [...billed, 'checkout_sessions', 'disputes', 'payment_methods', 'payments', 'refunds'];
    const expected = ['customers', 'prices', ...inTimeline].map((one) => `${one}:read`).sort();
    expect((await usesOf(id)).used_scopes).toEqual(expected);
  });

  test('are not those of requests that were refused for their scope', async () => {
    const { id, key } = await make(restricted('events:read'));
    const brief = await startServer({ databaseUrl: server.databaseUrl });
    await brief.client(key).get('/v1/customers');
    await brief.client(key).get('/v1/events');
    await brief.stop();
    expect((await usesOf(id)).used_scopes).toEqual(['events:read']);
  });
});
