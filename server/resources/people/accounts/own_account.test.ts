import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../operations/role.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { fromBase32, type TestPerson, testPassword } from '../../../test/person.ts';
import { codeAt, stepAt } from '../users/totp.ts';

let server: TestServer;
let shop: TestAccount;
const people = {} as Record<Role, Client>;

beforeAll(async () => {
  server = await startServer({ isAlone: true }); // another instance knows a change of people within a second
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
  ['a limit below none', { card_testing: { declines_per_session: -1 } }, 'card_testing.declines_per_session'],
  ['a limit that is no number', { card_testing: { declines_per_address: 'ten' } }, 'card_testing.declines_per_address'],
  ['a limit beyond all bounds', { card_testing: { sessions_per_card: 10_001 } }, 'card_testing.sessions_per_card'],
  ['a share of more than everything', { card_testing: { decline_share: 101 } }, 'card_testing.decline_share'],
  ['a flag that is none', { card_testing: { in_test_mode: 'maybe' } }, 'card_testing.in_test_mode'],
  ['a limit that does not exist', { card_testing: { declines: 1 } }, 'card_testing.declines'],
  ['limits that are no object', { card_testing: 5 }, 'card_testing'],
])('nobody in the account changes %s', async (_, change, param) => {
  const before = (await people.owner.get('/v1/account')).json;
  const answer = await people.owner.post('/v1/account', change);
  expect([answer.status, answer.json.error?.param]).toEqual([400, param]);
  expect((await people.owner.get('/v1/account')).json).toEqual(before);
});

test('owners change the limits against card testing, each by itself; developers cannot, in test mode neither', async () => {
  const usual = {
    ...{ declines_per_session: 5, declines_per_address: 10, sessions_per_card: 3, sessions_per_link_address: 10 },
    ...{ decline_share: 60, in_test_mode: false },
  };
  expect((await people.viewer.get('/v1/account')).json.card_testing).toEqual(usual);
  const changed = await people.owner.post('/v1/account', {
    card_testing: { sessions_per_card: 0, in_test_mode: true },
  });
  expect(changed.json.card_testing).toEqual({ ...usual, sessions_per_card: 0, in_test_mode: true });
  const again = await people.owner.post('/v1/account', { card_testing: { sessions_per_card: 4 } });
  expect(again.json.card_testing).toEqual({ ...usual, sessions_per_card: 4, in_test_mode: true });
  const refused = await people.developer.post('/v1/account', { card_testing: { sessions_per_card: 9 } });
  expect([refused.status, refused.json.error.code]).toEqual([403, 'role_missing']);
  const text = `select details -> 'to' as "to" from audit where account = $1 and action = 'account.card_testing' order by id`;
  const { rows } = await server.sql.query(text, [shop.id]);
  expect(rows).toEqual(
    [{ to: changed.json }, { to: again.json }].map(({ to }) => ({ to: { card_testing: to.card_testing } })),
  );
});

test('support and viewers change nothing', async () => {
  for (const client of [people.support, people.viewer])
    expect((await client.post('/v1/account', { name: 'Mine' })).json.error.code).toBe('role_missing');
});

describe('an account that requires an authenticator of everybody', () => {
  const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
  /** Sets up an authenticator. */
  async function enrol({ alone }: TestPerson): Promise<void> {
    const { secret, token } = (await alone.post('/v1/me/totp')).json;
    const code = codeAt(fromBase32(secret), stepAt(Date.now()));
    const { status, text } = await alone.post('/v1/me/totp/confirm', { token, password: testPassword, code });
    expect(status, text).toBe(200);
  }

  test('is made so by an owner who has one, and by nobody else', async () => {
    const account = await server.account();
    const owner = await server.person(account.id, 'owner');
    const developer = await server.person(account.id, 'developer');
    expect((await owner.client.get('/v1/account')).json).not.toHaveProperty('totp_required');
    const require = (by: TestPerson, totp_required = true) => by.client.post('/v1/account', { totp_required });
    expect(refused(await require(owner))).toEqual([400, 'parameter_invalid', 'totp_required']);
    await enrol(developer);
    expect(refused(await require(developer))).toEqual([403, 'role_missing', undefined]);
    await enrol(owner);
    expect((await require(owner)).json.totp_required).toBe(true);
    expect((await owner.client.get('/v1/account')).json.totp_required).toBe(true);
    expect(refused(await require(developer, false))).toEqual([403, 'role_missing', undefined]);
    expect((await developer.client.post('/v1/account', { name: 'Mine' })).status).toBe(200);
    const { rows } = await server.sql.query(`select actor, details from audit where account = $1 and action = $2`, [
      account.id,
      'account.totp_required',
    ]);
    expect(rows).toEqual([
      { actor: owner.email, details: { from: { totp_required: false }, to: { totp_required: true } } },
    ]);
    expect((await require(owner, false)).json).not.toHaveProperty('totp_required');
  });

  test('lets a member without one do nothing but set it up, and everybody else go on', async () => {
    const account = await server.account();
    const elsewhere = await server.account();
    const owner = await server.person(account.id, 'owner');
    await enrol(owner);
    const viewer = await server.person(account.id, 'viewer');
    const token = (await owner.client.post('/v1/invitations', { email: 'both@example.com', role: 'viewer' })).json.url;
    expect((await viewer.client.get('/v1/payments')).status).toBe(200);
    expect((await owner.client.post('/v1/account', { totp_required: true })).status).toBe(200);
    const look = async () => (await viewer.client.get('/v1/payments')).status;
    await expect.poll(look, { timeout: 1_500, interval: 50 }).toBe(403);
    for (const path of ['/v1/payments', '/v1/account', '/v1/search?q=x', '/v1/changes']) {
      const answer = await viewer.client.get(path);
      expect(refused(answer)).toEqual([403, 'role_missing', undefined]);
      expect(answer.json.error.message).toContain('requires an authenticator');
    }
    const session = (await viewer.alone.get('/v1/sessions/current')).json;
    expect(session.accounts).toMatchObject([{ id: account.id, totp_required: true }]);
    expect((await viewer.alone.get('/v1/me')).json.totp_enabled).toBe(false);
    // Somebody who joins is signed in, and sets one up first too.
    const visitor = server.anonymous.with({ Origin: server.baseUrl });
    const body = { token: token.split('#invitation=')[1], password: testPassword };
    const joined = await visitor.post('/v1/invitations/accept', body);
    expect(joined.json.accounts).toMatchObject([{ id: account.id, totp_required: true }]);
    // Other accounts and keys are not concerned.
    const other = await server.person(elsewhere.id, 'owner');
    expect((await other.client.get('/v1/payments')).status).toBe(200);
    expect((await account.test.get('/v1/payments')).status).toBe(200);
    await enrol(viewer);
    expect((await viewer.client.get('/v1/payments')).status).toBe(200);
  });
});
