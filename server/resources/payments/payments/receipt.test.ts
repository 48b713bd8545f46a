import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import type { TestAccount } from '../../../test/harness.ts';
import { places } from '../../../test/torture.ts';
import { findSettings } from '../../people/accounts/store.ts';
import { cardOf, openShop, type Shop } from './payments.fixture.ts';

const dayMs = 86_400_000;
/** An hour before midnight, so that days and not hours decide. */
const evening = Math.floor(Date.now() / dayMs) * dayMs + 2 * dayMs - 3_600_000;

describe.each(places)('what a payment has received, with a processor that is %s', (place) => {
  let shop: Shop;
  let clock: VirtualClock;

  beforeAll(async () => {
    clock = virtualClock(evening);
    shop = await openShop({ clock, environment: { SIMULATOR: place } });
  });
  afterAll(() => shop.stop());

  async function accountWith(terms: string): Promise<TestAccount> {
    const account = await shop.server.account();
    await shop.sql(`update accounts set ${terms} where id = $1`, [account.id]);
    return account;
  }

  async function pay(account: TestAccount, more: object = {}) {
    const { id } = (await account.test.post('/v1/payment_methods', cardOf('4242424242424242'))).json;
    const body = { amount: 1_050, currency: 'usd', payment_method: id, ...more };
    return (await account.test.post('/v1/payments', body)).json;
  }

  const balance = async (account: TestAccount) => {
    const { available, pending } = (await account.test.get('/v1/balance')).json;
    return { available: available[0]?.amount, pending: pending[0]?.amount };
  };
  const transactions = async (account: TestAccount) => {
    const { data } = (await account.test.get('/v1/balance/transactions')).json;
    return data.map(({ type, amount, status }: Record<string, unknown>) => `${type} ${amount} ${status}`).sort();
  };

  test('is pending for two days, and then available; without fees by default', async () => {
    const account = await shop.server.account();
    await pay(account);
    const start = clock.now();
    expect(await balance(account)).toEqual({ available: 0, pending: 1_050 });
    clock.advance(dayMs); // the evening of the next day
    expect(await balance(account)).toEqual({ available: 0, pending: 1_050 });
    clock.advance(3_600_000 - 1);
    expect(await balance(account)).toEqual({ available: 0, pending: 1_050 });
    clock.advance(1); // midnight: the second day
    expect(await balance(account)).toEqual({ available: 1_050, pending: 0 });
    expect(await transactions(account)).toEqual(['payment 1050 available']);
    expect(clock.now() - start).toBe(dayMs + 3_600_000);
  });

  test('becomes available after the settlement days of the account, and pays its fees', async () => {
    const account = await accountWith(`settlement_days = 5, fee_ppm = 29000, fee_fixed = '{"usd": 30}'`);
    await pay(account); // 2.9% of 1050 are 30.45
    expect(await transactions(account)).toEqual(['fee -60 pending', 'payment 1050 pending']);
    expect(await balance(account)).toEqual({ available: 0, pending: 990 });
    clock.advance(5 * dayMs);
    expect(await balance(account)).toEqual({ available: 990, pending: 0 });
  });

  test('is available immediately in test mode when the account is set so', async () => {
    const account = await accountWith(`test_settlement = 'immediate'`);
    await pay(account);
    expect(await balance(account)).toEqual({ available: 1_050, pending: 0 });
    const live = await tenantOf(shop.server.sql, account.id, 'live');
    expect((await findSettings(shop.server.gateway.services.reads, live)).terms).toMatchObject({ settlementDays: 2 });
  });

  test('is posted at its capture, with the captured amount, and not before', async () => {
    const account = await accountWith(`fee_ppm = 10000`);
    const { id } = await pay(account, { capture_method: 'manual' });
    expect(await transactions(account)).toEqual([]);
    await account.test.post(`/v1/payments/${id}/capture`, { amount: 400 });
    expect(await transactions(account)).toEqual(['fee -4 pending', 'payment 400 pending']);
  });

  test('is posted when an inquiry finds that it was received, and never when it was not', async () => {
    const account = await shop.server.account();
    const method = async (number: string) => (await account.test.post('/v1/payment_methods', cardOf(number))).json.id;
    for (const number of ['4000000000000408', '4000000000000416', '4000000000000002'])
      await account.test.post('/v1/payments', { amount: 100, currency: 'usd', payment_method: await method(number) });
    expect(await transactions(account)).toEqual([]);
    for (let minutes = 0; minutes < 3; minutes++) {
      clock.advance(60_000);
      await shop.server.settled();
    }
    expect(await transactions(account)).toEqual(['payment 100 pending']);
  });
});

test('a late answer of a processor is posted with the time of the answer, not of the request', async () => {
  const clock = virtualClock(evening);
  const shop = await openShop({ clock, environment: { SIMULATOR: 'remote' } });
  await shop.sql(
    `insert into simulator_faults (tenant, verb, kind, milliseconds, remaining)
     select tenant, 'authorize', 'delay', 300, 1 from tenants`,
  );
  const began = clock.now() / 1_000;
  const paying = shop.paid();
  await expect.poll(() => shop.sql('select from attempts')).toHaveLength(1);
  clock.advance(5_000);
  expect((await paying).status).toBe('succeeded');
  const [transaction] = (await shop.account.test.get('/v1/balance/transactions')).json.data;
  expect(transaction.created).toBeGreaterThanOrEqual(began + 5);
  await shop.stop();
});
