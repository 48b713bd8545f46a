import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import type { Answer } from '../../../test/client.ts';
import type { PaymentStatus } from './payment.ts';
import { brokenInvariants, openShop, type Shop } from './payments.fixture.ts';

const clock = virtualClock(Date.now());
let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ clock });
});
afterAll(() => shop.stop());

const manual = { capture_method: 'manual' };
const post = (path: string, body: object = {}, headers = {}) => shop.account.test.post(path, body, headers);
const capture = (id: string, body: object = {}, headers = {}) => post(`/v1/payments/${id}/capture`, body, headers);
const cancel = (id: string, body: object = {}, headers = {}) => post(`/v1/payments/${id}/cancel`, body, headers);

/** A payment in each status, by nothing but requests. */
const made: Record<PaymentStatus, () => Promise<string>> = {
  requires_action: async () => (await shop.paid('4000000000003220')).id,
  requires_capture: async () => (await shop.paid(undefined, manual)).id,
  processing: async () => (await shop.paid('4000000000000408')).id,
  succeeded: async () => (await shop.paid()).id,
  failed: async () => (await shop.pay('4000000000000002')).json.error.payment,
  canceled: async () => {
    const { id } = await shop.paid(undefined, manual);
    expect((await cancel(id)).status).toBe(200);
    return id;
  },
};

/** All that is stored about a payment, to see that nothing changed. */
async function everything(id: string) {
  return JSON.stringify([await shop.row(id), await shop.attempts(id), await shop.events(id), await shop.charges(id)]);
}

async function expectUnchanged(id: string, act: () => Promise<Answer>, error: object, status = 400) {
  const before = await everything(id);
  const answer = await act();
  expect([answer.status, answer.json.error]).toEqual([
    status,
    { message: expect.any(String), type: 'invalid_request_error', ...error },
  ]);
  expect(await everything(id)).toBe(before);
}

describe('capture', () => {
  test('the whole amount, when none is named', async () => {
    const held = await shop.paid(undefined, { ...manual, description: 'Order 7' });
    expect(held).toMatchObject({ status: 'requires_capture', amount_received: 0, amount_capturable: 2000 });
    expect(await shop.charges(held.id)).toEqual([{ authorized: 2000, captured: 0, canceled: false, net: 0 }]);
    const answer = await capture(held.id);
    const { created, ...shown } = {
      ...{ ...held, status: 'succeeded', amount_received: 2000, amount_capturable: 0 },
    };
    expect([answer.status, answer.json]).toEqual([200, { ...shown, created }]);
    expect((await shop.read(held.id)).text).toBe(answer.text);
    const events = await shop.events(held.id);
    expect(events.map(({ type }) => type)).toEqual(['payment.requires_capture', 'payment.succeeded']);
    expect(events[1].data).toEqual({ object: shown });
    expect(await shop.charges(held.id)).toEqual([{ authorized: 2000, captured: 2000, canceled: false, net: 2000 }]);
  });

  test.each([1, 700, 1999, 2000])('%i of 2000, and the rest is released', async (amount) => {
    const { id } = await shop.paid(undefined, manual);
    const { json } = await capture(id, { amount });
    expect(json).toMatchObject({ status: 'succeeded', amount: 2000, amount_received: amount, amount_capturable: 0 });
    expect(await shop.charges(id)).toMatchObject([{ captured: amount, net: amount }]);
    expect(await shop.row(id)).toMatchObject({ open_attempt: null, due_at: null });
  });

  test('an amount in a form', async () => {
    const { id } = await shop.paid(undefined, manual);
    const { json } = await shop.account.test.form(`/v1/payments/${id}/capture`, 'amount=5');
    expect(json.amount_received).toBe(5);
  });

  test('no body at all', async () => {
    const { id } = await shop.paid(undefined, manual);
    const { json } = await shop.account.test.request('POST', `/v1/payments/${id}/capture`);
    expect(json.status).toBe('succeeded');
  });

  const refused: [string, object, object][] = [
    ['more than authorized', { amount: 2001 }, { code: 'capture_exceeds_authorized', param: 'amount' }],
    ['nothing', { amount: 0 }, { code: 'amount_too_small', param: 'amount' }],
    ['less than nothing', { amount: -5 }, { code: 'amount_too_small', param: 'amount' }],
    ['too much for any payment', { amount: 1e12 }, { code: 'amount_too_large', param: 'amount' }],
    ['a fraction', { amount: 1.5 }, { code: 'parameter_invalid', param: 'amount' }],
    ['text', { amount: '5' }, { code: 'parameter_invalid', param: 'amount' }],
    ['another parameter', { ammount: 5 }, { code: 'parameter_unknown', param: 'ammount' }],
  ];
  test.each(refused)('%s is refused, and the payment can still be captured', async (_, body, error) => {
    const id = await made.requires_capture();
    await expectUnchanged(id, () => capture(id, body), error);
    expect((await capture(id)).json.status).toBe('succeeded');
  });

  test('the same request again, with its key, is the same answer and one capture', async () => {
    const id = await made.requires_capture();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await capture(id, { amount: 500 }, headers);
    const again = await capture(id, { amount: 500 }, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await shop.attempts(id)).toHaveLength(2);
  });

  test('ten concurrent ones: one captures, nine are refused', async () => {
    const id = await made.requires_capture();
    const answers = await Promise.all(Array.from({ length: 10 }, () => capture(id, { amount: 300 })));
    const codes = answers.map(({ status, json }) => (status === 200 ? 'captured' : json.error.code)).sort();
    expect(codes).toEqual(['captured', ...Array(9).fill('payment_not_capturable')]);
    expect(await shop.charges(id)).toEqual([{ authorized: 2000, captured: 300, canceled: false, net: 300 }]);
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture', 'payment.succeeded']);
  });
});

