import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout, cards } from './checkout.fixture.ts';

/** Cards that customers type into our own fields. */

const hourMs = 3_600_000;
const clock = virtualClock(Date.now());
let server: TestServer;
let account: TestAccount;
let checkout: Checkout;

beforeAll(async () => {
  server = await startServer({ clock });
  account = await server.account();
  checkout = new Checkout(server, account);
});
afterAll(() => server.stop());

async function methodOf(session: string): Promise<string> {
  const text = 'select payment_method from payments where checkout_session = $1';
  return (await server.sql.query<{ payment_method: string }>(text, [session])).rows[0]!.payment_method;
}

const charge = async (payment_method: string) =>
  (await account.test.post('/v1/payments', { amount: 500, currency: 'eur', payment_method })).json;

async function isKept(method: string): Promise<boolean> {
  const { rows } = await server.sql.query('select from vault_cards where id = $1', [method]);
  return rows.length > 0;
}

test.each([
  ['has paid', cards.good],
  ['was declined', cards.declined],
])('one that %s is charged by its own try alone, and its number is destroyed', async (_, number) => {
  const made = await checkout.create();
  await checkout.pay(made, number);
  const method = await methodOf(made.id);
  expect((await charge(method)).error).toMatchObject({ code: 'payment_method_not_usable' });
  clock.advance(hourMs);
  await server.settled();
  expect(await isKept(method)).toBe(false);
});

test('one whose cardholder is being authenticated is there until that is over', async () => {
  const made = await checkout.create();
  await checkout.pay(made, cards.challenged);
  clock.advance(hourMs - 60_000);
  await server.settled();
  expect(await isKept(await methodOf(made.id))).toBe(true);
  for (let hours = 0; hours < 2; hours++) {
    clock.advance(hourMs);
    await server.settled();
  }
  expect(await isKept(await methodOf(made.id))).toBe(false);
});

test('one that a subscription is renewed by stays', async () => {
  const price = (
    await account.test.post('/v1/prices', {
      ...{ currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } },
    })
  ).json.id;
  const line_items = [{ price }];
  const made = await checkout.create({ amount: null, currency: null, mode: 'subscription', line_items });
  expect((await checkout.pay(made))?.view.status).toBe('complete');
  const method = await methodOf(made.id);
  clock.advance(2 * hourMs);
  await server.settled();
  expect(await isKept(method)).toBe(true);
  expect(await charge(method)).toMatchObject({ status: 'succeeded', payment_method: method });
});
