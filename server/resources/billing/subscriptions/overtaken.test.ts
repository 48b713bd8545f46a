import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { Billing, cards, type Shown } from './billing.fixture.ts';

/** Changes that wait for the answer of a processor while another instance changes what they were made from. */
let clock: VirtualClock;
let first: TestServer;
let second: TestServer;
let account: TestAccount;
let billing: Billing;
let other: Billing;
let tenant: number;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  const options = { clock, onePostgres: true, environment: { SIMULATOR: 'remote' } };
  first = await startServer(options);
  second = await startServer({ ...options, databaseUrl: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

beforeEach(async () => {
  account = await first.account();
  billing = new Billing(account);
  other = new Billing({ ...account, test: second.client(account.testKey) } as TestAccount);
  const text = `select tenant from tenants where account = $1 and mode = 'test'`;
  tenant = (await first.sql.query(text, [account.id])).rows[0].tenant;
});
afterEach(async () => {
  await isAsked();
  expect(await violationsOf(first.sql, { rest: true, tenant })).toEqual([]);
});

async function isAsked(): Promise<void> {
  for (const pause of [0, 25_000, 25_000]) {
    clock.advance(pause); // at first what is under way ends: time must not pass for a call that waits for its answer
    await first.settled();
    await second.settled();
  }
}

const strict = { payment_behavior: 'error_if_incomplete' };
const attempts = async (state: string) =>
  (await first.sql.query('select from attempts where tenant = $1 and state = $2', [tenant, state])).rowCount;

/** Sends requests, and lets something happen while the processor has them all and has not answered any. */
async function during(requests: (() => Promise<Shown>)[], happens: () => Promise<unknown>): Promise<Shown[]> {
  await first.sql.query('begin');
  try {
    await first.sql.query('lock table simulator_entries in share mode');
    const answers = requests.map((request) => request());
    await expect.poll(() => attempts('open')).toBe(requests.length);
    await happens();
    await first.sql.query('commit');
    return await Promise.all(answers);
  } catch (error) {
    await first.sql.query('rollback');
    throw error;
  }
}

const fault = (kind: string) =>
  first.sql.query(`insert into simulator_faults (verb, kind, remaining, tenant) values ('authorize', $1, 1, $2)`, [
    kind,
    tenant,
  ]);

/** A customer with credit, an active subscription, and an item that waits. */
async function subscribed() {
  const customer = await billing.customer(undefined);
  const subscription = await billing.subscribe(customer, await billing.price(1_000));
  const credit = { customer: customer.id, currency: 'eur', description: 'A voucher', amount: -300 };
  await billing.post('invoice_items', credit);
  const { id } = await billing.post('invoices', { customer: customer.id });
  await billing.post(`invoices/${id}/finalize`);
  const item = await billing.post('invoice_items', { ...credit, amount: 200, description: 'A cup' });
  const headers = { 'Idempotency-Key': 'change' };
  const body = { items: [{ id: subscription.items[0].id, quantity: 3 }], proration: 'invoice_now', ...strict };
  const change = (by = billing, with_ = headers) =>
    by.account.test.post(`/v1/subscriptions/${subscription.id}`, body, with_);
  return { customer, subscription, item, change };
}
type Subscribed = Awaited<ReturnType<typeof subscribed>>;

/** The payment is refunded in full, and no invoice has a number but those before. */
async function expectRefunded(customer: Shown, invoices: number): Promise<void> {
  await isAsked();
  const [invoice] = (await billing.get(`invoices?customer=${customer.id}&status=void`)).data;
  expect(invoice).not.toHaveProperty('number');
  const payment = await billing.get(`payments/${invoice.payment}`);
  const refunds = (await billing.get(`refunds?payment=${payment.id}`)).data;
  expect(payment, JSON.stringify(refunds)).toMatchObject({
    ...{ status: 'succeeded', amount_refunded: payment.amount, invoice: invoice.id },
  });
  const { rows } = await first.sql.query('select count(number)::int4 as count from invoices where tenant = $1', [
    tenant,
  ]);
  expect(rows[0].count).toBe(invoices);
}

describe('a change whose payment is approved', () => {
  const overtakes: [string, (one: Subscribed) => Promise<unknown>][] = [
    ['the subscription has changed', ({ subscription }) => other.post(`subscriptions/${subscription.id}`, { metadata: { a: '1' } })],
    ['the subscription was canceled', ({ subscription }) => other.post(`subscriptions/${subscription.id}/cancel`)],
    ['its item was deleted', ({ item }) => other.account.test.delete(`/v1/invoice_items/${item.id}`)],
    ['an item took its credit', async ({ customer }) => {
      await other.post('invoice_items', { customer: customer.id, currency: 'eur', description: 'A cap', amount: 300 });
      await other.post('invoices', { customer: customer.id });
      const { data } = await other.get(`invoices?customer=${customer.id}&status=draft`);
      await other.post(`invoices/${data[0].id}/finalize`);
    }],
  ]; // biome-ignore format: a case is a line

  test.each(overtakes)('is refunded when %s', async (_, happens) => {
    const one = await subscribed();
    const [answer] = await during([() => one.change()], () => happens(one));
    expect([answer.status, answer.json.error?.code], answer.text).toEqual([400, 'subscription_not_updatable']);
    expect((await billing.subscription(one.subscription)).items).toMatchObject([{ quantity: 1 }]);
    expect((await one.change()).text).toBe(answer.text);
    const numbered = (await billing.get(`invoices?customer=${one.customer.id}&limit=100`)).data.filter(
      ({ number }: Shown) => number !== undefined,
    );
    await expectRefunded(one.customer, numbered.length);
  });

  test('is made when only the name of its customer has changed', async () => {
    const { customer, subscription, change } = await subscribed();
    const [answer] = await during([() => change()], () => other.post(`customers/${customer.id}`, { name: 'Ada' }));
    expect(answer.json, answer.text).toMatchObject({ status: 'active', items: [{ quantity: 3 }] });
    const { latest_invoice } = await billing.subscription(subscription);
    expect(await billing.get(`invoices/${latest_invoice}`)).toMatchObject({
      number: 'INV-000003',
      credit_applied: 300,
    });
  });

  test('is made once when two race, and the other is refunded', async () => {
    const { customer, subscription, change } = await subscribed();
    const requests = [() => change(), () => change(other, { 'Idempotency-Key': 'other' })];
    const answers = await during(requests, async () => {});
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await isAsked();
    const payments = (await billing.get(`payments?customer=${customer.id}`)).data;
    expect(payments.filter((one: Shown) => one.amount_refunded === one.amount)).toHaveLength(1);
    expect((await billing.subscription(subscription)).items).toMatchObject([{ quantity: 3 }]);
  });
});

test('a new subscription is refunded when its customer has changed', async () => {
  const customer = await billing.customer(undefined, cards.pays);
  const item = { customer: customer.id, currency: 'eur', description: 'A cup', amount: 200 };
  const { id } = await billing.post('invoice_items', item);
  const body = { customer: customer.id, items: [{ price: (await billing.price(1_000)).id }], ...strict };
  const requests = [() => account.test.post('/v1/subscriptions', body)];
  const [answer] = await during(requests, () => other.account.test.delete(`/v1/invoice_items/${id}`));
  expect([answer.status, answer.json.error?.code, answer.json.error?.param], answer.text).toEqual(
    [400, 'subscription_not_updatable', 'customer'],
  ); // biome-ignore format: one list
  expect((await billing.get(`subscriptions?customer=${customer.id}`)).data).toEqual([]);
  await expectRefunded(customer, 0);
});

test('a new subscription is refunded when another has got its external id', async () => {
  const customer = await billing.customer(undefined, cards.pays);
  const items = [{ price: (await billing.price(1_000)).id }];
  const body = { customer: customer.id, items, external_id: 'sub_A', ...strict };
  const elsewhere = await billing.customer(undefined, ''); // without a card, so that no processor is asked to set it up
  const requests = [() => account.test.post('/v1/subscriptions', body)];
  const [answer] = await during(requests, () =>
    other.post('subscriptions', { customer: elsewhere.id, items, external_id: 'sub_A', trial_days: 7 }),
  );
  expect([answer.status, answer.json.error?.code], answer.text).toEqual([400, 'subscription_not_updatable']);
  expect(answer.json.error.message).toContain('external_id');
  expect((await billing.get(`subscriptions?customer=${customer.id}`)).data).toEqual([]);
  await expectRefunded(customer, 0);
});

describe('a new subscription with nothing to pay, whose method is set up first', () => {
  const overtakes: [string, string, (customer: Shown, items: object[]) => Promise<unknown>][] = [
    [
      'another has got its external id',
      'external_id_in_use',
      async (_, items) => {
        const elsewhere = await other.customer(undefined, '');
        return other.post('subscriptions', { customer: elsewhere.id, items, external_id: 'sub_B' });
      },
    ],
    [
      'an item has to be paid now',
      'subscription_not_updatable',
      ({ id }) => {
        const item = { customer: id, currency: 'eur', description: 'A cup', amount: 200 };
        return other.post('invoice_items', item);
      },
    ],
  ];

  test.each(overtakes)('is refused when %s; the setup stays', async (_, code, happens) => {
    const customer = await billing.customer(undefined, cards.pays);
    const items = [{ price: (await billing.price(0)).id }];
    const body = { customer: customer.id, items, external_id: 'sub_B', ...strict };
    const post = () => account.test.post('/v1/subscriptions', body, { 'Idempotency-Key': 'start' });
    const [answer] = await during([post], () => happens(customer, items));
    expect([answer.status, answer.json.error?.code], answer.text).toEqual([400, code]);
    const [setup] = (await billing.get(`setups?customer=${customer.id}`)).data;
    expect(setup.status).toBe('succeeded');
    expect((await billing.get(`subscriptions?customer=${customer.id}`)).data).toEqual([]);
    expect((await post()).text).toBe(answer.text);
  });
});

test('a change whose payment is unknown, of a subscription that has changed, is refunded once it is found', async () => {
  const { subscription, customer, change } = await subscribed();
  await fault('lose_reply');
  const happens = () => other.post(`subscriptions/${subscription.id}`, { metadata: { a: '1' } });
  const [answer] = await during([() => change()], happens);
  expect([answer.status, answer.json.error?.code], answer.text).toEqual([400, 'subscription_not_updatable']);
  expect(answer.json.error.message).toContain('refunded if it succeeds');
  await expectRefunded(customer, 2);
});
