import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import { accountAt, openStripeShop, type StripeShop } from './stripe_shop.ts';

/** A processor account that is given the key of another account at Stripe. */

let shop: StripeShop;
let first: FakeStripe;
let other: FakeStripe;

beforeAll(async () => {
  shop = await openStripeShop();
  first = await shop.stripe({ account: 'acct_first' });
  other = await shop.stripe({ account: 'acct_other' });
});
afterAll(() => shop.stop());

const identityOf = async (id: string) =>
  (await shop.rows('select identity from processor_accounts where id = $1', [id]))[0].identity;
const keyOf = (fake: FakeStripe) => {
  const { credentials, settings } = accountAt(fake);
  return { credentials: { secret_key: credentials.secret_key }, settings };
};
const statusOf = async (id: string) => (await shop.account.test.get(`/v1/payments/${id}`)).json.status;

test('is refused once Stripe has answered anything, without a verification', async () => {
  const id = await shop.processor(first, { enabled: false });
  await shop.server.settled();
  expect(await identityOf(id)).toBe('acct_first');
  const { json } = await shop.account.test.get(`/v1/processor_accounts/${id}`);
  expect(json.last_verified).toBeUndefined(); // nobody has asked whether the credentials can do everything
  const refused = await shop.account.test.post(`/v1/processor_accounts/${id}`, keyOf(other));
  expect([refused.status, refused.json.error.param]).toEqual([400, 'credentials']);
  expect(refused.json.error.message).toContain('another account at the processor');
});

test('decides nothing about a charge whose answer was lost, where the identity was never learnt', async () => {
  first.faults.add({ kind: 'reset_before', path: '/v1/account', times: 1_000 });
  const id = await shop.processor(first);
  await shop.server.settled();
  expect(await identityOf(id)).toBeNull();
  first.faults.add({ kind: 'reset_after', method: 'POST', path: '/confirm' });
  const { json: payment } = await shop.pay();
  expect(payment.status).toBe('processing');
  shop.clock.advance(1_000);
  const changed = await shop.account.test.post(`/v1/processor_accounts/${id}`, keyOf(other));
  expect(changed.status).toBe(200);
  for (let minutes = 0; minutes < 10; minutes++) await shop.later(60);
  expect(await statusOf(payment.id)).toBe('processing');
  expect(other.world.all('payment_intent')).toEqual([]); // it was not even asked
  expect(first.books().map(({ kind, amount }) => [kind, amount])).toEqual([['charge', 4321]]);
  // Later payments are made there, and a lost answer is found as ever.
  other.faults.add({ kind: 'reset_after', method: 'POST', path: '/confirm' });
  const { json: later } = await shop.pay();
  expect(later.status).toBe('processing');
  for (let minutes = 0; minutes < 3; minutes++) await shop.later(60);
  expect(await statusOf(later.id)).toBe('succeeded');
  await shop.account.test.post(`/v1/processor_accounts/${id}`, { enabled: false });
  first.faults.clear();
});

test('decides nothing about a charge that another instance has made with the key before, which it keeps for a second', async () => {
  first.faults.add({ kind: 'reset_before', path: '/v1/account', times: 1_000 });
  const id = await shop.processor(first);
  const second = await shop.instance();
  onTestFinished(() => second.stop());
  const client = second.client(shop.account.testKey);
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  const pay = async () => (await client.post('/v1/payments', { amount: 987, currency: 'usd', payment_method })).json;
  expect(await pay()).toMatchObject({ status: 'succeeded', processor: { account: id } }); // it has read the key
  expect((await shop.account.test.post(`/v1/processor_accounts/${id}`, keyOf(other))).status).toBe(200);
  first.faults.add({ kind: 'reset_after', method: 'POST', path: '/confirm' });
  const payment = await pay();
  expect(payment.status).toBe('processing');
  expect(first.books().filter(({ amount }) => amount === 987)).toHaveLength(2);
  for (let minutes = 0; minutes < 10; minutes++) await shop.later(60);
  expect(await statusOf(payment.id)).toBe('processing');
  await shop.account.test.post(`/v1/processor_accounts/${id}`, { enabled: false });
  first.faults.clear();
});

test('a new key of the same account decides, because the identity was known before', async () => {
  const third = await shop.stripe({ account: 'acct_third' });
  const id = await shop.processor(third);
  await shop.server.settled();
  third.faults.add({ kind: 'reset_after', method: 'POST', path: '/confirm' });
  const { json: payment } = await shop.pay();
  expect(payment.status).toBe('processing');
  shop.clock.advance(1_000);
  const settings = { api_base: third.url.replace('127.0.0.1', 'localhost') }; // as far as Tollgate knows, it may be another one
  const again = { credentials: { secret_key: third.secretKey }, settings };
  expect((await shop.account.test.post(`/v1/processor_accounts/${id}`, again)).status).toBe(200);
  for (let minutes = 0; minutes < 3; minutes++) await shop.later(60);
  expect(await statusOf(payment.id)).toBe('succeeded');
});

test('keeps a card number for its own charges, and never deletes what the account before it keeps', async () => {
  for (const fake of [first, other]) fake.faults.add({ kind: 'reset_before', path: '/v1/account', times: 1_000 });
  const rows = await shop.rows('select id from processor_accounts where enabled');
  for (const { id } of rows) await shop.account.test.post(`/v1/processor_accounts/${id}`, { enabled: false });
  const id = await shop.processor(first);
  const { id: customer } = (await shop.account.test.post('/v1/customers')).json;
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = (await shop.account.test.post('/v1/payment_methods', { type: 'card', card, customer })).json.id;
  const body = { amount: 900, currency: 'usd', payment_method: method, customer };
  const pay = async (more: object = {}) => (await shop.account.test.post('/v1/payments', { ...body, ...more })).json;
  expect((await pay()).status).toBe('succeeded');
  shop.clock.advance(1_000);
  expect((await shop.account.test.post(`/v1/processor_accounts/${id}`, keyOf(other))).status).toBe(200);
  await shop.later(60);
  expect((await pay({ off_session: true })).status).toBe('succeeded'); // by the number: nothing is kept there yet
  expect((await pay()).status).toBe('succeeded');
  const kept = () => shop.rows('select customer from kept_cards where payment_method = $1 order by attempt', [method]);
  const [before, after, ...more] = await kept();
  expect([first.world.find(before.customer), other.world.find(after.customer), more]).toMatchObject([{}, {}, []]);
  await shop.account.test.post(`/v1/payment_methods/${method}/detach`);
  await shop.later(61);
  expect(await kept()).toEqual([before]);
  expect([first.world.deleted.has(before.customer), other.world.deleted.has(after.customer)]).toEqual([false, true]);
  const [{ due_at }] = await shop.rows('select due_at from payment_methods where id = $1', [method]);
  expect(due_at).toBeInstanceOf(Date); // it is tried again, and listed after three days
  await shop.account.test.post(`/v1/processor_accounts/${id}`, { enabled: false });
  for (const fake of [first, other]) fake.faults.clear();
});
