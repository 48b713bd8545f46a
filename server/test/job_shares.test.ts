import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../base/clock.fixture.ts';
import type { Tenant } from '../base/reads.ts';
import { processorDeadlineMs } from '../connectors/ask.ts';
import { tenantOf } from '../operations/tenants.ts';
import { cardOf } from '../resources/payments/payments/payments.fixture.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';

/** More than twice the rows of a tenant that can be running. */
const many = 75;
const card = cardOf('4242424242424242');
const hourMs = 3_600_000;
const monthMs = 32 * 24 * hourMs;

let server: TestServer;
let clock: VirtualClock;
let slow: { account: TestAccount; tenant: Tenant };
let other: { account: TestAccount; tenant: Tenant };

/** A call that hangs ends after three seconds, so `many` of them are several rounds. */
const deadlineMs = 3_000;

beforeAll(async () => {
  clock = virtualClock(Date.now() + 60_000);
  server = await startServer({
    isAlone: true,
    clock,
    processorDeadlineMs: deadlineMs,
    environment: { SIMULATOR: 'remote' },
  });
  [slow, other] = [await merchant(), await merchant()];
});
afterAll(() => server.stop());

async function merchant() {
  const account = await server.account();
  return { account, tenant: await tenantOf(server.sql, account.id, 'test') };
}

async function fault(tenant: Tenant, kind: string, verb: string, remaining = 1_000): Promise<void> {
  const text = 'insert into simulator_faults (tenant, verb, kind, remaining) values ($1, $2, $3, $4)';
  await server.sql.query(text, [tenant, verb, kind, remaining]);
}

/** How often the processor was called in vain. */
async function hung(verb: string): Promise<number> {
  const text = `select sum(1000 - remaining)::int as used from simulator_faults where tenant = $1 and verb = $2 and kind = 'hang'`;
  return (await server.sql.query(text, [slow.tenant, verb])).rows[0].used ?? 0;
}

const endFaults = () => server.sql.query('delete from simulator_faults');

describe('while the processor of a merchant with much due work hangs', () => {
  test("another merchant's unknown payment is settled before the first calls have timed out", async () => {
    const pay = async ({ account, tenant }: typeof slow, payments: number): Promise<string[]> => {
      const payment_method = (await account.test.post('/v1/payment_methods', card)).json.id;
      await fault(tenant, 'lose_reply', 'authorize', payments);
      const wish = { amount: 2_000, currency: 'usd', payment_method };
      const paid = Array.from({ length: payments }, () => account.test.post('/v1/payments', wish));
      return (await Promise.all(paid)).map(({ json }) => json.id);
    };
    await pay(slow, many);
    const [id] = await pay(other, 1);
    await fault(slow.tenant, 'hang', 'find');
    clock.advance(10_000);
    server.gateway.worker.wake();
    const status = async () => (await other.account.test.get(`/v1/payments/${id}`)).json.status;
    await expect.poll(status).toBe('succeeded');
    expect(await hung('find')).toBeLessThan(many);
    await endFaults();
    await server.settled();
  });

  test("another merchant's subscription is renewed before the first calls have timed out", async () => {
    const subscribe = async ({ account }: typeof slow, subscriptions: number) => {
      const recurring = { interval: 'month' };
      const price = { currency: 'eur', unit_amount: 900, recurring, product_name: 'Tea' };
      const { id } = (await account.test.post('/v1/prices', price)).json;
      const payment_method = (await account.test.post('/v1/payment_methods', card)).json.id;
      const customer = (await account.test.post('/v1/customers', {})).json.id;
      await account.test.post(`/v1/payment_methods/${payment_method}/attach`, { customer });
      const wish = { customer, items: [{ price: id }], default_payment_method: payment_method };
      const { limits } = server.gateway.services.connectors;
      limits.deadlineMs = processorDeadlineMs; // so many at the same moment take longer on a busy machine
      const made = Array.from({ length: subscriptions }, () => account.test.post('/v1/subscriptions', wish));
      for (const { json } of await Promise.all(made)) expect(json.status).toBe('active');
      limits.deadlineMs = deadlineMs;
    };
    await subscribe(slow, 2 * many);
    clock.advance(60_000);
    await subscribe(other, 1);
    await fault(slow.tenant, 'hang', 'authorize');
    clock.advance(monthMs);
    server.gateway.worker.wake();
    const invoices = async () => (await other.account.test.get('/v1/invoices')).json.data.length;
    await expect.poll(invoices).toBe(2);
    expect(await hung('authorize')).toBeLessThan(2 * 64);
    await endFaults();
  });
});
