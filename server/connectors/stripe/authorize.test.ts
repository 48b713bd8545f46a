import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AuthorizeRequest, Connector } from '../contract.ts';
import { apiVersion } from './conversation.ts';
import {
  aNumber,
  aToken,
  authorization,
  badKey,
  broken,
  cardNumber,
  conflict,
  cvc,
  failure,
  forbidden,
  intentLike,
  locked,
  ok,
  openScripted,
  rateLimit,
  type Scripted,
  type ScriptedStripe,
  secretKey,
  startScriptedStripe,
  token,
} from './stripe.fixture.ts';

let stripe: ScriptedStripe;
let connector: Connector;
beforeAll(async () => {
  stripe = await startScriptedStripe();
  connector = openScripted(stripe.url);
});
afterAll(() => stripe.close());
afterEach(() => expect(stripe.violations).toEqual([]));

type Step = Scripted | ((times: number) => Scripted);
type Steps = { create?: Step; method?: Step; customer?: Step; confirm?: Step; get?: Step };

const play = (step: Step, times: number) => (typeof step === 'function' ? step(times) : step);

/** Authorizes at a Stripe that behaves as told; what is not told goes well. */
async function authorizeWhere(steps: Steps, more: Partial<AuthorizeRequest> = {}) {
  const request = authorization(more);
  const well: Required<Steps> = {
    create: ok(intentLike(request.attempt)),
    method: ok({ id: 'pm_made', object: 'payment_method' }),
    customer: ok(intentLike(request.attempt, { customer: 'cus_1' })),
    confirm: ok(intentLike(request.attempt, { status: 'succeeded', amount_received: 1_000 })),
    get: ok(intentLike(request.attempt, { status: 'succeeded', amount_received: 1_000 })),
  };
  stripe.behave(({ method, path }, seen) => {
    const times = seen.filter((one) => one.method === method && one.path === path).length;
    const at = { ...well, ...steps };
    if (method === 'GET') return play(at.get, times);
    if (path === '/v1/payment_intents') return play(at.create, times);
    if (path === '/v1/payment_methods') return play(at.method, times);
    return play(path.endsWith('/confirm') ? at.confirm : at.customer, times);
  });
  const reply = await connector.authorize(request);
  return { request, reply, outcome: reply.outcome, seen: [...stripe.seen] };
}

const paths = (seen: readonly { method: string; path: string }[]) =>
  seen.map(({ method, path }) => `${method} ${path.slice(4)}`);

