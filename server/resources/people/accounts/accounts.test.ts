import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { DirectoryReads } from '../../../base/reads.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { cardTestingDefaults } from './card_testing.ts';
import { customerMailKinds } from './mail_kinds.ts';
import type { AccountWithKeys, ShownAccount } from './schema.ts';
import { cachedSettings } from './settings.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const create = (parameters: object) =>
  server.operator.run<AccountWithKeys>('accounts.create', { parameters: { ...parameters } });
const retrieve = (id: string) => server.operator.run<ShownAccount>('accounts.retrieve', { id });

async function auditOf(account: string) {
  const text = 'select actor, action, subject, details from audit where account = $1 order by id';
  return (await server.sql.query(text, [account])).rows;
}

describe('accounts.create', () => {
  test('creates the account, its two tenants and a secret key for each mode, in one commit', async () => {
    const { test_secret_key, live_secret_key, ...account } = await create({ name: 'Shop' });
    expect(account).toEqual({
      id: expect.stringMatching(/^acct_/),
      object: 'account',
      name: 'Shop',
      tier: 'standard',
      status: 'active',
      fee_percent: '0',
      fee_fixed: {},
      settlement_days: 2,
      test_settlement: 'delayed',
      dunning_days: [1, 3, 5, 7],
      dunning_end: 'canceled',
      card_testing: cardTestingDefaults,
      mail: Object.fromEntries(customerMailKinds.map((kind) => [kind, false])),
      created: expect.any(Number),
    });
    expect(await retrieve(account.id)).toEqual(account);
    const { rows } = await server.sql.query(
      `select t.mode, a.xmin = t.xmin and t.xmin = k.xmin as together
         from accounts a join tenants t on t.account = a.id join api_keys k on k.tenant = t.tenant
        where a.id = $1 order by t.mode`,
      [account.id],
    );
    expect(rows).toEqual([
      { mode: 'live', together: true },
      { mode: 'test', together: true },
    ]);
    for (const key of [test_secret_key, live_secret_key])
      expect((await server.client(key).get('/v1/customers')).status).toBe(200);
  });

  test.each([
    [{}, '--name is required'],
    [{ name: 'A'.repeat(201) }, '--name must have at most 200 characters'],
    [{ name: 'A', tier: 'gold' }, '--tier must be one of standard, premium, enterprise'],
    [{ name: 'A', rate_limit: 5 }, '--rate-limit belongs to the enterprise tier; the other tiers have fixed limits'],
    [{ name: 'A', tier: 'enterprise' }, '--rate-limit is required'],
    [{ name: 'A', tier: 'enterprise', rate_limit: 0 }, '--rate-limit must be at least 1'],
    [{ name: 'A', colour: 'red' }, 'Unknown parameter colour'],
  ])('%j is refused in the words of the command line: %s', async (parameters, sentence) => {
    await expect(create(parameters)).rejects.toThrow(sentence);
  });
});

describe('an account', () => {
  test('keeps both of two concurrent changes, and the audit log has one after the other', async () => {
    const { id } = await create({ name: 'Shop' });
    await Promise.all([
      server.operator.run('accounts.update', { id, parameters: { fee_ppm: 29_000 } }),
      server.operator.run('accounts.update', { id, parameters: { settlement_days: 7 } }),
      server.operator.run('accounts.suspend', { id }),
    ]);
    expect(await retrieve(id)).toMatchObject({ fee_percent: '2.9', settlement_days: 7, status: 'suspended' });
    const changes = (await auditOf(id)).slice(3);
    expect(changes.map(({ actor }) => actor)).toEqual(['test', 'test', 'test']);
    const [first, second] = changes.filter(({ action }) => action === 'account.terms');
    expect(second.details.from).toEqual(first.details.to);
  });

  test.each(['accounts.retrieve', 'accounts.update', 'accounts.suspend', 'accounts.resume'])(
    'that does not exist is refused by %s',
    async (name) => {
      await expect(server.operator.run(name, { id: 'acct_no' })).rejects.toMatchObject({ code: 'resource_missing' });
    },
  );

  test('has a fixed fee in currencies that exist', async () => {
    const { id } = await create({ name: 'Shop' });
    const update = (fee_fixed: object) => server.operator.run('accounts.update', { id, parameters: { fee_fixed } });
    await update({ usd: 30, eur: 25 });
    for (const code of ['xau', 'USD', 'constructor', '4242424242424242'])
      await expect(update({ [code]: 1 })).rejects.toThrow('--fee-fixed: its keys must be three-letter codes');
    expect((await retrieve(id)).fee_fixed).toEqual({ usd: 30, eur: 25 });
  });
});

