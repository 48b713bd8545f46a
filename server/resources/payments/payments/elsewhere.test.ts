import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from './stripe_shop.fixture.ts';

/** Somebody captures or cancels at Stripe itself: in its dashboard, or by other software. */
let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.stop());

const week = 7 * 24 * 3_600_000;

async function held() {
  const { id, status } = await shop.paid(undefined, { capture_method: 'manual' });
  expect(status).toBe('requires_capture');
  return { id, intent: await shop.intentOf(id) };
}

const refundsAt = (intent: string) =>
  shop.stripe.books().filter(({ kind, payment_intent }) => kind === 'refund' && payment_intent === intent);
const postings = (id: string) =>
  shop.sql('select kind, amount, reference from postings where payment = $1 order by id', [id]);
const incidents = (id: string) =>
  shop.server.logged.filter((line) => line.includes('incident') && line.includes(id)).length;

describe('a capture at the processor', () => {
  const captured = { status: 'succeeded', captured_elsewhere: true, amount_capturable: 0 };

  /** Nothing else happens to it, whatever is reported and however long it takes. */
  async function expectKept(id: string, intent: string, amount_received: number): Promise<void> {
    for (const later of [0, week, 1_000]) {
      await shop.pass(later);
      await shop.reported();
    }
    expect((await shop.read(id)).json).toMatchObject({ ...captured, amount_received });
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture', 'payment.succeeded']);
    const authorization = (await shop.attempts(id))[0].id;
    expect(await postings(id)).toEqual([{ kind: 'payment', amount: amount_received, reference: authorization }]);
    expect(refundsAt(intent)).toEqual([]);
  }

  test.each([
    ['all', undefined, 2000],
    ['a part', 700, 700],
  ])('is recorded when it is reported: %s', async (_, amount, received) => {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent, amount);
    await shop.reported();
    expect((await shop.read(id)).json).toMatchObject({ ...captured, amount_received: received });
    await expectKept(id, intent, received);
    const refused = await shop.post(`/v1/payments/${id}/capture`);
    expect(refused.json.error.code).toBe('payment_not_capturable');
  });

  test('is recorded when the payment expires, and nothing is given back', async () => {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent, 1_500);
    await shop.pass(week);
    expect((await shop.read(id)).json).toMatchObject({ ...captured, amount_received: 1_500 });
    await expectKept(id, intent, 1_500);
  });

  test('is recorded when it is captured here, too', async () => {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent, 900);
    const answer = await shop.post(`/v1/payments/${id}/capture`, { amount: 2000 });
    expect([answer.status, answer.json]).toMatchObject([200, { ...captured, amount_received: 900 }]);
    await expectKept(id, intent, 900);
    expect((await shop.attempts(id)).map(({ verb, state }) => `${verb} ${state}`)).toEqual([
      'authorize approved',
      'capture declined',
    ]);
  });

  test('is recorded when it is canceled here, which is refused', async () => {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent);
    const answer = await shop.post(`/v1/payments/${id}/cancel`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'payment_not_cancelable']);
    expect(answer.json.error.message).toContain('succeeded');
    await expectKept(id, intent, 2000);
  });

  test('while our own is in flight, ours is settled first; without its mark it is kept all the same', async () => {
    const { id, intent } = await held();
    shop.stripe.faults.add({ kind: 'reset_after', method: 'POST', path: '/capture' });
    expect((await shop.post(`/v1/payments/${id}/capture`, { amount: 600 })).json.status).toBe('processing');
    shop.stripe.byHand.unmark(intent, 'tollgate_capture');
    await shop.reported();
    expect((await shop.read(id)).json.status).toBe('processing');
    await shop.pass(30_000);
    await shop.reported();
    expect((await shop.read(id)).json).toMatchObject({ ...captured, amount_received: 600 });
    await shop.pass(week);
    expect(refundsAt(intent)).toEqual([]);
    expect(await postings(id)).toMatchObject([{ kind: 'payment', amount: 600 }]);
  });
});

describe('a cancel at the processor', () => {
  test.each([
    ['waits for its capture', '4242424242424242', { capture_method: 'manual' }],
    ['waits for its cardholder', '4000000000003220', {}],
  ])('is recorded when it is reported: a payment that %s', async (_, number, more) => {
    const { id } = await shop.paid(number, more);
    shop.stripe.byHand.cancel((await shop.read(id)).json.processor.reference);
    await shop.reported();
    const canceled = { status: 'canceled', cancellation_reason: 'made_at_processor', canceled_at: expect.any(Number) };
    expect((await shop.read(id)).json).toMatchObject(canceled);
    await shop.reported();
    expect((await shop.eventTypes(id)).at(-1)).toBe('payment.canceled');
    expect(await postings(id)).toEqual([]);
  });

  test('of our own keeps the reason that was given here', async () => {
    const { id } = await held();
    await shop.post(`/v1/payments/${id}/cancel`, { reason: 'duplicate' });
    await shop.reported();
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', cancellation_reason: 'duplicate' });
  });
});

