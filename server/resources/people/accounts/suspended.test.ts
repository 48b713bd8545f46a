import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { connectCommands, say } from '../../../commands/cli.fixture.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { cardOf } from '../../payments/payments/payments.fixture.ts';

const dayMs = 86_400_000;
const monthMs = 31 * dayMs;
const declinedLater = '4000000000000341';

let server: TestServer;
let clock: VirtualClock;

beforeAll(async () => {
  clock = virtualClock(Date.now() + 60_000);
  server = await startServer({ clock, environment: { SIMULATOR: 'remote' } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

type Merchant = { account: TestAccount; tenant: Tenant; customer: string; method: string };

async function merchant(): Promise<Merchant> {
  const account = await server.account();
  const customer = (await account.test.post('/v1/customers', {})).json.id;
  const method = (await account.test.post('/v1/payment_methods', cardOf('4242424242424242'))).json.id;
  await account.test.post(`/v1/payment_methods/${method}/attach`, { customer });
  return { account, tenant: await tenantOf(server.sql, account.id, 'test'), customer, method };
}

async function subscribe({ account, customer, method }: Merchant, more: object = {}): Promise<string> {
  const price = { currency: 'eur', unit_amount: 900, recurring: { interval: 'month' }, product_name: 'Tea' };
  const { id } = (await account.test.post('/v1/prices', price)).json;
  const wish = { customer, items: [{ price: id }], default_payment_method: method, ...more };
  return (await account.test.post('/v1/subscriptions', wish)).json.id;
}

async function suspend({ account }: Merchant): Promise<void> {
  await server.operator.run('accounts.suspend', { id: account.id });
  clock.advance(1_000); // by then every instance knows
}

/** By the command, which makes due what was put off. No time passes: an instance that took it for suspended would put it off again. */
async function resume({ account }: Merchant): Promise<void> {
  connectCommands(server, account);
  expect(await say('accounts', 'resume', account.id)).toMatchObject({ code: 0, stdout: `${account.id} is active.\n` });
  await server.settled();
}

async function later(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

const rows = async (table: string, { tenant }: Merchant) =>
  (await server.sql.query(`select * from ${table} where tenant = $1 order by id`, [tenant])).rows;
const statuses = async (table: string, of: Merchant) => (await rows(table, of)).map(({ status }) => status);

describe('a suspended account', () => {
  test('is not charged for the next period; when it is resumed, every missed period is', async () => {
    const [suspended, other] = [await merchant(), await merchant()];
    await subscribe(suspended);
    await subscribe(other);
    await suspend(suspended);
    await later(2 * monthMs);
    expect(await statuses('invoices', suspended)).toEqual(['paid']);
    expect(await statuses('payments', suspended)).toEqual(['succeeded']);
    expect(await statuses('invoices', other)).toEqual(['paid', 'paid', 'paid']);
    await resume(suspended);
    expect(await statuses('invoices', suspended)).toEqual(['paid', 'paid', 'paid']);
  });

  test('has due rows that are put off by a day, and not leased again and again', async () => {
    const suspended = await merchant();
    await subscribe(suspended);
    await suspend(suspended);
    await later(monthMs);
    const [before] = await rows('subscriptions', suspended);
    expect(before.due_at.getTime()).toBeGreaterThan(clock.now() + dayMs / 2);
    await later(60_000);
    const [after] = await rows('subscriptions', suspended);
    expect(after.version).toBe(before.version);
  });

  test('is not charged when it is resumed after it was wound down', async () => {
    const suspended = await merchant();
    await subscribe(suspended);
    await suspend(suspended);
    await later(monthMs);
    connectCommands(server, suspended.account);
    const { code, stdout } = await say('accounts', 'wind-down', suspended.account.id, '--apply');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Ended: subscriptions (1).') });
    await resume(suspended);
    await later(monthMs);
    expect(await statuses('subscriptions', suspended)).toEqual(['canceled']);
    expect(await statuses('invoices', suspended)).toEqual(['paid']);
  });

  test('is not charged again after a decline; when it is resumed, dunning goes on', async () => {
    const suspended = await merchant();
    const { account, customer } = suspended;
    const id = await subscribe(suspended);
    const declined = (await account.test.post('/v1/payment_methods', cardOf(declinedLater))).json.id;
    await account.test.post(`/v1/payment_methods/${declined}/attach`, { customer });
    await account.test.post(`/v1/subscriptions/${id}`, { default_payment_method: declined });
    await later(monthMs);
    const attempts = async () => (await rows('invoices', suspended)).at(-1).attempt_count;
    expect([await statuses('invoices', suspended), await attempts()]).toEqual([['paid', 'open'], 1]);
    await suspend(suspended);
    await later(2 * dayMs);
    expect(await attempts()).toBe(1);
    await resume(suspended);
    expect(await attempts()).toBe(2);
  });

  test('still has its unknown payments settled', async () => {
    const suspended = await merchant();
    const fault = 'insert into simulator_faults (tenant, verb, kind, remaining) values ($1, $2, $3, 1)';
    await server.sql.query(fault, [suspended.tenant, 'authorize', 'lose_reply']);
    const wish = { amount: 900, currency: 'eur', payment_method: suspended.method };
    expect((await suspended.account.test.post('/v1/payments', wish)).json.status).toBe('processing');
    await suspend(suspended);
    await later(30_000);
    expect(await statuses('payments', suspended)).toEqual(['succeeded']);
  });

  test('has test clocks that stand still until it is resumed', async () => {
    const account = await server.account();
    const tenant = await tenantOf(server.sql, account.id, 'test');
    const frozen = Math.floor(clock.now() / 1_000);
    const { id } = (await account.test.post('/v1/test_clocks', { frozen_time: frozen })).json;
    const customer = (await account.test.post('/v1/customers', { test_clock: id })).json.id;
    const method = (await account.test.post('/v1/payment_methods', cardOf('4242424242424242'))).json.id;
    await account.test.post(`/v1/payment_methods/${method}/attach`, { customer });
    const suspended = { account, tenant, customer, method };
    await subscribe(suspended);
    await server.gateway.worker.idle();
    await server.operator.run('accounts.suspend', { id: account.id });
    clock.advance(1_000);
    await server.sql.query(
      `update test_clocks set status = 'advancing', target = frozen_time + interval '40 days', due_at = now() where id = $1`,
      [id],
    );
    await server.settled();
    expect(await statuses('test_clocks', suspended)).toEqual(['advancing']);
    expect(await statuses('invoices', suspended)).toEqual(['paid']);
    await resume(suspended);
    expect(await statuses('test_clocks', suspended)).toEqual(['ready']);
    expect(await statuses('invoices', suspended)).toEqual(['paid', 'paid']);
  });
});