describe('cancel', () => {
  const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];
  test.each(reasons)('a held payment, because %s', async (reason) => {
    const held = await shop.paid(undefined, manual);
    const answer = await cancel(held.id, { reason });
    const canceled_at = Math.floor(clock.now() / 1_000);
    const { created, ...shown } = { ...held, status: 'canceled', amount_capturable: 0 };
    expect([answer.status, answer.json]).toEqual([
      200,
      { ...shown, created, canceled_at, cancellation_reason: reason },
    ]);
    expect((await shop.read(held.id)).text).toBe(answer.text);
    const events = await shop.events(held.id);
    expect(events.map(({ type }) => type)).toEqual(['payment.requires_capture', 'payment.canceled']);
    expect(events[1].data).toEqual({ object: { ...shown, canceled_at, cancellation_reason: reason } });
    expect(await shop.charges(held.id)).toEqual([{ authorized: 2000, captured: 0, canceled: true, net: 0 }]);
    expect(await shop.row(held.id)).toMatchObject({ open_attempt: null, due_at: null });
  });

  test('without a reason, none is shown', async () => {
    const id = await made.requires_capture();
    const { json } = await cancel(id);
    expect(json.canceled_at).toBe(Math.floor(clock.now() / 1_000));
    expect(json).not.toHaveProperty('cancellation_reason');
  });

  test('a payment that waits for its cardholder: the page has nothing left to decide', async () => {
    const { id, next_action } = await shop.paid('4000000000003220');
    const { json } = await cancel(id, { reason: 'abandoned' });
    expect(json).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', amount_received: 0 });
    expect(json).not.toHaveProperty('next_action');
    const path = new URL(next_action.redirect_to_url.url).pathname;
    await shop.server.anonymous.form(path, 'decision=approve');
    expect((await shop.read(id)).json.status).toBe('canceled');
    expect(await shop.charges(id)).toMatchObject([{ canceled: true, net: 0 }]);
  });

  const refused: [string, object, object][] = [
    ['a reason that is not listed', { reason: 'expired' }, { code: 'parameter_invalid', param: 'reason' }],
    ['a reason that is no text', { reason: 1 }, { code: 'parameter_invalid', param: 'reason' }],
    ['another parameter', { resaon: 'duplicate' }, { code: 'parameter_unknown', param: 'resaon' }],
  ];
  test.each(refused)('%s is refused', async (_, body, error) => {
    const id = await made.requires_capture();
    await expectUnchanged(id, () => cancel(id, body), error);
  });

  test('the same request again, with its key, is the same answer', async () => {
    const id = await made.requires_capture();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await cancel(id, {}, headers);
    expect((await cancel(id, {}, headers)).text).toBe(first.text);
    expect(await shop.attempts(id)).toHaveLength(2);
  });

  test('against a capture: one of the two wins, and the money agrees', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await made.requires_capture();
      const [captured, canceled] = await Promise.all([capture(id), cancel(id)]);
      expect([captured.status, canceled.status].sort()).toEqual([200, 400]);
      const { status, amount_received } = (await shop.read(id)).json;
      expect(status).toBe(captured.status === 200 ? 'succeeded' : 'canceled');
      expect((await shop.charges(id))[0]!.net).toBe(amount_received);
    }
  });
});

