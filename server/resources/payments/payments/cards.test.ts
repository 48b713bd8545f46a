import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { cards } from '../../../connectors/simulator/cards.ts';
import { brokenInvariants, cardOf, openShop, type Shop } from './payments.fixture.ts';

const clock = virtualClock(Date.now());
let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ clock });
});
afterAll(() => shop.stop());

const paymentId = /^py_[0-9A-Za-z]{22}$/;
const tested = new Set<string>();

/** One payment of 2000, asked for twice with one key: the answer must be the same to the byte, and the card charged once. */
async function charge(number: string) {
  tested.add(number);
  const payment_method = await shop.method(number);
  const body = { amount: 2000, currency: 'usd', payment_method };
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await shop.account.test.post('/v1/payments', body, headers);
  const again = await shop.account.test.post('/v1/payments', body, headers);
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(first.status);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
  const [{ count }] = await shop.sql('select count(*) from payments where payment_method = $1', [payment_method]);
  expect(count).toBe(1);
  return { answer: first, payment_method, body, headers };
}

const sample = (id: string, payment_method: string, status: string, received: number) => ({
  id,
  object: 'payment',
  amount: 2000,
  amount_received: received,
  currency: 'usd',
  payment_method,
  status,
});

describe('approved cards', () => {
  const numbers = Object.keys(cards).filter((number) => {
    const card = cards[number]!;
    return card.result === 'approved' && card.scenario !== 'reply_lost';
  });
  /** These change by themselves a moment later. */
  const disputed = ['4000000000000259', '4000000000002685'];
  test.each([...numbers, '4111111111111111', '4000056655665556', '30569309025904'])('%s', async (number) => {
    const { answer, payment_method } = await charge(number);
    const { id, created } = answer.json;
    expect(answer.status).toBe(200);
    const shown = sample(id, payment_method, 'succeeded', 2000);
    expect(answer.text).toBe(JSON.stringify({ ...shown, created }));
    expect(id).toMatch(paymentId);
    if (!disputed.includes(number)) expect((await shop.read(id)).text).toBe(answer.text);
    const events = await shop.events(id);
    expect(events).toEqual([
      {
        ...{ id: expect.stringMatching(/^evt_/), object: 'event', api_version: '2023-01-01' },
        ...{ created: expect.any(Number), data: { object: shown }, type: 'payment.succeeded' },
      },
    ]);
    const net = disputed.includes(number) ? expect.any(Number) : 2000;
    expect(await shop.charges(id)).toEqual([{ authorized: 2000, captured: 2000, canceled: false, net }]);
  });
});

describe('declined cards', () => {
  const declined = (reason: string, decline_code: string, advice = 'later') => ({
    ...{ code: 'card_declined', message: `The card was declined. Reason: ${reason}.`, decline_code, advice },
  });
  const unprocessed = 'The payment could not be processed. No reason was given.';
  const cases: [string, { code: string; message: string; decline_code?: string; advice: string }][] = [
    ['4000000000000002', declined('generic decline', 'generic_decline')],
    ['4000000000009995', declined('insufficient funds', 'insufficient_funds')],
    ['4000000000009987', declined('lost card', 'lost_card', 'never')],
    ['4000000000009979', declined('stolen card', 'stolen_card', 'never')],
    ['4000000000006975', declined('card velocity exceeded', 'card_velocity_exceeded')],
    ['4000000000000341', declined('generic decline', 'generic_decline')],
    ['4000000000000069', { code: 'expired_card', message: 'The card has expired.', advice: 'update_card' }],
    ['4000000000000127', { code: 'incorrect_cvc', message: 'The security code is incorrect.', advice: 'update_card' }],
    ['4000000000000119', { code: 'processing_error', message: unprocessed, advice: 'another_processor' }],
  ];
  test.each(cases)('%s', async (number, { code, message, decline_code, advice }) => {
    const { answer, payment_method } = await charge(number);
    expect(answer.status).toBe(402);
    const { payment } = answer.json.error;
    expect(payment).toMatch(paymentId);
    const told = {
      code,
      message,
      type: 'card_error',
      ...(decline_code === undefined ? {} : { decline_code }),
      payment,
    };
    expect(answer.text).toBe(JSON.stringify({ error: told }));
    expect(answer.headers.link).toMatch(new RegExp(`#${code}>; rel="help"$`));
    const read = await shop.read(payment);
    const failed = sample(payment, payment_method, 'failed', 0);
    const reason = decline_code === undefined ? {} : { failure_decline_code: decline_code };
    const failure = { failure_code: code, ...reason, failure_message: message, advice };
    expect(read.status).toBe(200);
    expect(read.text).toBe(JSON.stringify({ ...failed, created: read.json.created, ...failure }));
    const events = await shop.events(payment);
    expect(events.map(({ type }) => type)).toEqual(['payment.failed']);
    expect(JSON.stringify(events[0].data)).toBe(JSON.stringify({ object: { ...failed, ...failure } }));
    expect(await shop.charges(payment)).toEqual([{ authorized: 0, captured: 0, canceled: false, net: 0 }]);
    const [attempt] = await shop.attempts(payment);
    expect(attempt).toMatchObject({ verb: 'authorize', state: 'declined', decline_code: decline_code ?? code });
  });

  test('a declined payment counts as one of the account: a second one with the same card is declined anew', async () => {
    const [first, second] = [await shop.pay('4000000000000002'), await shop.pay('4000000000000002')];
    expect(first.json.error.payment).not.toBe(second.json.error.payment);
  });

  test('4000000000000341 attaches to a customer, and every charge is declined', async () => {
    const customer = (await shop.account.test.post('/v1/customers', {})).json.id;
    const payment_method = await shop.method('4000000000000341', { customer });
    for (const amount of [100, 200]) {
      const body = { amount, currency: 'eur', payment_method, customer };
      const answer = await shop.account.test.post('/v1/payments', body);
      expect([answer.status, answer.json.error.decline_code]).toEqual([402, 'generic_decline']);
    }
  });
});