describe('what is sent', () => {
  test('the intent has facts only, with a key of the attempt; the card goes into the confirmation', async () => {
    const { seen, request, reply } = await authorizeWhere({}, { instrument: aNumber });
    expect(paths(seen)).toEqual(['POST payment_intents', 'POST payment_methods', 'POST payment_intents/pi_1/confirm']);
    const [create, method, confirm] = seen;
    expect(create).toMatchObject({
      key: `${request.attempt}/create`,
      form: {
        ...{ amount: '1000', currency: 'eur', capture_method: 'automatic', allowed_payment_method_types: ['card'] },
        metadata: { tollgate_payment: 'py_1', tollgate_attempt: request.attempt },
      },
      headers: { 'stripe-version': apiVersion, authorization: `Bearer ${secretKey}` },
    });
    expect(Object.keys(create!.form)).toHaveLength(5);
    expect(method!.form).toEqual({
      type: 'card',
      card: { number: cardNumber, exp_month: '12', exp_year: '2040', cvc },
      billing_details: { name: 'Ada Lovelace', email: 'ada@example.com', address: { line1: 'Main 1', country: 'GB' } },
    });
    expect(confirm).toMatchObject({
      key: `${request.attempt}/confirm`,
      form: { payment_method: 'pm_made', return_url: 'https://gateway.test/return/1' },
    });
    expect(reply).toMatchObject({ attempt: request.attempt, outcome: { kind: 'approved', reference: 'pi_1' } });
  });

  const kept = { ...aToken, customer: 'cus_1' };
  test.each<[string, Partial<AuthorizeRequest>, object]>([
    ['a token', {}, { payment_method: token, return_url: 'https://gateway.test/return/1' }],
    [
      'without the cardholder',
      { initiator: 'merchant', storedCredential: 'subsequent' },
      { payment_method: token, off_session: 'true' },
    ],
    [
      'a cardholder who is not to be challenged',
      { declinesChallenge: true },
      { payment_method: token, error_on_requires_action: 'true' },
    ],
    [
      'a token of a customer, to be charged again',
      { instrument: kept, storedCredential: 'first' },
      { payment_method: token, setup_future_usage: 'off_session', return_url: 'https://gateway.test/return/1' },
    ],
    [
      'a token of a customer, without the cardholder',
      { instrument: kept, initiator: 'merchant', storedCredential: 'subsequent' },
      { payment_method: token, off_session: 'true' },
    ],
  ])('%s', async (_, more, expected) => {
    const { seen, outcome } = await authorizeWhere({}, more);
    expect(seen.at(-1)!.form).toEqual({ ...expected, expand: ['latest_charge'] });
    const names = paths(seen);
    if (more.instrument !== undefined) expect(names).toContain('POST payment_intents/pi_1');
    else expect(names).toHaveLength(2);
    expect(outcome.kind).toBe('approved');
  });

  test('a reservation, in a currency whose units differ', async () => {
    const request = authorization({ money: { amount: 700, currency: 'isk' }, capture: false });
    const facts = { amount: 70_000, currency: 'isk' };
    stripe.behave(({ path }) =>
      ok(
        intentLike(request.attempt, {
          ...facts,
          status: path.endsWith('confirm') ? 'requires_capture' : 'requires_payment_method',
        }),
      ),
    );
    expect((await connector.authorize(request)).outcome.kind).toBe('approved');
    expect(stripe.seen[0]!.form).toMatchObject({ amount: '70000', currency: 'isk', capture_method: 'manual' });
  });

  test('an account that takes tokens only is not told a number', async () => {
    stripe.behave(() => 'garbage');
    const reply = await openScripted(stripe.url, { rawCards: false }).authorize(authorization({ instrument: aNumber }));
    expect([reply.outcome.kind, stripe.seen]).toEqual(['not_sent', []]);
  });

  test('an amount that Stripe cannot express is declined, and nothing is sent', async () => {
    const { outcome, seen } = await authorizeWhere({}, { money: { amount: 1_234, currency: 'kwd' } });
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'amount_not_expressible' });
    expect(seen).toEqual([]);
  });
});

const unlike = (status: number): Scripted => ({ status, body: 'not of Stripe' });
const twice = (first: Scripted) => (last: Scripted) => (times: number) => (times === 1 ? first : last);

