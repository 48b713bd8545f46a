import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { places } from '../../../test/torture.ts';
import { approvedCard, openShop, type Shop } from '../payments/payments.fixture.ts';
import { booksOf, refundEvents } from './refunds.fixture.ts';

const pendingCard = '4000000000007726';
const bouncingCard = '4000000000005126';

describe.each(places)('a refund, and a simulator that is %s', (place) => {
  let shop: Shop;
  let clock: VirtualClock;

  beforeAll(async () => {
    clock = virtualClock(Date.now() + 60_000);
    shop = await openShop({ clock, environment: { SIMULATOR: place } });
  });
  afterAll(() => shop.stop());

  const post = (path: string, body: object, headers = {}) => shop.account.test.post(path, body, headers);
  const refund = async (payment: string, more: object = {}) => {
    const answer = await post('/v1/refunds', { payment, ...more });
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    return answer.json;
  };
  const later = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await shop.server.settled();
  };
  const fault = (kind: string, verb: string, remaining = 1) =>
    shop.sql(`insert into simulator_faults (verb, kind, remaining) values ($1, $2, $3)`, [verb, kind, remaining]);

  test('of the whole amount has exactly the fields of the interface, and the payment shows it', async () => {
    const payment = await shop.paid();
    const made = await refund(payment.id);
    expect(made).toEqual({
      id: expect.stringMatching(/^re_[0-9A-Za-z]{22}$/),
      object: 'refund',
      amount: 2000,
      currency: 'usd',
      payment: payment.id,
      status: 'succeeded',
      created: Math.floor(clock.now() / 1_000),
    });
    expect((await shop.read(payment.id)).json).toEqual({ ...payment, amount_refunded: 2000 });
    expect(await refundEvents(shop, made.id)).toEqual([{ type: 'refund.created', object: made }]);
    const told = (await shop.events(payment.id)).at(-1);
    const { created: _, ...inEvent } = payment;
    expect([told.type, told.data.object]).toEqual(['payment.refunded', { ...inEvent, amount_refunded: 2000 }]);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 0, balance: 0 });
    expect(await shop.charges(payment.id)).toMatchObject([{ captured: 2000, net: 0 }]);
  });

  test('in parts, with reason and metadata, until nothing is left', async () => {
    const payment = await shop.paid();
    const first = await refund(payment.id, { amount: 500, reason: 'duplicate', metadata: { order: 7 } });
    expect(first).toMatchObject({ amount: 500, reason: 'duplicate', metadata: { order: 7 }, status: 'succeeded' });
    clock.advance(1_000);
    await refund(payment.id, { amount: 1 });
    expect((await shop.read(payment.id)).json.amount_refunded).toBe(501);
    const over = await post('/v1/refunds', { payment: payment.id, amount: 1500 });
    expect(over.json.error).toMatchObject({ code: 'refund_exceeds_payment', param: 'amount' });
    expect(over.json.error.message).toContain('1499');
    clock.advance(1_000);
    expect((await refund(payment.id)).amount).toBe(1499);
    const none = await post('/v1/refunds', { payment: payment.id });
    expect([none.status, none.json.error.code, none.json.error.param]).toEqual([
      400,
      'refund_exceeds_payment',
      'payment',
    ]);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 0, balance: 0 });
    const list = await shop.account.test.get(`/v1/refunds?payment=${payment.id}`);
    expect(list.json.data.map((one: { amount: number }) => one.amount)).toEqual([1499, 1, 500]);
  });

  test('of a capture returns the captured amount, not the authorized one', async () => {
    const payment = await shop.paid(approvedCard, { capture_method: 'manual' });
    const early = await post('/v1/refunds', { payment: payment.id });
    expect(early.json.error).toMatchObject({ code: 'payment_not_refundable', param: 'payment' });
    await post(`/v1/payments/${payment.id}/capture`, { amount: 700 });
    expect((await refund(payment.id)).amount).toBe(700);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 0, balance: 0 });
  });

  test.each([
    ['no such payment', { payment: 'py_0000000000000000000000' }, 404, 'resource_missing', 'payment'],
    ['no id', { payment: 'x' }, 404, 'resource_missing', 'payment'],
    ['no payment', {}, 400, 'parameter_missing', 'payment'],
    ['nothing', { amount: 0 }, 400, 'amount_too_small', 'amount'],
    ['less than nothing', { amount: -1 }, 400, 'amount_too_small', 'amount'],
    ['too much for any', { amount: 1_000_000_000_000 }, 400, 'amount_too_large', 'amount'],
    ['half a cent', { amount: 1.5 }, 400, 'parameter_invalid', 'amount'],
    ['an unknown reason', { reason: 'because' }, 400, 'parameter_invalid', 'reason'],
    ['something else', { status: 'succeeded' }, 400, 'parameter_unknown', 'status'],
  ])('%s is refused, and nothing changes', async (name, body, status, code, param) => {
    const payment = await shop.paid();
    const wish = name === 'no payment' ? body : { payment: payment.id, ...body };
    const answer = await post('/v1/refunds', wish);
    expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([status, code, param]);
    expect(await shop.sql('select from refunds where payment = $1', [payment.id])).toEqual([]);
    expect((await shop.read(payment.id)).json).toEqual(payment);
  });

  test('metadata can be changed, with an event; nothing else can', async () => {
    const { id } = await refund((await shop.paid()).id, { metadata: { a: '1', b: '2' } });
    const after = (await post(`/v1/refunds/${id}`, { metadata: { a: '', c: true } })).json;
    expect(after.metadata).toEqual({ b: '2', c: true });
    const events = await refundEvents(shop, id);
    expect(events[1]).toEqual({
      type: 'refund.updated',
      object: after,
      previous: { metadata: { a: '1', c: null } },
    });
    await post(`/v1/refunds/${id}`, { metadata: { b: '2' } }); // as it was
    expect(await refundEvents(shop, id)).toHaveLength(2);
    expect((await post(`/v1/refunds/${id}`, { amount: 1 })).json.error.code).toBe('parameter_unknown');
    expect((await shop.account.test.get(`/v1/refunds/${id}`)).json).toEqual(after);
  });

  test('that is pending counts as refunded, and succeeds later', async () => {
    const payment = await shop.paid(pendingCard);
    const made = await refund(payment.id, { amount: 600 });
    expect(made.status).toBe('pending');
    expect((await shop.read(payment.id)).json.amount_refunded).toBe(600);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 2000, balance: -1400, refunds_in_flight: -600 });
    expect((await shop.eventTypes(payment.id)).at(-1)).toBe('payment.succeeded');
    const over = await post('/v1/refunds', { payment: payment.id, amount: 1401 });
    expect(over.json.error.code).toBe('refund_exceeds_payment');
    await refund(payment.id, { amount: 100 }); // beside the first
    await later(60_000);
    const after = (await shop.account.test.get(`/v1/refunds/${made.id}`)).json;
    expect(after).toEqual({ ...made, status: 'succeeded' });
    expect(await refundEvents(shop, made.id)).toEqual([
      { type: 'refund.created', object: made },
      { type: 'refund.updated', object: after, previous: { status: 'pending' } },
    ]);
    expect((await shop.eventTypes(payment.id)).slice(1)).toEqual(['payment.refunded', 'payment.refunded']);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 1300, balance: -1300 });
  });

  test('that the bank returns fails after it had succeeded, and can be made again', async () => {
    const payment = await shop.paid(bouncingCard);
    const made = await refund(payment.id);
    expect(made.status).toBe('succeeded');
    await later(10_000);
    const after = (await shop.account.test.get(`/v1/refunds/${made.id}`)).json;
    expect(after).toEqual({ ...made, status: 'failed', failure_reason: 'refund_bounced' });
    expect((await refundEvents(shop, made.id)).map(({ type }) => type)).toEqual(['refund.created', 'refund.failed']);
    expect((await shop.read(payment.id)).json.amount_refunded).toBe(0);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 2000, balance: -2000 });
    expect((await refund(payment.id)).amount).toBe(2000);
    await later(10_000);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 2000, balance: -2000 });
    expect(await shop.charges(payment.id)).toMatchObject([{ net: 2000 }]);
  });

  test('a retry with the same key gives the same bytes, once', async () => {
    const payment = await shop.paid();
    const key = { 'Idempotency-Key': `refund-${place}` };
    const first = await post('/v1/refunds', { payment: payment.id, amount: 300 }, key);
    const again = await post('/v1/refunds', { payment: payment.id, amount: 300 }, key);
    expect(again.text).toBe(first.text);
    expect((await shop.read(payment.id)).json.amount_refunded).toBe(300);
  });

  test('that the processor refuses exists, and has failed', async () => {
    const payment = await shop.paid();
    // The processor has given the money back already, behind our back.
    await shop.sql(
      `insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures, result,
              reference, at)
       select tenant, attempt || 'x', 'refund', attempt, 1, payment, amount, currency, false, 'approved', 'sim_x', now()
         from simulator_entries where payment = $1`,
      [payment.id],
    );
    const made = await refund(payment.id);
    expect(made).toMatchObject({ status: 'failed', failure_reason: 'amount_invalid' });
    const types = (await refundEvents(shop, made.id)).map(({ type }) => type);
    expect(types).toEqual(['refund.created', 'refund.failed']);
    expect((await shop.read(payment.id)).json.amount_refunded).toBe(0);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 2000, balance: -2000 });
  });

  if (place === 'local') return; // nothing can get lost within one transaction

  test.each([
    { kind: 'lose_reply', becomes: 'succeeded' },
    { kind: 'lose_request', becomes: 'succeeded' }, // it is sent again under its own name
    { kind: 'malformed', becomes: 'succeeded' },
    { kind: 'wrong_attempt', becomes: 'succeeded' },
    { kind: 'twice', becomes: 'succeeded' },
    { kind: 'down', becomes: 'succeeded' },
  ])('$kind on its way: pending at first, then $becomes, and the money goes once', async ({ kind, becomes }) => {
    const payment = await shop.paid();
    await fault(kind, 'refund');
    const made = await refund(payment.id, { amount: 900 });
    expect(made.status).toBe(kind === 'twice' ? 'succeeded' : 'pending');
    for (let round = 0; round < 3; round++) await later(30_000);
    expect((await shop.account.test.get(`/v1/refunds/${made.id}`)).json.status).toBe(becomes);
    expect(await shop.charges(payment.id)).toMatchObject([{ net: 1100 }]);
    expect(await booksOf(shop, payment.id)).toEqual({ processor: 1100, balance: -1100 });
    const types = (await refundEvents(shop, made.id)).map(({ type }) => type);
    expect(types).toEqual(kind === 'twice' ? ['refund.created'] : ['refund.created', 'refund.updated']);
  });

  test('without an answer is inquired with growing pauses, and after fourteen days it is flagged', async () => {
    const payment = await shop.paid();
    await fault('lose_reply', 'refund');
    await fault('down', 'find', 10_000);
    const made = await refund(payment.id);
    for (let hours = 0; hours < 80; hours++) await later(3_600_000);
    const row = async () =>
      (await shop.sql('select status, flagged_at, inquiries from refunds where id = $1', [made.id]))[0];
    expect(await row()).toMatchObject({ status: 'pending', flagged_at: null });
    expect((await row()).inquiries).toBeLessThan(100);
    for (let days = 0; days < 11; days++) await later(24 * 3_600_000);
    expect(await row()).toMatchObject({ status: 'pending', flagged_at: expect.any(Date) });
    expect(shop.server.logged.filter((line) => line.includes(made.id) && line.includes('14 days'))).toHaveLength(1);
    await shop.sql('delete from simulator_faults');
    await later(3_600_000);
    expect((await shop.account.test.get(`/v1/refunds/${made.id}`)).json.status).toBe('succeeded');
  });
});
