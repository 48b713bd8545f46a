import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeIntent } from '../../fakes/stripe/shapes.ts';
import type { FakeCheckout } from '../../fakes/stripe/world.ts';
import { Checkout } from '../../resources/selling/checkout_sessions/checkout.fixture.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

let shop: StripeShop;
let fake: FakeStripe;
beforeAll(async () => {
  shop = await openStripeShop();
  fake = await shop.stripe();
  await shop.processor(fake);
});
afterAll(() => shop.stop());

test('the statement descriptor of the branding reaches Stripe, once there is one', async () => {
  const { client } = await shop.person();
  const suffixes = () =>
    fake.world.all<FakeIntent>('payment_intent').map((intent) => intent.statement_descriptor_suffix);
  expect((await shop.pay()).json.status).toBe('succeeded');
  expect((await client.post('/v1/branding', { statement_descriptor: 'SHOP WIEN' })).status).toBe(200);
  await shop.later(2);
  expect((await shop.pay()).json.status).toBe('succeeded');
  expect(suffixes()).toEqual([null, 'SHOP WIEN']);
});

test('what was sold by a checkout is read at Stripe; the description of another payment stays here', async () => {
  const earlier = fake.world.all<FakeIntent>('payment_intent').length;
  const own = (await shop.pay(undefined, { description: 'For nobody else' })).json;
  expect(own).toMatchObject({ status: 'succeeded', description: 'For nobody else' });
  const checkout = new Checkout(shop.server, shop.account);
  const teapots = { name: 'Teapot', unit_amount: 900, currency: 'eur', quantity: 2 };
  const session = { amount: null, currency: null, line_items: [teapots] };
  const [saved, page] = [await checkout.saved('4242424242424242'), await checkout.create(session)];
  const byCard = await checkout.create({ ...session, customer_email: null, customer: saved.customer });
  const { payment_method } = saved;
  await checkout.pay(byCard, '', { instrument: { kind: 'saved', payment_method } });
  expect((await checkout.get(byCard.id)).status).toBe('complete');
  await checkout.pay(page, '', { instrument: { kind: 'page' } });
  const made = fake.world.all<FakeIntent>('payment_intent').slice(earlier);
  expect(made.map(({ description }) => description)).toEqual([null, 'Teapot × 2']);
  const asked: FakeCheckout[] = [...fake.world.checkouts.values()];
  expect(asked.map(({ intent }) => intent.description)).toEqual(['Teapot × 2']);
});