describe('before the confirmation nothing can have moved', () => {
  test.each<[string, Steps, string, number]>([
    ['the key is refused', { create: badKey }, 'not_sent', 1],
    ['a permission is missing', { create: forbidden }, 'not_sent', 1],
    ['the rate limit is reached', { create: rateLimit }, 'not_sent', 1],
    ['an error of Stripe, three times', { create: broken }, 'not_sent', 3],
    ['resets', { create: 'reset' }, 'not_sent', 3],
    ['garbage', { create: 'garbage' }, 'not_sent', 3],
    ['half an answer', { create: 'half' }, 'not_sent', 3],
    ['a conflict', { create: conflict }, 'not_sent', 3],
    ['the object is in use', { create: locked }, 'not_sent', 3],
    ['an answer about another intent', { create: ok(intentLike('att_other')) }, 'not_sent', 1],
    ['a redirect', { create: { status: 302, body: {} } }, 'not_sent', 3],
    ['the payment method: rate limit', { method: rateLimit }, 'not_sent', 2],
    ['the payment method: resets', { method: 'reset' }, 'not_sent', 4],
    ['a refusal', { create: failure(400, { type: 'invalid_request_error', code: 'amount_too_small' }) }, 'declined', 1],
    ['a wrong number', { method: failure(402, { type: 'card_error', code: 'incorrect_number' }) }, 'declined', 2],
  ])('%s', async (_, steps, kind, requests) => {
    const { outcome, seen } = await authorizeWhere(steps, { instrument: aNumber });
    expect(outcome.kind).toBe(kind);
    expect(seen).toHaveLength(requests);
    expect(paths(seen).some((path) => path.endsWith('confirm'))).toBe(false);
  });

  test('a create that is answered at the second try goes on, with the same key', async () => {
    const request = authorization();
    const create = twice('reset')(ok(intentLike(request.attempt)));
    const { outcome, seen } = await authorizeWhere({ create }, { attempt: request.attempt });
    expect([outcome.kind, seen[0]!.key]).toEqual(['approved', seen[1]!.key]);
  });

  test('without time left, nothing is sent', async () => {
    const { outcome, seen } = await authorizeWhere({}, { deadline: Date.now() - 1 });
    expect([outcome.kind, seen]).toEqual(['not_sent', []]);
  });

  test('without time to wait for its answer, the confirmation is not sent', async () => {
    const { outcome, seen } = await authorizeWhere({}, { deadline: Date.now() + 1_500 });
    expect([outcome.kind, paths(seen)]).toEqual(['not_sent', ['POST payment_intents']]);
  });

  test('no connection', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      closed.on('listening', () => resolve(closed.address() as { port: number })),
    );
    await new Promise((resolve) => closed.close(resolve));
    const reply = await openScripted(`http://127.0.0.1:${port}`).authorize(authorization());
    expect(reply.outcome).toEqual({ kind: 'not_sent', reason: 'ECONNREFUSED' });
    const plain = await openScripted(stripe.url.replace('http:', 'https:')).authorize(authorization());
    expect(plain.outcome.kind).toBe('not_sent');
    expect(JSON.stringify([reply, plain])).not.toContain(secretKey);
  });
});

