import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectCommands, say } from '../../commands/cli.fixture.ts';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeCustomer, FakePaymentMethod } from '../../fakes/stripe/shapes.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

/** What Stripe has of a customer that is deleted here. */

let shop: StripeShop;
let fake: FakeStripe;
let processor: string;

beforeAll(async () => {
  shop = await openStripeShop();
  fake = await shop.stripe();
  processor = await shop.processor(fake);
  await shop.server.settled();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await shop.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

/** A customer here with a card that Stripe keeps. */
async function customerWith(token: string): Promise<{ customer: string; method: string }> {
  const { id: customer } = (await shop.account.test.post('/v1/customers', ada)).json;
  const processor_token = { processor_account: processor, token };
  const body = { type: 'card', processor_token, customer, billing_details: ada };
  const made = await shop.account.test.post('/v1/payment_methods', body);
  expect(made.status).toBe(200);
  return { customer, method: made.json.id };
}

const rowOf = async (method: string) => (await shop.rows('select * from payment_methods where id = $1', [method]))[0];
const atStripe = () => fake.world.all<FakeCustomer>('customer').filter(({ email }) => email !== null);
const deleteCustomer = async (id: string) =>
  expect((await shop.account.test.delete(`/v1/customers/${id}`)).status).toBe(200);
const attention = async () => {
  const { client } = await shop.person();
  return (await client.get('/v1/needs_attention')).json.data.filter(
    ({ kind }: { kind: string }) => kind === 'card_at_processor',
  );
};

async function askStripe(path: string, form: Record<string, string>) {
  const headers = { Authorization: `Bearer ${fake.secretKey}` };
  const answer = await fetch(`${fake.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  return (await answer.json()) as { id: string };
}

test.each(['the customer is deleted', 'the card is detached'])(
  'the customer that was made there goes when %s, once',
  async (when) => {
    const { customer, method } = await customerWith('pm_card_visa');
    expect(atStripe()).toMatchObject([{ ...ada, metadata: { tollgate_payment_method: method } }]);
    if (when === 'the customer is deleted') await deleteCustomer(customer);
    else await shop.account.test.post(`/v1/payment_methods/${method}/detach`);
    fake.faults.add({ kind: 'reset_after', method: 'DELETE', path: '/v1/customers' }); // done, and the answer is lost
    await shop.later(60);
    expect(await rowOf(method)).toMatchObject({ forget_since: expect.any(Date), left_since: null });
    expect(await shop.rows('select 1 from vault_secrets where id = $1', [method])).toEqual([]);
    await shop.later(60);
    expect(atStripe()).toEqual([]);
    expect(await rowOf(method)).toMatchObject({ processor_customer: null, forget_since: null, due_at: null });
  },
);

test("the merchant's own customer stays, and is listed for the operator", async () => {
  const { id: own } = await askStripe('/v1/customers', { name: 'Own', email: 'own@example.com' });
  const { id: token } = await askStripe('/v1/payment_methods/pm_card_visa/attach', { customer: own });
  const { customer, method } = await customerWith(token);
  await deleteCustomer(customer);
  await shop.later(60);
  expect(atStripe()).toMatchObject([{ id: own }]);
  expect(fake.world.find(token) as FakePaymentMethod).toMatchObject({ customer: own });
  expect(await rowOf(method)).toMatchObject({
    ...{ processor_customer: own, left_since: expect.any(Date), due_at: null, billing: {} },
  });
  expect(await attention()).toEqual([]);
  connectCommands(shop.server, shop.account);
  const leftovers = (...more: string[]) => say('processors', 'leftovers', ...more);
  expect((await leftovers()).stdout).toMatch(new RegExp(`^${method}  customer ${own} .* not made by Tollgate\n$`));
  expect(JSON.parse((await leftovers('--dismiss', method, '--json')).stdout)).toMatchObject({
    ...{ id: method, processor_customer: own, state: 'not_ours' },
  });
  expect(await leftovers('--dismiss', method)).toMatchObject({
    code: 3,
    stderr: `${method} is not listed; "tollgate processors leftovers" shows what is.\n`,
  });
  expect((await leftovers()).stdout).toBe('There are none.\n');
  expect(await rowOf(method)).toMatchObject({ processor_customer: null, left_since: null });
  const audit = await shop.rows(`select details from audit where action = 'leftover.dismiss'`);
  expect(audit).toMatchObject([{ details: { processor_customer: own } }]);
});

test('a deletion that Stripe refuses is repeated with growing pauses, and after three days it is flagged', async () => {
  const { customer, method } = await customerWith('pm_card_visa');
  await deleteCustomer(customer);
  fake.faults.add({ kind: 'error_500_before', method: 'DELETE', path: '/v1/customers', probability: 1 });
  const pauses: number[] = [];
  const end = shop.clock.now() + 3 * 86_400_000;
  while (shop.clock.now() < end) {
    expect(await attention()).toEqual([]);
    const { due_at } = await rowOf(method);
    pauses.push((due_at.getTime() - shop.clock.now()) / 60_000);
    await shop.later((due_at.getTime() - shop.clock.now()) / 1_000);
  }
  expect(pauses.slice(0, 6).map(Math.round)).toEqual([1, 1, 1, 2, 4, 8]);
  expect(Math.max(...pauses)).toBe(360);
  await shop.later(6 * 3_600);
  expect(await attention()).toMatchObject([{ id: method, object: 'payment_method' }]);
  fake.faults.clear();
  await shop.later(6 * 3_600);
  expect([await attention(), await rowOf(method)]).toMatchObject([[], { processor_customer: null, due_at: null }]);
});

/** A customer here with a card number that Stripe keeps, because it was set up there. */
async function numberKept(): Promise<{ customer: string; method: string }> {
  const { id: customer } = (await shop.account.test.post('/v1/customers', ada)).json;
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const body = { type: 'card', card, customer, billing_details: ada };
  const { id: method } = (await shop.account.test.post('/v1/payment_methods', body)).json;
  const made = await shop.account.test.post('/v1/setups', { payment_method: method });
  expect([made.status, made.json.status]).toEqual([200, 'succeeded']);
  return { customer, method };
}

const keptFor = (method: string, { world }: FakeStripe = fake) =>
  world
    .all<FakeCustomer>('customer')
    .filter(({ id, metadata }) => metadata.tollgate_payment_method === method && !world.deleted.has(id));
const remembered = (method: string) => shop.rows('select * from kept_cards where payment_method = $1', [method]);
const detach = (method: string) => shop.account.test.post(`/v1/payment_methods/${method}/detach`);

test.each(['the customer is deleted', 'the card is detached'])(
  'a card number that Stripe keeps goes when %s, once',
  async (when) => {
    const { customer, method } = await numberKept();
    expect(keptFor(method)).toHaveLength(1);
    if (when === 'the customer is deleted') await deleteCustomer(customer);
    else await detach(method);
    fake.faults.add({ kind: 'reset_after', method: 'DELETE', path: '/v1/customers' }); // done, and the answer is lost
    await shop.later(60);
    expect(await rowOf(method)).toMatchObject({ forget_since: expect.any(Date), left_since: null });
    expect(await remembered(method)).toHaveLength(1);
    expect(await shop.rows('select 1 from vault_cards where id = $1', [method])).toEqual([]);
    await shop.later(60);
    expect([keptFor(method), await remembered(method)]).toEqual([[], []]);
    expect(await rowOf(method)).toMatchObject({ forget_since: null, due_at: null });
  },
);

test('a card number is forgotten at every processor account that keeps it', async () => {
  const second = await shop.stripe({ account: 'acct_second' });
  const { customer, method } = await numberKept();
  const other = await shop.processor(second);
  await shop.account.test.post(`/v1/processor_accounts/${processor}`, { enabled: false });
  const body = { amount: 900, currency: 'usd', payment_method: method, customer };
  expect((await shop.account.test.post('/v1/payments', body)).json.processor.account).toBe(other);
  await shop.account.test.post(`/v1/processor_accounts/${processor}`, { enabled: true });
  await shop.account.test.post(`/v1/processor_accounts/${other}`, { enabled: false });
  expect([keptFor(method).length, keptFor(method, second).length]).toEqual([1, 1]);
  second.faults.add({ kind: 'error_500_before', method: 'DELETE', path: '/v1/customers' });
  await detach(method);
  await shop.later(60);
  expect(await remembered(method)).toMatchObject([{ processor_account: other }]);
  await shop.later(60);
  expect([keptFor(method), keptFor(method, second), await remembered(method)]).toEqual([[], [], []]);
});

test('a customer of a card number from which somebody has removed our mark stays, and is listed for the operator', async () => {
  const { method } = await numberKept();
  const made = keptFor(method)[0]!;
  made.metadata = {};
  await detach(method);
  await shop.later(60);
  expect(fake.world.deleted.has(made.id)).toBe(false);
  expect(await rowOf(method)).toMatchObject({ left_since: expect.any(Date), due_at: null });
  connectCommands(shop.server, shop.account);
  const leftovers = (...more: string[]) => say('processors', 'leftovers', ...more);
  expect((await leftovers()).stdout).toContain(`${method}  customer ${made.id} at ${processor}`);
  expect(JSON.parse((await leftovers('--dismiss', method, '--json')).stdout)).toMatchObject({
    ...{ id: method, processor_account: processor, processor_customer: made.id, state: 'not_ours' },
  });
  expect((await leftovers()).stdout).toBe('There are none.\n');
  expect([await remembered(method), await rowOf(method)]).toMatchObject([[], { left_since: null }]);
});

test('two instances that charge a number for the first time have one customer made for it', async () => {
  const second = await shop.instance();
  onTestFinished(() => second.stop());
  const { id: customer } = (await shop.account.test.post('/v1/customers')).json;
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: method } = (await shop.account.test.post('/v1/payment_methods', { type: 'card', card, customer })).json;
  const body = { amount: 900, currency: 'usd', payment_method: method, customer };
  const clients = [shop.account.test, second.client(shop.account.testKey)];
  const answers = await Promise.all(clients.map((client) => client.post('/v1/payments', body)));
  expect(answers.map(({ json }) => json.status)).toEqual(['succeeded', 'succeeded']);
  expect([keptFor(method).length, (await remembered(method)).length]).toEqual([1, 1]);
  await detach(method);
  await shop.later(60);
  expect([keptFor(method), await remembered(method)]).toEqual([[], []]);
});
