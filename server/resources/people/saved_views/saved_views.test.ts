import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let shop: TestAccount;
let viewer: Client;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  viewer = (await server.person(shop.id, 'viewer')).client;
});
afterAll(() => server.stop());

const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
const late = { name: 'Failed today', page: 'payments', query: 'status=failed&created[gte]=1700000000' };

test('a person of any role saves, renames, lists and deletes views, in both modes', async () => {
  const made = (await viewer.post('/v1/saved_views', late)).json;
  expect(made).toEqual({
    ...{ ...late, id: expect.stringMatching(/^view_/) },
    ...{ object: 'saved_view', created: expect.any(Number) },
  });
  const other = (await viewer.post('/v1/saved_views', { name: 'All', page: 'refunds' })).json;
  expect(other.query).toBe('');
  const live = viewer.with({ 'X-Tollgate-Mode': 'live' });
  expect((await live.get('/v1/saved_views')).json.data).toEqual([other, made]);
  expect((await viewer.get('/v1/saved_views?page=payments')).json.data).toEqual([made]);
  expect((await viewer.get(`/v1/saved_views?limit=1&starting_after=${other.id}`)).json).toMatchObject({
    ...{ has_more: false, data: [made] },
  });
  const renamed = { ...made, name: 'Failed', query: 'status=failed' };
  expect((await viewer.post(`/v1/saved_views/${made.id}`, { name: 'Failed', query: 'status=failed' })).json).toEqual(
    renamed,
  );
  expect((await viewer.post(`/v1/saved_views/${made.id}`, { query: '' })).json.query).toBe('');
  expect((await viewer.post(`/v1/saved_views/${made.id}`, { query: 'status=failed' })).json).toEqual(renamed);
  expect(refused(await viewer.post(`/v1/saved_views/${made.id}`, { name: '' }))).toEqual([
    ...[400, 'parameter_invalid', 'name'],
  ]);
  const gone = (await viewer.request('DELETE', `/v1/saved_views/${other.id}`)).json;
  expect(gone).toEqual({ id: other.id, object: 'saved_view', deleted: true });
  expect((await viewer.get('/v1/saved_views')).json.data).toEqual([renamed]);
});

test('a view is nobody else’s, not even an owner’s, and not the same person’s in another account', async () => {
  const { id } = (await viewer.post('/v1/saved_views', late)).json;
  const other = await server.account();
  const owner = await server.person(shop.id, 'owner');
  const text = `insert into memberships (account, user_id, version, role) values ($1, $2, 1, 'owner')`;
  await server.sql.query(text, [other.id, owner.id]);
  const elsewhere = (await owner.signInAgain()).with({ 'X-Tollgate-Account': other.id, 'X-Tollgate-Mode': 'test' });
  await owner.client.post('/v1/saved_views', late);
  for (const client of [owner.client, elsewhere]) {
    expect(refused(await client.post(`/v1/saved_views/${id}`, { name: 'Mine' }))).toEqual([
      404,
      'resource_missing',
      'id',
    ]);
    expect(refused(await client.request('DELETE', `/v1/saved_views/${id}`))).toEqual([404, 'resource_missing', 'id']);
  }
  expect((await owner.client.get('/v1/saved_views')).json.data).toHaveLength(1);
  expect((await elsewhere.get('/v1/saved_views')).json.data).toEqual([]);
});

test.each([
  ['no name', { page: 'payments' }, 'parameter_missing', 'name'],
  ['a blank name', { name: ' ', page: 'payments' }, 'parameter_invalid', 'name'],
  ['a page elsewhere', { name: 'x', page: 'https://evil.example' }, 'parameter_invalid', 'page'],
  ['a page that begins with a slash', { name: 'x', page: '//evil.example' }, 'parameter_invalid', 'page'],
  ['a long query', { name: 'x', page: 'payments', query: 'x'.repeat(2_001) }, 'parameter_invalid', 'query'],
])('a view with %s is refused', async (_, view, code, param) => {
  expect(refused(await viewer.post('/v1/saved_views', view))).toEqual([400, code, param]);
});

test('there can be 100 of them', async () => {
  const { client, id } = await server.person(shop.id, 'support');
  const ids = `'view_' || lpad(n::text, 22, '0')`;
  await server.sql.query(
    `insert into saved_views (account, user_id, id, version, name, page, query)
     select $1, $2, ${ids}, 1, 'x', 'payments', '' from generate_series(1, 99) n`,
    [shop.id, id],
  );
  expect((await client.post('/v1/saved_views', late)).status).toBe(200);
  expect(refused(await client.post('/v1/saved_views', late))).toEqual([400, 'parameter_invalid', 'name']);
});