describe('cards that want the cardholder', () => {
  test.each(['4000000000003220', '4000008400001629', '4000002500003155'])('%s', async (number) => {
    const { answer, payment_method } = await charge(number);
    expect(answer.status).toBe(200);
    const { id, created, next_action } = answer.json;
    const waiting = sample(id, payment_method, 'requires_action', 0);
    expect(answer.text).toBe(JSON.stringify({ ...waiting, created, next_action }));
    expect(next_action).toEqual({
      type: 'redirect_to_url',
      redirect_to_url: {
        url: expect.stringMatching(new RegExp(`^${shop.server.baseUrl}/simulator/challenge/[0-9A-Za-z]{28}$`)),
      },
    });
    expect((await shop.read(id)).text).toBe(answer.text);
    const [event] = await shop.events(id);
    expect(event.type).toBe('payment.requires_action');
    expect(JSON.stringify(event.data)).toBe(JSON.stringify({ object: { ...waiting, next_action } }));
    expect(await shop.charges(id)).toEqual([{ authorized: 0, captured: 0, canceled: false, net: 0 }]);
  });
});

describe('charges without the cardholder', () => {
  const alone = { off_session: true };
  const challenged = '4000002500003155';

  test('the payment shows it, its event too, and it is read back so', async () => {
    const payment = await shop.paid(undefined, alone);
    const { created, ...shown } = payment;
    expect(shown).toEqual({ ...sample(payment.id, payment.payment_method, 'succeeded', 2000), ...alone });
    expect((await shop.read(payment.id)).json).toEqual({ ...shown, created });
    expect((await shop.events(payment.id)).map(({ data }) => data.object)).toEqual([shown]);
  });

  test.each(['4000000000003220', '4000008400001629', challenged])(
    '%s: a challenge is a decline that advises to authenticate',
    async (number) => {
      const answer = await shop.pay(number, alone);
      expect(answer.status).toBe(402);
      const { code, decline_code, payment } = answer.json.error;
      expect([code, decline_code]).toEqual(['card_declined', 'authentication_required']);
      const failure = { failure_code: code, failure_decline_code: decline_code, advice: 'authenticate' };
      expect((await shop.read(payment)).json).toMatchObject({ status: 'failed', ...alone, ...failure });
      expect(await shop.events(payment)).toMatchObject([{ type: 'payment.failed', data: { object: failure } }]);
    },
  );

  test('the agreement of an earlier payment is carried: the cardholder is not asked again', async () => {
    const customer = (await shop.account.test.post('/v1/customers', {})).json.id;
    const payment_method = await shop.method(challenged, { customer });
    const first = await shop.paid(challenged, { payment_method, customer });
    const { pathname } = new URL(first.next_action.redirect_to_url.url);
    await shop.server.anonymous.form(pathname, 'decision=approve');
    await shop.server.settled();
    expect((await shop.read(first.id)).json.status).toBe('succeeded');
    const again = await shop.paid(challenged, { payment_method, customer, ...alone });
    expect(again).toMatchObject({ status: 'succeeded', ...alone });
  });

  test('it is not there unless it is asked for, and false asks for nothing', async () => {
    const payment = await shop.paid(undefined, { off_session: false, return_url: 'https://shop.test/back' });
    expect(payment).not.toHaveProperty('off_session');
  });

  test('it excludes return_url, and is a boolean', async () => {
    const both = await shop.pay(undefined, { ...alone, return_url: 'https://shop.test/back' });
    expect([both.status, both.json.error]).toMatchObject([
      400,
      {
        code: 'parameters_exclusive',
        param: 'off_session',
        message: 'Send either off_session or return_url, not both.',
      },
    ]);
    const odd = await shop.pay(undefined, { off_session: 'perhaps' });
    expect([odd.status, odd.json.error]).toMatchObject([400, { code: 'parameter_invalid', param: 'off_session' }]);
  });
});