test('the books agree', async () => {
  expect(await shop.violations()).toEqual([]);
  const { matched, differences } = await shop.reconciled();
  expect([matched > 0, differences]).toEqual([true, []]);
});

describe('a capture that cannot be recorded', () => {
  test('more than was authorized needs a person, and is neither recorded nor given back', async () => {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent, 2_500);
    await shop.reported();
    expect((await shop.read(id)).json).toMatchObject({ status: 'requires_capture', amount_received: 0 });
    const answer = await shop.post(`/v1/payments/${id}/capture`);
    expect([answer.status, answer.json.error.code]).toEqual([402, 'processing_error']);
    await shop.pass(week);
    expect((await shop.read(id)).json).toMatchObject({ status: 'requires_capture', amount_received: 0 });
    expect([refundsAt(intent), await postings(id)]).toEqual([[], []]);
    expect((await shop.row(id)).flagged_at).not.toBeNull();
    const { client } = await shop.server.person(shop.account.id, 'owner');
    const reason = 'The payment was captured at the processor, and this cannot be recorded. Nothing is given back.';
    expect((await client.get('/v1/needs_attention')).json.data).toContainEqual(expect.objectContaining({ id, reason }));
    expect(incidents(id)).toBeGreaterThan(0);
  });

  const incidentsOfCapture = (id: string) =>
    shop.server.logged.filter((line) => line.includes(id) && line.includes('and is not undone')).length;
  const settleAs = (id: string, as: string) =>
    shop.server.operator.run('payments.settle', { account: shop.account.id, mode: 'test', id, parameters: { as } });

  /** Of 2,000 that are held, 2,500 were captured at Stripe. */
  async function exceeded() {
    const { id, intent } = await held();
    shop.stripe.byHand.capture(intent, 2_500);
    return { id, intent };
  }

  /** So many inquiries that each is more than a call apart from the next. */
  async function inquired(): Promise<void> {
    for (let minutes = 0; minutes < 6; minutes++) await shop.pass(60_000);
  }

  test('after an expiry, a person records the cancel', async () => {
    const { id, intent } = await exceeded();
    await shop.pass(week);
    await inquired();
    expect(incidentsOfCapture(id)).toBe(1); // and not at every attempt
    await expect(settleAs(id, 'succeeded')).rejects.toThrow('can be settled as canceled or requires_capture');
    await settleAs(id, 'canceled');
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', amount_received: 0 });
    expect([await shop.row(id), refundsAt(intent)]).toMatchObject([{ flagged_at: null, due_at: null }, []]);
  });

  test('after a capture here, a person records what was authorized', async () => {
    const { id, intent } = await exceeded();
    expect((await shop.post(`/v1/payments/${id}/capture`)).status).toBe(402);
    await shop.pass(20_000);
    await settleAs(id, 'succeeded');
    expect((await shop.read(id)).json).toMatchObject({ status: 'succeeded', amount_received: 2_000 });
    expect(await postings(id)).toMatchObject([{ kind: 'payment', amount: 2_000 }]);
    expect([await shop.row(id), refundsAt(intent)]).toMatchObject([{ flagged_at: null, due_at: null }, []]);
  });

  test('after a capture here, a person records that it has failed: nothing is given back until Stripe says so', async () => {
    const { id, intent } = await exceeded();
    expect((await shop.post(`/v1/payments/${id}/capture`)).status).toBe(402);
    await shop.pass(20_000);
    await settleAs(id, 'failed');
    await shop.server.settled();
    const { flagged_at } = await shop.row(id);
    expect(flagged_at).not.toBeNull();
    await inquired();
    expect(await shop.row(id)).toMatchObject({ status: 'failed', flagged_at });
    expect([incidentsOfCapture(id), refundsAt(intent), await postings(id)]).toEqual([1, [], []]);
    await settleAs(id, 'failed'); // the reversal: everything was given back at Stripe
    expect(await shop.row(id)).toMatchObject({ status: 'failed', flagged_at: null, open_attempt: null, due_at: null });
  });
});
