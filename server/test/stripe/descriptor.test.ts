import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FakeIntent } from '../../fakes/stripe/shapes.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.stop());

test('the statement descriptor of the branding reaches Stripe, once there is one', async () => {
  const fake = await shop.stripe();
  await shop.processor(fake);
  const { client } = await shop.person();
  const suffixes = () =>
    fake.world.all<FakeIntent>('payment_intent').map((intent) => intent.statement_descriptor_suffix);
  expect((await shop.pay()).json.status).toBe('succeeded');
  expect((await client.post('/v1/branding', { statement_descriptor: 'SHOP WIEN' })).status).toBe(200);
  await shop.later(2);
  expect((await shop.pay()).json.status).toBe('succeeded');
  expect(suffixes()).toEqual([null, 'SHOP WIEN']);
});
