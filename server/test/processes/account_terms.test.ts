import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cardTestingDefaults } from '../../resources/people/accounts/card_testing.ts';
import { switchesWith } from '../../resources/people/accounts/mail_kinds.ts';
import { onFreeMachine } from '../fastest.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../harness.ts';
import { type Environment, type Finished, patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const home = children.directory();
let server: TestServer;
let account: TestAccount;
let environment: Environment;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey };
});
afterAll(async () => {
  await children.cleanUp();
  await server.stop();
});

function accounts(...args: string[]): Promise<Finished> {
  return children.run(['accounts', ...args], { cwd: home, environment });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function json(...args: string[]): Promise<any> {
  return children.json(['accounts', ...args], { cwd: home, environment });
}

const firstDunning = { dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' };
const untouched = { fee_percent: '0', fee_fixed: {}, settlement_days: 2, test_settlement: 'delayed' };

describe('tollgate accounts set', () => {
  test('changes only the given terms, and the audit log has the old and the new values', async () => {
    const { id } = await server.account();
    expect(await json('show', id)).toEqual({
      ...{ id, object: 'account', name: 'Test', tier: 'enterprise', rate_limit: 1_000_000, status: 'active' },
      ...{ ...untouched, ...firstDunning, card_testing: cardTestingDefaults, created: expect.any(Number) },
      mail: switchesWith({}),
    });
    const fees = { fee_percent: '2.9', fee_fixed: { usd: 30, eur: 25 } };
    expect(await json('set', id, '--fee-percent', '2.9', '--fee-fixed', 'usd=30,eur=25')).toMatchObject(fees);
    const waits = { settlement_days: 7, test_settlement: 'immediate' };
    await json('set', id, '--settlement-days', '7', '--test-settlement', 'immediate');
    await json('set', id, '--fee-fixed', 'none');
    const end = { ...fees, fee_fixed: {}, ...waits };
    expect(await json('show', id)).toMatchObject(end);
    expect(await json('list')).toContainEqual(expect.objectContaining({ id, ...end }));
    const audit = await server.sql.query(
      `select actor, subject, details from audit where account = $1 and action = 'account.terms' order by id`,
      [id],
    );
    expect(audit.rows.map(({ details }) => details)).toEqual([
      { from: untouched, to: { ...untouched, ...fees } },
      { from: { ...untouched, ...fees }, to: { ...fees, ...waits } },
      { from: { ...fees, ...waits }, to: end },
    ]);
    for (const { actor, subject } of audit.rows)
      expect([actor, subject]).toEqual([expect.stringMatching(/^command line/), id]);
  });

  test('prints the terms in words', async () => {
    const { id } = await server.account();
    const { stdout } = await accounts('set', id, '--fee-percent', '1.25', '--fee-fixed', 'usd=30');
    expect(stdout).toBe(
      [
        `Account     ${id}`,
        'Name        Test',
        'Status      active',
        'Tier        enterprise, 1000000 requests per minute',
        'Fee         1.25% + 30 usd',
        'Settlement  2 days',
        'Dunning     after 1, 3, 5, 7 days, then canceled',
        'Mails       none to customers',
        '',
      ].join('\n'),
    );
    expect((await accounts('show', id)).stdout).toBe(stdout);
  });

  test('changes the dunning', async () => {
    const { id } = await server.account();
    const made = await json('set', id, '--dunning-days', '2,4', '--dunning-end', 'unpaid');
    expect(made).toMatchObject({ dunning_days: [2, 4], dunning_end: 'unpaid' });
    expect(await json('show', id)).toEqual(made);
  });

  test('a running server applies the new fee within a second', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
    const { json: method } = await account.test.post('/v1/payment_methods', { type: 'card', card });
    const feeOfAPayment = async () => {
      const wish = { amount: 1_000, currency: 'usd', payment_method: method.id };
      const { json: payment } = await account.test.post('/v1/payments', wish);
      const { rows } = await server.sql.query(`select amount from postings where source = $1 and kind = 'fee'`, [
        payment.id,
      ]);
      return rows[0]?.amount;
    };
    expect(await feeOfAPayment()).toBeUndefined();
    await json('set', account.id, '--fee-percent', '2.9', '--fee-fixed', 'usd=30');
    const doneAt = performance.now();
    await until('a payment pays the fee', patienceMs, async () => {
      const askedAt = performance.now();
      const fee = await feeOfAPayment();
      if (fee === undefined) expect(onFreeMachine(1_000, askedAt - doneAt)).toBeLessThan(1_000);
      return fee === 59;
    });
  });

  test('a running server applies the new tier within a second', async () => {
    const { id, test: client } = await server.account({ tier: 'standard' });
    const limit = async () => (await client.get('/v1/customers')).headers['x-ratelimit-limit'];
    expect(await limit()).toBe('100');
    const made = await json('set', id, '--tier', 'enterprise', '--rate-limit', '5000', '--settlement-days', '3');
    const doneAt = performance.now();
    expect(made).toMatchObject({ id, tier: 'enterprise', rate_limit: 5_000, settlement_days: 3 });
    await until('the new limit applies', patienceMs, async () => {
      const askedAt = performance.now();
      const isNew = (await limit()) === '5000';
      if (!isNew) expect(onFreeMachine(1_000, askedAt - doneAt)).toBeLessThan(1_000);
      return isNew;
    });
    expect((await accounts('set', id, '--rate-limit', '6000')).stdout).toContain(
      'enterprise, 6000 requests per minute',
    );
    expect((await accounts('set', id, '--tier', 'premium')).stdout).toContain('premium, 500 requests per minute');
    const refused = await accounts('set', id, '--rate-limit', '5');
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^--rate-limit belongs to/) });
  });

  test.each([
    [['set', 'acct_x', '--tier', 'gold'], 'Allowed choices are standard, premium, enterprise'],
    [['set', 'acct_x', '--rate-limit', '0'], '--rate-limit takes requests per minute, a whole number above zero'],
    [['set', 'acct_x', '--fee-percent', '1'], 'there is no account acct_x'],
    [['show', 'acct_x'], 'there is no account acct_x'],
    [['set', 'acct_x'], 'say what to set: --tier, --rate-limit, --fee-percent,'],
    [['set', 'acct_x', '--fee-percent', '2.90001'], '--fee-percent takes a number from 0 to 100'],
    [['set', 'acct_x', '--fee-fixed', 'usd'], '--fee-fixed takes amounts by currency'],
    [['set', 'acct_x', '--settlement-days', '91'], '--settlement-days takes a whole number from 0 to 90'],
    [['set', 'acct_x', '--test-settlement', 'never'], 'Allowed choices are delayed, immediate'],
    [['set', 'acct_x', '--dunning-days', '3,1'], '--dunning-days takes 1 to 10 different whole numbers from 1 to 90'],
    [['set', 'acct_x', '--dunning-end', 'void'], 'Allowed choices are canceled, unpaid, past_due'],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await accounts(...args);
    expect([code, stdout]).toEqual([message.startsWith('there is no account') ? 3 : 2, '']);
    expect(stderr).toContain(message);
  });
});