describe('a processor that refuses', () => {
  test('a capture: the payment fails, and the answer is a 402 that names it', async () => {
    const held = await shop.paid(undefined, manual);
    await shop.sql('delete from simulator_entries where payment = $1', [held.id]);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = await capture(held.id, {}, headers);
    const message = 'The payment could not be processed. The processor knows no such authorization.';
    const told = { code: 'processing_error', message, type: 'card_error', decline_code: 'unknown_authorization' };
    expect([answer.status, answer.text]).toEqual([402, JSON.stringify({ error: { ...told, payment: held.id } })]);
    expect((await capture(held.id, {}, headers)).text).toBe(answer.text);
    const failure = {
      failure_code: 'processing_error',
      failure_decline_code: 'unknown_authorization',
      failure_message: message,
      advice: 'never',
    };
    const failed = { ...held, status: 'failed', amount_capturable: 0, ...failure };
    expect((await shop.read(held.id)).json).toEqual(failed);
    const [, event, ...more] = await shop.events(held.id);
    const { created: _, ...object } = failed;
    expect([event.type, event.data, more]).toEqual(['payment.failed', { object }, []]);
    await shop.server.settled(); // what was authorized is given back
    expect(await shop.attempts(held.id)).toMatchObject([
      { verb: 'authorize', state: 'reversed' },
      { verb: 'capture', state: 'declined' },
      { verb: 'reverse', state: 'approved' },
    ]);
  });

  test('a cancel: the payment is unchanged, and the answer says so', async () => {
    const held = await shop.paid(undefined, manual);
    const { due_at } = await shop.row(held.id);
    const refer = (text: string) => shop.sql('update attempts set reference = $2 where payment = $1', [held.id, text]);
    const [{ reference }] = await shop.attempts(held.id);
    await refer('of another');
    const answer = await cancel(held.id, { reason: 'duplicate' });
    const message = 'The payment could not be processed. The processor refused; the payment is as it was.';
    const told = { code: 'processing_error', message, type: 'card_error', payment: held.id };
    expect([answer.status, answer.json]).toEqual([402, { error: told }]);
    expect((await shop.read(held.id)).json).toEqual(held);
    expect(await shop.row(held.id)).toMatchObject({ due_at, open_attempt: null });
    expect(await shop.eventTypes(held.id)).toEqual(['payment.requires_capture']);
    await refer(reference);
    const { json } = await cancel(held.id);
    expect(json).toMatchObject({ status: 'canceled' });
    expect(json).not.toHaveProperty('cancellation_reason'); // that of the refused request is forgotten
  });
});

