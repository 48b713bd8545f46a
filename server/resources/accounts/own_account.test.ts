import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import type { Role } from '../role.ts';

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

test('everybody sees the account with its terms, the same in both modes', async () => {
  const shown = await server.operator.run('accounts.retrieve', { id: shop.id });
  for (const client of Object.values(people)) expect((await client.get('/v1/account')).json).toEqual(shown);
  const live = people.viewer.with({ 'X-Tollgate-Mode': 'live' });
  expect((await live.get('/v1/account')).json).toEqual(shown);
  expect(await server.operator.run('account.retrieve', { account: shop.id })).toEqual(shown);
});

test('owners and developers change what belongs to the account, with an entry in the audit log for each setting', async () => {
  const change = { name: 'Corner shop', dunning_days: [2, 9], dunning_end: 'unpaid', test_settlement: 'immediate' };
  const answer = await people.developer.post('/v1/account', change);
  expect(answer.json).toMatchObject({ id: shop.id, ...change, settlement_days: 2, fee_percent: '0' });
  expect((await people.owner.post('/v1/account', { dunning_end: 'past_due' })).json).toMatchObject({
    ...change,
    dunning_end: 'past_due',
  });
  expect((await people.owner.post('/v1/account', { name: 'Corner shop' })).status).toBe(200);
  const text = `select actor, action, address, details -> 'to' as "to" from audit
                 where account = $1 and action like 'account.%' and actor like '%@%' order by id`;
  const { rows } = await server.sql.query(text, [shop.id]);
  expect(rows.map(({ action }) => action)).toEqual([
    'account.renamed',
    'account.terms',
    'account.dunning',
    'account.dunning',
  ]);
  expect(rows[3]).toMatchObject({ actor: expect.stringContaining('owner-'), to: { dunning_end: 'past_due' } });
  expect(rows[0].address).toBe('127.0.0.1');
});

test.each([
  ['the fees', { fee_ppm: 1 }, 'fee_ppm'],
  ['the fixed fees', { fee_fixed: { eur: 1 } }, 'fee_fixed'],
  ['the settlement', { settlement_days: 0 }, 'settlement_days'],
  ['the tier', { tier: 'premium' }, 'tier'],
  ['the rate limit', { rate_limit: 5 }, 'rate_limit'],
  ['the status', { status: 'active' }, 'status'],
  ['a name without letters', { name: '  ' }, 'name'],
  ['days in the wrong order', { dunning_days: [3, 1] }, 'dunning_days'],
])('nobody in the account changes %s', async (_, change, param) => {
  const before = (await people.owner.get('/v1/account')).json;
  const answer = await people.owner.post('/v1/account', change);
  expect([answer.status, answer.json.error?.param]).toEqual([400, param]);
  expect((await people.owner.get('/v1/account')).json).toEqual(before);
});

test('support and viewers change nothing', async () => {
  for (const client of [people.support, people.viewer])
    expect((await client.post('/v1/account', { name: 'Mine' })).json.error.code).toBe('role_missing');
});
