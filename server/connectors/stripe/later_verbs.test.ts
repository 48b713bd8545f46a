import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { idTime, newId } from '../../base/id.ts';
import type { Authorization, Connector, Reply } from '../contract.ts';
import {
  badKey,
  broken,
  conflict,
  euros,
  failure,
  forbidden,
  intentLike,
  locked,
  ok,
  openScripted,
  rateLimit,
  type Script,
  type Scripted,
  type ScriptedStripe,
  startScriptedStripe,
  tenant,
} from './stripe.fixture.ts';

let stripe: ScriptedStripe;
let connector: Connector;
beforeAll(async () => {
  stripe = await startScriptedStripe();
  connector = openScripted(stripe.url);
});
afterAll(() => stripe.close());
afterEach(() => expect(stripe.violations).toEqual([]));

const now = Date.now();
const asked = () => ({ tenant, attempt: newId('att', now), now });
const held: Authorization = {
  attempt: newId('att', now),
  reference: 'pi_1',
  payment: 'py_1',
  money: euros,
  capture: false,
};
const unnamed: Authorization = { ...held, reference: undefined };
const dispute = {
  id: 'dp_1',
  object: 'dispute',
  status: 'needs_response',
  amount: 1_000,
  currency: 'eur',
  metadata: {},
};

/** What each verb sends that can have an effect, after what it may look at first. */
const verbs = {
  capture: () => connector.capture!({ ...asked(), authorization: held, money: euros }),
  cancel: () => connector.cancel!({ ...asked(), authorization: held }),
  refund: () => connector.refund!({ ...asked(), authorization: held, money: euros }),
  contest: () => connector.contest!({ ...asked(), dispute: 'dp_1', evidence: { uncategorized_text: 'It was sent.' } }),
  concede: () => connector.concede!({ ...asked(), dispute: 'dp_1' }),
} as const;
const effects = /(capture|cancel|refunds|close|disputes\/dp_1)$/;

const lookable: Script = ({ path }) =>
  ok(path.includes('disputes') ? dispute : intentLike(held.attempt, { status: 'requires_capture' }));

describe.each(Object.keys(verbs) as (keyof typeof verbs)[])('%s', (verb) => {
  test.each<[string, Scripted, Reply['outcome']['kind']]>([
    ['the key is refused', badKey, 'not_sent'],
    ['a permission is missing', forbidden, 'not_sent'],
    ['the rate limit is reached', rateLimit, 'not_sent'],
    ['a conflict', conflict, 'unknown'],
    ['the object is in use', locked, 'unknown'],
    ['an error of Stripe', broken, 'unknown'],
    ['a reset', 'reset', 'unknown'],
    ['garbage', 'garbage', 'unknown'],
    ['half an answer', 'half', 'unknown'],
    ['another object', ok({ id: 'x_1', object: 'x', status: 'succeeded' }), 'unknown'],
    ['a refusal', failure(400, { type: 'invalid_request_error', code: 'charge_disputed' }), 'declined'],
  ])('%s', async (what, fault, kind) => {
    stripe.behave((request, seen) => {
      const { method, path, form } = request;
      const isMark = 'metadata' in form && path.endsWith('dp_1') && verb === 'concede';
      if (path.startsWith('/v1/refunds') && method === 'GET') return ok({ object: 'list', data: [], has_more: false });
      return method === 'POST' && effects.test(path) && !isMark ? fault : lookable(request, seen);
    });
    const { outcome, exchange } = await verbs[verb]();
    expect(outcome.kind).toBe(kind);
    // What may have had an effect is sent once.
    const sent = stripe.seen.filter(({ method, path }) => method === 'POST' && effects.test(path));
    if (what !== 'another object') expect(sent).toHaveLength(verb === 'concede' ? 2 : 1);
    expect(JSON.stringify(exchange)).not.toContain('It was sent.');
  });

  test('what it looks at first does not answer: nothing was sent', async () => {
    stripe.behave(({ method }) => (method === 'GET' ? 'reset' : 'garbage'));
    const outcome = await verbs[verb]();
    const hasLooked = stripe.seen[0]!.method === 'GET';
    expect([hasLooked, outcome.outcome.kind]).toEqual(hasLooked ? [true, 'not_sent'] : [false, 'unknown']);
  });
});

test('evidence that is longer than Stripe takes is not sent, and the field is named', async () => {
  stripe.behave(lookable);
  const evidence = { product_description: 'A lamp.', customer_name: 'x'.repeat(5_001) };
  const { outcome } = await connector.contest!({ ...asked(), dispute: 'dp_1', evidence });
  expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'customer_name_too_long' });
  expect(stripe.seen.map(({ method }) => method)).toEqual(['GET']);
});

test('a concession submits no evidence that somebody has staged at Stripe', async () => {
  stripe.behave(lookable);
  await verbs.concede();
  const mark = stripe.seen.find(({ method, path }) => method === 'POST' && path.endsWith('/dp_1'));
  expect(mark?.form).toEqual({ metadata: { tollgate_concession: expect.any(String) }, submit: 'false' });
});