describe('cards whose outcome is unknown', () => {
  const settled = () => shop.server.settled();

  async function chargeUnknown(number: string) {
    const { answer, payment_method, body, headers } = await charge(number);
    const { id, created } = answer.json;
    const processing = sample(id, payment_method, 'processing', 0);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(JSON.stringify({ ...processing, created }));
    const [event] = await shop.events(id);
    expect(event.type).toBe('payment.processing');
    expect(JSON.stringify(event.data)).toBe(JSON.stringify({ object: processing }));
    const [attempt] = await shop.attempts(id);
    const row = await shop.row(id);
    expect(attempt).toMatchObject({ verb: 'authorize', state: 'unknown' });
    expect(row).toMatchObject({ open_attempt: attempt.id, inquiries: 0 });
    expect(row.due_at.getTime()).toBe(attempt.deadline_at.getTime() + 5_000);
    clock.advance(row.due_at.getTime() - clock.now() - 1_000);
    await settled();
    expect((await shop.read(id)).text).toBe(answer.text);
    expect(await shop.eventTypes(id)).toEqual(['payment.processing']);
    clock.advance(1_000);
    await settled();
    const replay = await shop.account.test.post('/v1/payments', body, headers);
    expect(replay.text).toBe(answer.text); // the first answer, whatever became of the payment
    return { id, created, payment_method };
  }

  test('4000000000000408 is found approved when the processor is asked, five seconds after', async () => {
    const { id, created, payment_method } = await chargeUnknown('4000000000000408');
    const shown = sample(id, payment_method, 'succeeded', 2000);
    expect((await shop.read(id)).text).toBe(JSON.stringify({ ...shown, created }));
    const events = await shop.events(id);
    expect(events.map(({ type }) => type)).toEqual(['payment.processing', 'payment.succeeded']);
    expect(JSON.stringify(events[1].data)).toBe(JSON.stringify({ object: shown }));
    expect(await shop.charges(id)).toEqual([{ authorized: 2000, captured: 2000, canceled: false, net: 2000 }]);
    expect(await shop.attempts(id)).toMatchObject([{ verb: 'authorize', state: 'approved' }]);
    expect(await shop.row(id)).toMatchObject({ open_attempt: null, due_at: null, lease_until: null, inquiries: 0 });
  });

  test('4000000000000408 with manual capture is found authorized', async () => {
    const { id } = await shop.paid('4000000000000408', { capture_method: 'manual' });
    clock.advance(5_000);
    await settled();
    expect((await shop.read(id)).json).toMatchObject({ status: 'requires_capture', amount_capturable: 2000 });
    const captured = await shop.account.test.post(`/v1/payments/${id}/capture`);
    expect(captured.json).toMatchObject({ status: 'succeeded', amount_received: 2000, amount_capturable: 0 });
  });

  test('4000000000000416 was never received: it is reversed, and the payment fails', async () => {
    const { id, created, payment_method } = await chargeUnknown('4000000000000416');
    const failed = sample(id, payment_method, 'failed', 0);
    const failure = {
      failure_code: 'processing_error',
      failure_message: 'The payment could not be processed. The processor never received it.',
    };
    expect((await shop.read(id)).text).toBe(JSON.stringify({ ...failed, created, ...failure }));
    const events = await shop.events(id);
    expect(events.map(({ type }) => type)).toEqual(['payment.processing', 'payment.failed']);
    expect(JSON.stringify(events[1].data)).toBe(JSON.stringify({ object: { ...failed, ...failure } }));
    const attempts = await shop.attempts(id);
    expect(attempts).toMatchObject([
      { verb: 'authorize', state: 'lost' },
      { verb: 'reverse', state: 'approved' },
    ]);
    expect((await shop.charges(id)).map(({ net, authorized }) => [net, authorized])).toEqual([[0, 0]]);
    expect(await shop.row(id)).toMatchObject({ open_attempt: null, due_at: null });
  });
});

describe('live mode without a processor', () => {
  test('every payment is refused with a message that says so, and stored as failed', async () => {
    const { live } = shop.account;
    for (const number of ['4242424242424242', '4000000000000408', '4000000000003220', '4000000000000002']) {
      const payment_method = (await live.post('/v1/payment_methods', cardOf(number))).json.id;
      const body = { amount: 2000, currency: 'usd', payment_method };
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await live.post('/v1/payments', body, headers);
      expect(answer.status).toBe(402);
      const { payment, message } = answer.json.error;
      expect(message).toContain('No live processor is connected to this gateway, so nothing was charged.');
      expect(answer.json).toEqual({
        error: { code: 'processing_error', message, type: 'card_error', decline_code: 'no_processor', payment },
      });
      expect((await live.post('/v1/payments', body, headers)).text).toBe(answer.text);
      const read = await live.get(`/v1/payments/${payment}`);
      expect(read.json).toMatchObject({ status: 'failed', failure_code: 'processing_error', failure_message: message });
      expect(await shop.eventTypes(payment)).toEqual(['payment.failed']);
      expect(await shop.charges(payment)).toEqual([]);
      expect(await shop.attempts(payment)).toMatchObject([{ connector: 'none', state: 'declined' }]);
    }
  });
});

test('every card of the table was charged here, and the books agree', async () => {
  expect(Object.keys(cards).filter((number) => !tested.has(number))).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});
