import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FakeIntent } from '../../../fakes/stripe/shapes.ts';
import { openStripeShop, type StripeShop } from '../payments/stripe_shop.fixture.ts';

/** Somebody refunds at Stripe itself: in its dashboard, or by other software. */
let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.stop());

async function paid(number?: string, more: object = {}) {
  const { id } = await shop.paid(number, more);
  return { id, intent: await shop.intentOf(id) };
}

const refundsOf = async (payment: string) =>
  (await shop.account.test.get(`/v1/refunds?payment=${payment}`)).json.data as { id: string; status: string }[];
const postings = (payment: string) =>
  shop.sql(`select kind, amount, reference from postings where payment = $1 and kind like 'refund%' order by id`, [
    payment,
  ]);
const failedNotices = () => shop.sql('select reason, reported from notices where failures > 0');

/** Whatever was reported is reported again, and what failed is tried again. */
async function settle(): Promise<void> {
  for (const later of [0, 15_000, 60_000, 120_000]) {
    await shop.pass(later);
    await shop.reported();
  }
}

describe('a refund at the processor', () => {
  test('is recorded once, with its postings and events, however often it is reported', async () => {
    const { id, intent } = await paid();
    const { id: name } = shop.stripe.byHand.refund(intent, 700);
    await settle();
    const [refund, ...others] = await refundsOf(id);
    expect([refund, others]).toMatchObject([
      { amount: 700, currency: 'usd', status: 'succeeded', reason: 'made_at_processor', payment: id },
      [],
    ]);
    expect((await shop.read(id)).json).toMatchObject({ status: 'succeeded', amount_refunded: 700 });
    expect(await postings(id)).toEqual([
      { kind: 'refund', amount: 700, reference: name },
      { kind: 'refund_settled', amount: 700, reference: name },
    ]);
    expect(await shop.eventTypes(refund!.id)).toEqual(['refund.created']);
    expect(await shop.eventTypes(id)).toEqual(['payment.succeeded', 'payment.refunded']);
    // The rest is refunded here, and no more.
    const more = await shop.post('/v1/refunds', { payment: id });
    expect([more.status, more.json]).toMatchObject([200, { amount: 1_300, status: 'succeeded' }]);
    expect((await shop.post('/v1/refunds', { payment: id })).json.error.code).toBe('refund_exceeds_payment');
  });

  test('several in parts are several refunds', async () => {
    const { id, intent } = await paid();
    for (const amount of [100, 100, 300]) shop.stripe.byHand.refund(intent, amount);
    await settle();
    expect((await refundsOf(id)).map((one) => one.status)).toEqual(Array(3).fill('succeeded'));
    expect((await shop.read(id)).json.amount_refunded).toBe(500);
  });

  test('that is pending arrives later, and one that comes back fails', async () => {
    const [pending, bounced] = [await paid('4000000000007726'), await paid('4000000000005126')];
    shop.stripe.byHand.refund(pending.intent, 400);
    shop.stripe.byHand.refund(bounced.intent, 400);
    await settle();
    expect(await refundsOf(pending.id)).toMatchObject([{ amount: 400, status: 'succeeded' }]);
    expect((await shop.read(pending.id)).json.amount_refunded).toBe(400);
    // It may have come back before it was recorded: then nothing was refunded.
    for (const { status } of await refundsOf(bounced.id)) expect(status).toBe('failed');
    expect((await shop.read(bounced.id)).json.amount_refunded ?? 0).toBe(0);
  });

  test('of a payment that was captured there, too, is recorded after the capture', async () => {
    const { id, intent } = await paid(undefined, { capture_method: 'manual' });
    shop.stripe.byHand.capture(intent, 1_500);
    shop.stripe.byHand.refund(intent, 500);
    await settle();
    const refunded = { status: 'succeeded', captured_elsewhere: true, amount_received: 1_500, amount_refunded: 500 };
    expect((await shop.read(id)).json).toMatchObject(refunded);
    expect(await refundsOf(id)).toMatchObject([{ amount: 500, reason: 'made_at_processor' }]);
  });

  test('and one of ours that race are both recorded, as far as Stripe has made them', async () => {
    const { id, intent } = await paid();
    // Ours never arrives at first, and is too much once it does.
    shop.stripe.faults.add({ kind: 'reset_before', method: 'POST', path: '/refunds' });
    expect((await shop.post('/v1/refunds', { payment: id })).json).toMatchObject({ amount: 2000, status: 'pending' });
    shop.stripe.byHand.refund(intent, 500);
    await shop.reported();
    expect(await refundsOf(id)).toMatchObject([{ amount: 2000, status: 'pending' }]);
    await settle();
    expect((await refundsOf(id)).map((one) => one.status).sort()).toEqual(['failed', 'succeeded']);
    expect((await shop.read(id)).json.amount_refunded).toBe(500);
  });

  test('is in the ledger as it is in the statement of Stripe, and the books agree', async () => {
    expect(await failedNotices()).toEqual([]);
    expect(await shop.violations()).toEqual([]);
    const { matched, differences } = await shop.reconciled();
    expect([matched > 10, differences]).toEqual([true, []]);
  });

  test('that is one of ours without its mark is not recorded twice', async () => {
    const { id, intent } = await paid();
    shop.stripe.faults.add({ kind: 'reset_after', method: 'POST', path: '/refunds' });
    expect((await shop.post('/v1/refunds', { payment: id, amount: 600 })).json.status).toBe('pending');
    const made = shop.stripe.world.all('refund').at(-1)!;
    expect(made).toMatchObject({ payment_intent: intent });
    shop.stripe.byHand.unmark(made.id, 'tollgate_attempt');
    await settle();
    expect(await refundsOf(id)).toMatchObject([{ amount: 600, status: 'succeeded' }]);
    expect((await shop.read(id)).json.amount_refunded).toBe(600);
  });

  test('of more than what is left waits for a person', async () => {
    const { id, intent } = await paid();
    await shop.sql('update payments set amount_refunded = 1900 where id = $1', [id]);
    const { id: name } = shop.stripe.byHand.refund(intent, 500);
    await shop.reported();
    expect(await refundsOf(id)).toEqual([]);
    const [failed] = await failedNotices();
    expect(failed.reason).toContain(
      `${name} of 500 usd was made at the processor, and ${id} is succeeded with 100 usd left`,
    );
    for (let times = 0; times < 6; times++) await shop.pass(3_600_000);
    const { client } = await shop.server.person(shop.account.id, 'owner');
    const { data } = (await client.get('/v1/needs_attention?kind=notice')).json;
    expect(data).toMatchObject([{ reason: expect.stringContaining('refunded_elsewhere') }]);
    // Once the payment has enough left, it is recorded.
    await shop.sql('update payments set amount_refunded = null where id = $1', [id]);
    await shop.pass(3_600_000);
    expect(await refundsOf(id)).toMatchObject([{ amount: 500, status: 'succeeded' }]);
  });

  test('of a payment that other software has marked as a setup is ignored', async () => {
    const payment_method = await shop.method();
    const setup = (await shop.post('/v1/setups', { payment_method })).json;
    const [attempt] = await shop.sql('select id from attempts where setup = $1', [setup.id]);
    const failed = await failedNotices();
    const { id, intent } = await paid();
    shop.stripe.world.get<FakeIntent>(intent).metadata = { tollgate_setup: setup.id, tollgate_attempt: attempt.id };
    shop.stripe.byHand.refund(intent, 500);
    await settle();
    expect(await refundsOf(id)).toEqual([]);
    expect(await failedNotices()).toEqual(failed);
  });
});