describe('the confirmation', () => {
  const state = (status: string, more = {}) => ({ object: 'payment_intent', id: 'pi_1', status, ...more });
  const declined = (decline_code: string) =>
    failure(402, { type: 'card_error', code: 'card_declined', decline_code, message: 'No.' });

  test.each<[string, Scripted, object]>([
    [
      'a decline',
      declined('insufficient_funds'),
      { kind: 'declined', declineCode: 'insufficient_funds', advice: 'later', reference: 'pi_1', message: 'No.' },
    ],
    ['a stolen card', declined('stolen_card'), { kind: 'declined', code: 'card_declined', advice: 'never' }],
    [
      'an unknown token',
      failure(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'payment_method' }),
      { kind: 'declined', code: 'processing_error', advice: 'update_card' },
    ],
    ['a refused key', badKey, { kind: 'not_sent' }],
    ['the rate limit', rateLimit, { kind: 'not_sent' }],
    ['a conflict', conflict, { kind: 'unknown' }],
    ['an intent that is in use', locked, { kind: 'unknown' }],
    ['an error of Stripe', broken, { kind: 'unknown' }],
    ['a 503 of a proxy', unlike(503), { kind: 'unknown' }],
    ['a 429 that is not of Stripe', unlike(429), { kind: 'unknown' }],
    ['a 402 that is not of Stripe', unlike(402), { kind: 'unknown' }],
    ['a reset', 'reset', { kind: 'unknown' }],
    ['garbage', 'garbage', { kind: 'unknown' }],
    ['half an answer', 'half', { kind: 'unknown' }],
    ['another object', ok({ id: 'ch_1', object: 'charge', status: 'succeeded' }), { kind: 'unknown' }],
  ])('%s', async (_, confirm, expected) => {
    const { outcome, seen } = await authorizeWhere({ confirm });
    expect(outcome).toMatchObject(expected);
    expect(seen).toHaveLength(2); // it is sent once, whatever happens
  });

  test.each<[string, object, object]>([
    ['pays', { status: 'succeeded' }, { kind: 'approved', reference: 'pi_1' }],
    ['is processing', { status: 'processing' }, { kind: 'pending', reference: 'pi_1' }],
    [
      'wants the cardholder',
      {
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example/3ds' } },
      },
      { kind: 'requires_action', url: 'https://bank.example/3ds', reference: 'pi_1' },
    ],
    [
      'wants the cardholder without a page',
      { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } },
      { kind: 'declined', advice: 'authenticate' },
    ],
    ['only reserves', { status: 'requires_capture' }, { kind: 'unknown' }],
    ['has another amount', { status: 'succeeded', amount: 2_000 }, { kind: 'unknown' }],
    ['has another currency', { status: 'succeeded', currency: 'usd' }, { kind: 'unknown' }],
    ['is in a state of next year', { status: 'requires_patience' }, { kind: 'unknown' }],
    ['was not confirmed at all', { status: 'requires_confirmation' }, { kind: 'unknown' }],
  ])('an intent that %s', async (_, more, expected) => {
    const { attempt } = authorization();
    const shown = ok(intentLike(attempt, more));
    const { outcome } = await authorizeWhere({ confirm: shown, get: shown }, { attempt });
    expect(outcome).toMatchObject(expected);
  });

  test('an answer about another attempt names that attempt', async () => {
    const { reply } = await authorizeWhere({ confirm: ok(intentLike('att_other', { status: 'succeeded' })) });
    expect(reply.attempt).toBe('att_other');
  });

  const unexpected = failure(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
  test.each<[string, Scripted, object, string]>([
    ['canceled before', unexpected, { status: 'canceled' }, 'declined'],
    ['confirmed before', unexpected, { status: 'succeeded' }, 'approved'],
    [
      'refused, and paid all the same',
      failure(402, { type: 'card_error', payment_intent: { ...state('succeeded'), amount: 1, currency: 'eur' } }),
      { status: 'succeeded' },
      'approved',
    ],
    [
      'confirmed with other parameters',
      failure(400, { type: 'idempotency_error' }),
      { status: 'processing' },
      'pending',
    ],
  ])('an intent that was %s: its state decides', async (_, confirm, now, kind) => {
    const { attempt } = authorization();
    const { outcome } = await authorizeWhere({ confirm, get: ok(intentLike(attempt, now)) }, { attempt });
    expect(outcome.kind).toBe(kind);
  });

  test('the traces of the card network are kept', async () => {
    const { attempt } = authorization();
    const card = {
      ...{ network_transaction_id: '1234', authorization_code: '567890' },
      checks: { address_line1_check: 'fail', cvc_check: 'pass' },
    };
    const confirm = ok(
      intentLike(attempt, { status: 'succeeded', latest_charge: { payment_method_details: { card } } }),
    );
    const { outcome } = await authorizeWhere({ confirm }, { attempt });
    expect(outcome).toEqual({
      ...{ kind: 'approved', reference: 'pi_1', networkTransactionId: '1234', authorizationCode: '567890' },
      ...{ avsResult: 'N', cvcResult: 'M' },
    });
  });
});

test('nothing that is stored shows a number, a code, a key, a token or a client secret', async () => {
  const quoting = `card ${cardNumber} ${cvc} ${secretKey} ${token}`;
  const error = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'No.',
    param: 'card',
  };
  for (const confirm of [
    failure(402, { ...error, doc_url: quoting }),
    failure(500, { type: 'api_error', message: quoting }),
    'garbage',
  ] as Scripted[])
    for (const instrument of [aNumber, { ...aToken, customer: 'cus_1' }]) {
      const { reply } = await authorizeWhere({ confirm }, { instrument });
      const kept = JSON.stringify(reply);
      for (const canary of [cardNumber, cvc, secretKey, token, 'secret_canary']) expect(kept).not.toContain(canary);
      expect(reply.exchange).toMatchObject({
        calls: [{ request: 'POST /v1/payment_intents', status: 200, id: 'pi_1', requestId: 'req_1' }, {}, {}],
      });
    }
});

test('a message of Stripe that quotes a number or a key is passed on without them', async () => {
  const message = `Your card ${cardNumber} was declined for ${secretKey}, ${cardNumber.replaceAll(/(.{4})/g, '$1 ')}.`;
  const { reply } = await authorizeWhere({
    confirm: failure(402, { type: 'card_error', code: 'card_declined', message }),
  });
  expect(reply.outcome).toMatchObject({ message: 'Your card … was declined for …, … .' });
});