describe('a capture', () => {
  const captured = (attempt: string, status: string) =>
    intentLike(held.attempt, {
      status,
      amount_received: 600,
      metadata: { tollgate_attempt: held.attempt, tollgate_capture: attempt },
    });
  const unexpected = failure(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });

  test('names its attempt, and the amount', async () => {
    const { attempt, ...rest } = asked();
    stripe.behave(() => ok(captured(attempt, 'succeeded')));
    const reply = await connector.capture!({ ...rest, attempt, authorization: held, money: { ...euros, amount: 600 } });
    expect(reply.outcome).toEqual({ kind: 'approved', reference: 'pi_1' });
    expect(stripe.seen).toMatchObject([
      {
        path: '/v1/payment_intents/pi_1/capture',
        key: attempt,
        form: { amount_to_capture: '600', metadata: { tollgate_capture: attempt } },
      },
    ]);
  });

  test.each([
    ['has happened before', 'succeeded', true, 'approved'],
    ['comes after another one', 'succeeded', false, 'already_captured'],
    ['comes too late', 'canceled', false, 'declined'],
    ['is being processed', 'processing', true, 'pending'],
    ['is refused for a reason that does not show', 'requires_payment_method', false, 'declined'],
  ])('that %s: the state of the intent decides', async (_, status, isOurs, kind) => {
    const { attempt, ...rest } = asked();
    stripe.behave(({ method }) =>
      method === 'GET' ? ok(captured(isOurs ? attempt : 'att_other', status)) : unexpected,
    );
    expect((await connector.capture!({ ...rest, attempt, authorization: held, money: euros })).outcome.kind).toBe(kind);
  });

  test('that the bank declines', async () => {
    stripe.behave(() => failure(402, { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }));
    const { outcome } = await connector.capture!({ ...asked(), authorization: held, money: euros });
    expect(outcome).toMatchObject({ kind: 'declined', code: 'card_declined', declineCode: 'do_not_honor' });
  });
});