describe('changes of related objects do not affect a held payment', () => {
  test('after its method is detached, it can be captured', async () => {
    const payment = await shop.paid(undefined, manual);
    expect((await post(`/v1/payment_methods/${payment.payment_method}/detach`)).status).toBe(200);
    expect((await capture(payment.id)).json.status).toBe('succeeded');
  });

  test('after its customer is deleted, it can be captured, and keeps the id', async () => {
    const customer = (await post('/v1/customers')).json.id;
    const { id } = await shop.paid(undefined, { ...manual, customer });
    expect((await shop.account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    expect((await capture(id)).json).toMatchObject({ status: 'succeeded', customer });
  });

  test('it is described while it is captured and canceled: all three are answered, one of the two wins', async () => {
    const id = await made.requires_capture();
    const answers = await Promise.all([
      post(`/v1/payments/${id}`, { metadata: { a: 1 } }),
      capture(id),
      cancel(id),
      post(`/v1/payments/${id}`, { description: 'x' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect((await shop.read(id)).json).toMatchObject({ metadata: { a: 1 }, description: 'x' });
  });
});

describe('many concurrently', () => {
  test('twenty payments with one method are twenty charges', async () => {
    const payment_method = await shop.method();
    const body = { amount: 7, currency: 'usd', payment_method };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/payments', body)));
    expect(new Set(answers.map(({ json }) => json.status))).toEqual(new Set(['succeeded']));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(20);
  });

  test.each(['4242424242424242', '4000000000000002', '4000000000003220'])(
    'twenty requests with one key and card %s are one payment',
    async (number) => {
      const payment_method = await shop.method(number);
      const body = { amount: 7, currency: 'usd', payment_method };
      const headers = { 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/payments', body, headers)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const stored = await shop.sql('select id from payments where payment_method = $1', [payment_method]);
      expect(stored).toHaveLength(1);
      expect(await shop.charges(stored[0].id)).toHaveLength(1);
    },
  );
});

describe('illegal moves change nothing', () => {
  const notCapturable = { code: 'payment_not_capturable', param: 'id' };
  const notCancelable = { code: 'payment_not_cancelable', param: 'id' };
  test.each(['requires_action', 'processing', 'succeeded', 'failed', 'canceled'] as const)(
    'a payment that is %s cannot be captured',
    async (status) => {
      const id = await made[status]();
      await expectUnchanged(id, () => capture(id), notCapturable);
      await expectUnchanged(id, () => capture(id, { amount: 5 }), notCapturable);
      expect((await capture(id)).json.error.message).toContain(`its status is ${status}`);
    },
  );
  test.each(['processing', 'succeeded', 'failed', 'canceled'] as const)(
    'a payment that is %s cannot be canceled',
    async (status) => {
      const id = await made[status]();
      await expectUnchanged(id, () => cancel(id, { reason: 'duplicate' }), notCancelable);
    },
  );
  test('a captured payment cannot be captured or canceled again', async () => {
    const id = await made.requires_capture();
    await capture(id, { amount: 700 });
    await expectUnchanged(id, () => capture(id, { amount: 100 }), notCapturable);
    await expectUnchanged(id, () => cancel(id), notCancelable);
  });
  test('a refusal that follows from the status is repeated with its key', async () => {
    const id = await made.succeeded();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await capture(id, {}, headers);
    const again = await capture(id, {}, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });
  test.each(['capture', 'cancel'])(
    '%s of a payment that does not exist, or belongs to another account, is not found',
    async (verb) => {
      const other = await shop.server.account();
      const id = await made.requires_capture();
      const answers = [
        await post(`/v1/payments/${newId('py', Date.now())}/${verb}`),
        await post(`/v1/payments/x/${verb}`),
        await other.test.post(`/v1/payments/${id}/${verb}`, {}),
      ];
      const error = {
        code: 'resource_missing',
        message: 'No such payment.',
        param: 'id',
        type: 'invalid_request_error',
      };
      for (const answer of answers) expect([answer.status, answer.json]).toEqual([404, { error }]);
      const otherMode = await shop.account.live.post(`/v1/payments/${id}/${verb}`, {});
      const message = 'No such payment in live mode; it exists in test mode.';
      expect([otherMode.status, otherMode.json]).toEqual([404, { error: { ...error, message } }]);
      expect((await shop.read(id)).json.status).toBe('requires_capture');
    },
  );
});

describe('every call of the processor is an attempt', () => {
  test('with the answer of the processor, and nothing of the card', async () => {
    const billing_details = { name: 'Ada', address: { line1: 'Main Street 1', country: 'GB' } };
    const payment_method = await shop.method(undefined, { billing_details });
    const answer = await post('/v1/payments', { amount: 2000, currency: 'eur', payment_method, ...manual });
    const { id } = answer.json;
    const captured = await capture(id, { amount: 500 });
    const [first, second] = await shop.attempts(id);
    const { open_attempt, authorization_attempt, tenant } = await shop.row(id);
    expect([open_attempt, authorization_attempt]).toEqual([null, first.id]);
    expect(first).toMatchObject({
      ...{ tenant, verb: 'authorize', state: 'approved', amount: 2000, connector: 'simulator' },
      ...{ reference: `sim_${first.id.slice(4)}`, network_transaction_id: expect.stringMatching(/^\d{15}$/) },
      ...{ authorization_code: expect.stringMatching(/^[0-9A-Z]{6}$/), avs_result: 'Y', cvc_result: 'M' },
      ...{ decline_code: null, request_id: answer.headers['request-id'] },
    });
    expect(second).toMatchObject({
      ...{ tenant, verb: 'capture', state: 'approved', amount: 500, connector: 'simulator' },
      ...{ reference: `sim_${second.id.slice(4)}`, request_id: captured.headers['request-id'] },
    });
    expect(first.exchange).toMatchObject({
      request: { verb: 'authorize', attempt: first.id, amount: 2000, currency: 'eur', card: '…4242' },
      response: { kind: 'approved' },
    });
    expect(JSON.stringify([first, second])).not.toMatch(/4242424242424242|"123"|Main Street/);
  });

  test('the security code is for one authorization: the next goes without, and the address is unknown when none was given', async () => {
    const payment_method = await shop.method();
    const results: unknown[] = [];
    for (let times = 0; times < 2; times++) {
      const { json } = await post('/v1/payments', { amount: 5, currency: 'usd', payment_method });
      const [{ avs_result, cvc_result }] = await shop.attempts(json.id);
      results.push([avs_result, cvc_result]);
    }
    expect(results).toEqual([
      ['U', 'M'],
      ['U', 'U'],
    ]);
  });

  test('a payment has one slot: a unique index refuses a second open attempt', async () => {
    const id = await made.processing();
    const copy = (state: string) =>
      shop.sql(
        `insert into attempts (tenant, id, version, payment, verb, state, connector, deadline_at)
         select tenant, $2, 1, payment, 'capture', $3, connector, deadline_at from attempts where payment = $1 limit 1`,
        [id, newId('att', Date.now()), state],
      );
    for (const state of ['open', 'unknown', 'pending']) await expect(copy(state)).rejects.toThrow('attempts_open');
    await copy('declined'); // an attempt that is over takes no slot
    await shop.sql(`delete from attempts where payment = $1 and state = 'declined'`, [id]);
  });

  test('check constraints refuse impossible amounts', async () => {
    const id = await made.requires_capture();
    const set = (text: string) => shop.sql(`update payments set ${text} where id = $1`, [id]);
    await expect(set('amount_received = 1')).rejects.toThrow('check constraint');
    await expect(set(`status = 'succeeded', amount_received = 2001`)).rejects.toThrow('check constraint');
    await expect(set(`status = 'succeeded', amount_received = -1`)).rejects.toThrow('check constraint');
    await expect(set('amount = 0')).rejects.toThrow('check constraint');
  });
});

test('the books agree, before and after unknown outcomes were settled', async () => {
  expect(await brokenInvariants(shop)).toEqual([]);
  expect(await shop.sql(`select id from payments where status = 'processing'`)).not.toEqual([]);
  clock.advance(5_000);
  await shop.server.settled();
  expect(await shop.sql(`select id from payments where status = 'processing'`)).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});