describe('the dunning of an account', () => {
  const set = (id: string, parameters: object) =>
    server.operator.run<ShownAccount>('accounts.update', { id, parameters: { ...parameters } });

  test('is changed by the given parameters alone, with an entry in the audit log', async () => {
    const { id } = await create({ name: 'Shop' });
    const first = { dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' };
    expect(await set(id, { dunning_end: 'unpaid' })).toMatchObject({ ...first, dunning_end: 'unpaid' });
    expect(await set(id, { dunning_days: [2, 90] })).toMatchObject({ dunning_days: [2, 90], dunning_end: 'unpaid' });
    await set(id, { settlement_days: 9 });
    expect(await retrieve(id)).toMatchObject({ dunning_days: [2, 90], dunning_end: 'unpaid', settlement_days: 9 });
    expect((await auditOf(id)).slice(3)).toEqual([
      {
        ...{ actor: 'test', action: 'account.dunning', subject: id },
        details: { from: first, to: { ...first, dunning_end: 'unpaid' } },
      },
      {
        ...{ actor: 'test', action: 'account.dunning', subject: id },
        details: { from: { ...first, dunning_end: 'unpaid' }, to: { dunning_days: [2, 90], dunning_end: 'unpaid' } },
      },
      expect.objectContaining({ action: 'account.terms' }),
    ]);
  });

  test.each([
    [{ dunning_days: [] }, '--dunning-days must have at least 1 element'],
    [{ dunning_days: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, '--dunning-days must have at most 10 elements'],
    [{ dunning_days: [0] }, 'must be at least 1'],
    [{ dunning_days: [1, 91] }, 'must be at most 90'],
    [{ dunning_days: [1.5] }, 'must be an integer'],
    [{ dunning_days: [3, 1] }, '--dunning-days must be ascending, each day once, such as 1, 3, 5, 7'],
    [{ dunning_days: [1, 1] }, '--dunning-days must be ascending, each day once'],
    [{ dunning_end: 'void' }, '--dunning-end must be one of canceled, unpaid, past_due'],
  ])('%j is refused: %s', async (change, sentence) => {
    const { id } = await create({ name: 'Shop' });
    await expect(set(id, change)).rejects.toThrow(sentence);
    expect(await retrieve(id)).toMatchObject({ dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' });
    expect(await auditOf(id)).toHaveLength(3);
  });

  test('is read with the terms, once a second, for both modes', async () => {
    const { id } = await create({ name: 'Shop' });
    const { reads } = server.gateway.services;
    const clock = virtualClock(0);
    let count = 0;
    const rows: DirectoryReads['rows'] = (text, values) => {
      count++;
      return reads.directory.rows(text, values);
    };
    const { terms, dunningOf } = cachedSettings({
      reads: { directory: { rows } as DirectoryReads },
      clock,
      directoryGraceMs: 0,
    });
    const [test, live] = [await tenantOf(server.sql, id, 'test'), await tenantOf(server.sql, id, 'live')];
    expect(await dunningOf(test)).toEqual({ days: [1, 3, 5, 7], end: 'canceled' });
    await set(id, { dunning_days: [4], dunning_end: 'past_due', settlement_days: 8 });
    expect([await dunningOf(test), (await terms(test)).settlementDays]).toEqual([
      { days: [1, 3, 5, 7], end: 'canceled' },
      2,
    ]);
    expect(count).toBe(1);
    clock.advance(1_000);
    expect([await dunningOf(test), (await terms(test)).settlementDays]).toEqual([{ days: [4], end: 'past_due' }, 8]);
    expect(count).toBe(2);
    expect(await dunningOf(live)).toEqual({ days: [4], end: 'past_due' });
  });
});

describe('the tier of an account', () => {
  const standard = { tier: 'standard' };
  const enterprise = { tier: 'enterprise', rate_limit: 250 };
  const set = (id: string, parameters: object) =>
    server.operator.run<ShownAccount>('accounts.update', { id, parameters: { ...parameters } });

  test.each([
    [standard, { tier: 'premium' }, { tier: 'premium' }],
    [standard, enterprise, enterprise],
    [enterprise, { rate_limit: 300 }, { tier: 'enterprise', rate_limit: 300 }],
    [enterprise, { tier: 'enterprise' }, enterprise],
    [enterprise, { tier: 'standard' }, { tier: 'standard' }],
    [enterprise, { settlement_days: 9 }, enterprise],
  ])('%j becomes by %j %j', async (before, change, after) => {
    const { id } = await create({ name: 'Shop', ...before });
    const { tier, rate_limit } = await set(id, change);
    expect({ tier, rate_limit }).toEqual({ rate_limit: undefined, ...after });
    expect(await retrieve(id)).toMatchObject(after);
  });

  test.each([
    [standard, { rate_limit: 5 }, '--rate-limit belongs to the enterprise tier; the other tiers have fixed limits'],
    [enterprise, { tier: 'premium', rate_limit: 5 }, '--rate-limit belongs to the enterprise tier'],
    [standard, { tier: 'enterprise' }, '--rate-limit is required'],
    [enterprise, { rate_limit: 0 }, '--rate-limit must be at least 1'],
    [enterprise, { rate_limit: 1_000_000_000 }, '--rate-limit must be at most 999999999'],
    [standard, { tier: 'gold' }, '--tier must be one of standard, premium, enterprise'],
  ])('of %j, %j is refused: %s', async (before, change, sentence) => {
    const { id } = await create({ name: 'Shop', ...before });
    await expect(set(id, change)).rejects.toThrow(sentence);
    expect(await retrieve(id)).toMatchObject(before);
    expect(await auditOf(id)).toHaveLength(3);
  });

  test('is changed together with the terms, in one commit with an entry in the audit log for each', async () => {
    const { id } = await create({ name: 'Shop' });
    await set(id, { ...enterprise, settlement_days: 9 });
    expect((await auditOf(id)).slice(3)).toEqual([
      expect.objectContaining({ action: 'account.terms', subject: id }),
      {
        actor: 'test',
        action: 'account.tier',
        subject: id,
        details: { from: { tier: 'standard', rate_limit: null }, to: enterprise },
      },
    ]);
    const together = `select bool_and(x.xmin = a.xmin) as all from accounts a join audit x on x.account = a.id
                       where a.id = $1 and x.action in ('account.terms', 'account.tier')`;
    expect((await server.sql.query(together, [id])).rows).toEqual([{ all: true }]);
  });

  test('applies on a running server, also in a window that is used up', async () => {
    const { id, test: client } = await server.account({ rateLimit: 1 });
    const ask = () => client.get('/v1/customers');
    await ask();
    // A window lasts a minute: the second request may be in the next one.
    await eventually(async () => expect((await ask()).status).toBe(429));
    await set(id, { rate_limit: 1_000 });
    await eventually(async () =>
      expect(await ask()).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': '1000' } }),
    );
    await set(id, { tier: 'premium' });
    await eventually(async () => expect((await ask()).headers['x-ratelimit-limit']).toBe('500'));
  });
});

test('accounts.list gives all accounts over several pages', async () => {
  const other = await startServer();
  for (let count = 0; count < 103; count++) await other.account();
  const { rows } = await other.sql.query('select id from accounts order by id');
  const listed = await other.operator.all<ShownAccount>('accounts.list');
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(listed).toHaveLength(103);
  await other.stop();
});

test('an API key cannot reach accounts and keys: there is no such route', async () => {
  const account = await server.account();
  for (const path of ['/v1/accounts', `/v1/accounts/${account.id}`, '/v1/api_keys'])
    for (const method of ['GET', 'POST'])
      expect((await account.live.request(method, path)).json.error.code).toBe('url_unrecognized');
});