describe('an answer that contradicts', () => {
  test('a cancel of an intent that was confirmed at the same moment gives the money back', async () => {
    let looks = 0;
    stripe.behave(({ method, path, form }) => {
      if (method === 'GET') {
        const status = looks++ === 0 ? 'requires_payment_method' : 'succeeded';
        return ok(intentLike(held.attempt, { status, amount_received: 1_000 }));
      }
      if (path.endsWith('/cancel'))
        return failure(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
      const metadata = form.metadata as object;
      return ok({ id: 're_1', object: 'refund', status: 'succeeded', amount: 1_000, currency: 'eur', metadata });
    });
    const { attempt, ...rest } = asked();
    const authorization = { ...held, capture: true };
    const { outcome } = await connector.cancel!({ ...rest, attempt, authorization });
    expect(outcome).toEqual({ kind: 'approved', reference: 're_1' });
    expect(stripe.seen.at(-1)).toMatchObject({
      path: '/v1/refunds',
      key: `${attempt}/reverse`,
      form: {
        payment_intent: 'pi_1',
        amount: '1000',
        metadata: { tollgate_reversal: held.attempt, tollgate_attempt: attempt },
      },
    });
  });

  test('an intent that Stripe does not cancel stays unknown', async () => {
    stripe.behave(({ method }) =>
      method === 'GET'
        ? ok(intentLike(held.attempt, { status: 'processing' }))
        : failure(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    );
    expect((await connector.cancel!({ ...asked(), authorization: held })).outcome.kind).toBe('unknown');
  });

  test.each(['capture', 'cancel', 'refund'] as const)(
    'an intent of another attempt says nothing about a %s',
    async (verb) => {
      for (const status of ['canceled', 'succeeded', 'requires_capture']) {
        stripe.behave(({ path }) =>
          ok(
            path === '/v1/refunds'
              ? { object: 'list', data: [], has_more: false }
              : intentLike('att_other', { status }),
          ),
        );
        const about = { authorization: held, dispute: undefined, reference: undefined };
        expect((await connector.find({ ...asked(), verb, ...about })).outcome.kind).toBe('unknown');
      }
    },
  );

  test('a cancel after which Stripe shows another intent is unknown', async () => {
    stripe.behave(({ method }, seen) => {
      const isDone = seen.some((one) => one.method === 'POST');
      const shown = isDone && method === 'GET' ? 'att_other' : held.attempt;
      return ok(intentLike(shown, { status: 'requires_capture' }));
    });
    expect((await verbs.cancel()).outcome.kind).toBe('unknown');
  });

  test('an inquiry that fails tells nothing about the attempt', async () => {
    for (const fault of [badKey, rateLimit, broken, conflict, 'reset', 'garbage', 'half'] as Scripted[])
      for (const verb of ['authorize', 'capture', 'cancel', 'refund', 'contest', 'concede'] as const) {
        stripe.behave(() => fault);
        const about = { authorization: held, dispute: 'dp_1', reference: undefined };
        expect((await connector.find({ ...asked(), verb, ...about })).outcome.kind).toBe('unknown');
      }
  });
});

test('an intent without a reference is made again by the facts of its authorization, with the same key', async () => {
  stripe.behave(({ path, method }) =>
    path.endsWith('/cancel') || method === 'GET'
      ? ok(intentLike(held.attempt, { status: method === 'GET' ? 'requires_payment_method' : 'canceled' }))
      : ok(intentLike(held.attempt)),
  );
  const found = await connector.find({
    ...asked(),
    attempt: held.attempt,
    verb: 'authorize',
    reference: undefined,
    authorization: unnamed,
    dispute: undefined,
  });
  expect(found.outcome).toEqual({ kind: 'not_found' });
  expect(stripe.seen[0]).toMatchObject({
    key: `${held.attempt}/create`,
    form: { amount: '1000', currency: 'eur', capture_method: 'manual', metadata: { tollgate_attempt: held.attempt } },
  });
});

test('where Stripe has no search, as in India, the intents of that time are listed', async () => {
  const [old, later] = [newId('att', now - 24 * 3_600_000), { ...asked() }];
  const intent = intentLike(old, { status: 'requires_capture' });
  stripe.behave(({ path }) => {
    if (path.endsWith('/search')) return failure(400, { type: 'invalid_request_error' });
    return ok(path.endsWith('payment_intents') ? { object: 'list', data: [intent], has_more: false } : intent);
  });
  const about = { verb: 'authorize', dispute: undefined, reference: undefined } as const;
  const request = { ...later, ...about, attempt: old, authorization: { ...unnamed, attempt: old } };
  expect((await connector.find(request)).outcome).toMatchObject({ kind: 'approved', reference: 'pi_1' });
  expect(stripe.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/payment_intents/search',
    'GET /v1/payment_intents',
    'GET /v1/payment_intents/pi_1',
  ]);
});

describe('an intent whose creation gets no answer', () => {
  const nothing = ok({ object: 'search_result', data: [], has_more: false });
  const intent = intentLike(held.attempt, { status: 'requires_capture' });
  const minute = 60_000;

  const shown = ok({ object: 'search_result', data: [intent], has_more: false });
  const repeated = failure(500, { type: 'api_error' }, { 'Idempotent-Replayed': 'true' });
  type Case = [what: string, age: number, creation: Scripted, search: Scripted, kind: string, looks: string];

  test.each<Case>([
    ['is listed while the search may be behind', minute, broken, nothing, 'approved', 'list, pi_1'],
    ['is searched for after a minute', minute + 1, broken, shown, 'approved', 'search, pi_1'],
    ['is listed where the search does not show it', minute + 1, broken, nothing, 'approved', 'search, list, pi_1'],
    ['was never known to anybody, if Stripe repeats the error', minute + 1, repeated, nothing, 'not_found', 'search'],
  ])('%s', async (_, age, creation, search, kind, looks) => {
    stripe.behave(({ method, path }) => {
      if (method === 'POST') return creation;
      if (path.endsWith('/search')) return search;
      return ok(path.endsWith('/payment_intents') ? { object: 'list', data: [intent], has_more: false } : intent);
    });
    const inquiry = { verb: 'authorize', reference: undefined, authorization: unnamed, dispute: undefined } as const;
    const request = { ...asked(), ...inquiry, attempt: held.attempt, now: idTime(held.attempt) + age };
    expect((await connector.find(request)).outcome.kind).toBe(kind);
    const seen = stripe.seen.filter(({ method }) => method === 'GET');
    expect(seen.map(({ path }) => path.split('/')[3] ?? 'list').join(', ')).toBe(looks);
  });
});

test('once Stripe may have forgotten the key, the intent is searched for, and never made again', async () => {
  const later = now + 23 * 3_600_000 + 1;
  stripe.behave(({ path }) =>
    path.endsWith('search') ? ok({ object: 'search_result', data: [], has_more: false }) : 'garbage',
  );
  const about = { ...asked(), attempt: held.attempt, now: later };
  const inquiry = { verb: 'authorize', reference: undefined, authorization: unnamed, dispute: undefined } as const;
  expect((await connector.find({ ...about, ...inquiry })).outcome).toEqual({ kind: 'not_found' });
  expect((await connector.cancel!({ ...asked(), now: later, authorization: unnamed })).outcome).toEqual({
    kind: 'approved',
  });
  expect(stripe.seen.map(({ method, form }) => [method, form.query])).toEqual([
    ['GET', `metadata['tollgate_attempt']:'${held.attempt}'`],
    ['GET', `metadata['tollgate_attempt']:'${held.attempt}'`],
  ]);
});

test('no request goes on after its deadline: without an answer the outcome is unknown, and the connection ends', async () => {
  const ended = new Promise<void>((resolve) => stripe.onEnd(resolve));
  stripe.behave(() => 'hang');
  const { attempt } = asked();
  const deadline = Date.now() + 100;
  const reply = await connector.capture!({ ...asked(), attempt, deadline, authorization: held, money: euros });
  expect(reply.outcome).toEqual({ kind: 'unknown', reason: 'time-out' });
  await ended;
});
