import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import type { Connector, InboundRequest } from '../contract.ts';
import {
  failure,
  intentLike,
  ok,
  openScripted,
  type Scripted,
  type ScriptedStripe,
  startScriptedStripe,
  tenant,
  webhookSecret,
} from './stripe.fixture.ts';

const now = 1_790_000_000_000;
const attempt = newId('att', now);
const previousSecret = 'whsec_before0000';

let stripe: ScriptedStripe;
let connector: Connector;
beforeAll(async () => {
  stripe = await startScriptedStripe();
  const webhooks = { webhook_secret: new Secret(webhookSecret), webhook_secret_previous: new Secret(previousSecret) };
  connector = openScripted(stripe.url, { webhooks });
});
afterAll(() => stripe.close());
afterEach(() => expect(stripe.violations).toEqual([]));

const event = (type: string, object: object, more = {}) => ({
  ...{ id: 'evt_1', object: 'event', type, created: now / 1_000, data: { object } },
  ...more,
});

/** Signed by the official package. */
function signed(payload: string, { secret = webhookSecret, at = now } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1_000) });
}

const body = JSON.stringify(event('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent', text: 'é ✓' }));
const request = (header: string | undefined, text = body): InboundRequest => ({
  headers: header === undefined ? {} : { 'stripe-signature': header },
  body: Buffer.from(text),
});
const accepted = (inbound: InboundRequest, at = now) => connector.inbound!.accept(inbound, at);

describe('a signature', () => {
  const good = signed(body);
  const [time, signature] = good.split(',') as [string, string];
  test.each([
    ['of the official package', good],
    ['with the secret before', signed(body, { secret: previousSecret })],
    ['among several', `${time},v1=${'0'.repeat(64)},${signature},v0=abc`],
    ['of five minutes ago', signed(body, { at: now - 300_000 })],
    ['of a clock that is ahead', signed(body, { at: now + 299_000 })],
  ])('%s is accepted', (_, header) => expect(accepted(request(header))).toEqual({ id: 'evt_1' }));

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is of another secret', signed(body, { secret: 'whsec_other0000' })],
    ['is too old', signed(body, { at: now - 301_000 })],
    ['is from the future', signed(body, { at: now + 301_000 })],
    ['is of another body', signed(`${body} `)],
    ['has no time', signature],
    ['has another time', `t=${now / 1_000 - 1},${signature}`],
    ['has an odd time', `t=1e9,${signature}`],
    ['is of another scheme', `${time},${signature.replace('v1', 'v0')}`],
    ['is cut', good.slice(0, -2)],
    ['is not hexadecimal', `${time},v1=${'z'.repeat(64)}`],
  ])('that %s is not', (_, header) => expect(accepted(request(header))).toBeUndefined());

  test.each(['', 'text', '[]', '{}', '{"id":5}', '{"id":"../x"}'])('on the body %s is not', (text) =>
    expect(accepted(request(signed(text === '' ? ' ' : text), text === '' ? ' ' : text))).toBeUndefined(),
  );

  test('without a secret nothing is accepted', () => {
    const without = openScripted(stripe.url);
    for (const header of [good, signed(body, { secret: 'undefined' })])
      expect(without.inbound!.accept(request(header), now)).toBeUndefined();
  });

  test('the official package agrees', () => {
    expect(Stripe.webhooks.constructEvent(body, good, webhookSecret, undefined, undefined, now).id).toBe('evt_1');
  });
});

/** What an event leads to, when Stripe shows the object so. */
async function readWhere(about: object, shown: Scripted) {
  stripe.behave(() => shown);
  return connector.inbound!.read(request('', JSON.stringify(about)), now);
}

describe('an event means: look now', () => {
  const origin = () => ({ tenant, account: connector.account });
  const intent = { id: 'pi_1', object: 'payment_intent' };

  test.each([
    ['succeeded', {}, 'attempt_changed'],
    ['requires_payment_method', {}, 'attempt_changed'],
    ['canceled', { cancellation_reason: 'requested_by_customer' }, 'canceled_elsewhere'],
    ['canceled', { cancellation_reason: null }, 'canceled_elsewhere'],
    ['canceled', { cancellation_reason: 'automatic' }, 'authorization_expired'],
    ['canceled', { cancellation_reason: 'expired' }, 'authorization_expired'],
  ])('an intent that is %s %o: %s', async (status, more, kind) => {
    // The body lies: it is not asked.
    const lie = {
      ...intent,
      status: 'succeeded',
      cancellation_reason: 'automatic',
      metadata: { tollgate_attempt: 'att_lie' },
    };
    const shown = ok(intentLike(attempt, { status, ...more }));
    expect(await readWhere(event('payment_intent.canceled', lie), shown)).toEqual([
      { id: `evt_1/${attempt}`, ...origin(), kind, attempt },
    ]);
    expect(stripe.seen).toMatchObject([{ method: 'GET', path: '/v1/payment_intents/pi_1' }]);
  });

  test('a captured intent concerns its capture too', async () => {
    const capture = newId('att', now);
    const metadata = { tollgate_attempt: attempt, tollgate_capture: capture };
    const notices = await readWhere(event('payment_intent.succeeded', intent), ok(intentLike(attempt, { metadata })));
    expect(notices).toMatchObject([{ attempt }, { attempt: capture, kind: 'attempt_changed' }]);
  });

  test('a refund', async () => {
    const refund = {
      id: 're_1',
      object: 'refund',
      status: 'failed',
      amount: 5,
      currency: 'eur',
      metadata: { tollgate_attempt: attempt },
    };
    const notices = await readWhere(event('charge.refund.updated', { id: 're_1', object: 'refund' }), ok(refund));
    expect(notices).toEqual([{ id: `evt_1/${attempt}`, ...origin(), kind: 'attempt_changed', attempt }]);
  });

  const manual = { capture_method: 'manual', status: 'succeeded', amount_received: 600 };
  const money = { amount: 600, currency: 'eur' };
  const captured = { id: 'evt_1/captured', kind: 'captured_elsewhere', attempt, money };

  test.each<[string, object, object[]]>([
    ['without a mark', {}, [{ kind: 'attempt_changed', attempt }, captured]],
    ['with a mark that is no attempt', { tollgate_capture: 'me' }, [{ kind: 'attempt_changed', attempt }, captured]],
    ['of other software', { tollgate_attempt: 'theirs' }, []],
  ])('a capture %s', async (_, marks, told) => {
    const shown = intentLike(attempt, { ...manual, metadata: { tollgate_attempt: attempt, ...marks } });
    expect(await readWhere(event('payment_intent.succeeded', intent), ok(shown))).toMatchObject(told);
  });

  const refunded = { id: 'evt_1/re_1', kind: 'refunded_elsewhere', refund: 're_1', authorization: attempt, money };
  const booked = (reporting_category: string) => ({ balance_transaction: { reporting_category } });
  test.each<[string, object, object, object[]]>([
    ['of a charge', { status: 'succeeded' }, booked('refund'), [refunded]],
    ['of a capture without a mark', manual, booked('refund'), [captured, refunded]],
    ['that is pending', { status: 'succeeded' }, { status: 'pending', balance_transaction: null }, [refunded]],
    ['that releases what was not captured', manual, booked('partial_capture_reversal'), []],
    ['that releases what was held', { status: 'canceled' }, { balance_transaction: null }, []],
    ['of a payment of other software', { status: 'succeeded', metadata: {} }, booked('refund'), []],
  ])('a refund without a mark %s', async (_, of, more, told) => {
    const refund = { id: 're_1', object: 'refund', status: 'succeeded', amount: 600, currency: 'eur', metadata: {} };
    const shown = ok({ ...refund, payment_intent: intentLike(attempt, of), ...more });
    const notices = await readWhere(event('refund.created', { id: 're_1', object: 'refund' }), shown);
    expect(notices).toMatchObject(told);
    expect(notices).toHaveLength(told.length);
  });

  const dispute = {
    ...{ id: 'dp_1', object: 'dispute', amount: 1_000, currency: 'eur', reason: 'fraudulent', metadata: {} },
    ...{ evidence_details: { due_by: 1_790_600_000 }, payment_intent: intentLike(attempt) },
  };
  const opened = {
    ...{ id: 'dp_1/opened', kind: 'dispute_opened', dispute: 'dp_1', authorization: attempt, reason: 'fraudulent' },
    ...{ money: { amount: 1_000, currency: 'eur' }, dueBy: 1_790_600_000_000 },
  };
  const closed = (result: string) => ({
    ...{ id: `dp_1/${result}`, kind: 'dispute_closed', dispute: 'dp_1', authorization: attempt, result },
  });
  test.each<[string, object[]]>([
    ['needs_response', [opened]],
    ['under_review', [opened]],
    ['won', [opened, closed('won')]],
    ['lost', [opened, closed('lost')]],
    ['warning_needs_response', []],
    ['warning_closed', []],
    ['prevented', []],
  ])('a dispute that is %s, whatever the event says', async (status, expected) => {
    const notices = await readWhere(
      event('charge.dispute.closed', { id: 'dp_1', object: 'dispute' }),
      ok({ ...dispute, status }),
    );
    expect(notices).toEqual(expected.map((one) => ({ ...one, ...origin() })));
  });

  const gone = failure(404, { type: 'invalid_request_error', code: 'resource_missing' });
  test.each<[string, object, Scripted]>([
    ['an intent of other software', event('payment_intent.succeeded', intent), ok(intentLike('order-5'))],
    [
      'a refund made by hand',
      event('refund.created', { id: 're_1', object: 'refund' }),
      ok({ id: 're_1', object: 'refund', status: 'succeeded', amount: 5, currency: 'eur', metadata: {} }),
    ],
    [
      'a dispute of other software',
      event('charge.dispute.created', { id: 'dp_1', object: 'dispute' }),
      ok({ ...dispute, status: 'lost', payment_intent: null }),
    ],
    ['an object that does not exist', event('payment_intent.succeeded', intent), gone],
    ['a kind that means nothing here', event('customer.created', { id: 'cus_1', object: 'customer' }), 'garbage'],
    ['an id that is none', event('payment_intent.succeeded', { ...intent, id: '../account' }), 'garbage'],
    ['no object', { id: 'evt_1', type: 'ping' }, 'garbage'],
  ])('%s leads to nothing', async (_, about, shown) => expect(await readWhere(about, shown)).toEqual([]));

  test('when Stripe does not answer, the event is read again later', async () => {
    for (const object of ['payment_intent', 'refund', 'dispute'])
      await expect(readWhere(event('x', { id: 'x_1', object }), 'reset')).rejects.toThrow('Stripe did not answer');
  });
});

describe('a poll', () => {
  const events = (count: number, first: number) =>
    Array.from({ length: count }, (_, at) =>
      event(
        'payment_intent.succeeded',
        { id: `pi_${first + at}`, object: 'payment_intent' },
        { id: `evt_${first + at}`, created: first + at },
      ),
    ).reverse();
  const serve = (list: object[]) =>
    stripe.behave(({ path }) =>
      path === '/v1/events'
        ? ok({ object: 'list', data: list, has_more: false })
        : ok(intentLike(attempt, { id: path.split('/').at(-1) })),
    );

  test('begins an hour ago, and goes on where it ended', async () => {
    serve([]);
    expect(await connector.poll!({ since: undefined, now })).toEqual({
      notices: [],
      next: String(now / 1_000 - 3_600),
      hasMore: false,
    });
    serve(events(3, 1_000));
    const { notices, next } = await connector.poll!({ since: '900', now });
    expect([notices.map(({ id }) => id), next]).toEqual([
      [1_000, 1_001, 1_002].map((at) => `evt_${at}/${attempt}`),
      '1002',
    ]);
    expect(stripe.seen[0]!.form).toMatchObject({ created: { gte: '840' }, limit: '100' });
    expect((stripe.seen[0]!.form.types as string[]).length).toBeLessThanOrEqual(20);
  });

  test('reads the oldest first and leaves the rest for the next one', async () => {
    serve(events(250, 5_000));
    const { notices, next } = await connector.poll!({ since: '4999', now });
    expect([notices.length, next]).toEqual([100, '5099']);
    expect((await connector.poll!({ since: '4999', now })).hasMore).toBe(true);
    expect((await connector.poll!({ since: '5200', now })).hasMore).toBe(false);
  });

  test('reads a shorter time when too many events have happened since the last one', async () => {
    const all = events(12_000, 1_000);
    stripe.behave(({ path, form }) => {
      if (path !== '/v1/events') return ok(intentLike(attempt, { id: path.split('/').at(-1) }));
      const { gte, lt = Number.POSITIVE_INFINITY } = form.created as Record<string, string>;
      const range = all.filter(({ created }) => created >= Number(gte) && created < Number(lt));
      const start = range.findIndex(({ id }) => id === form.starting_after) + 1;
      return ok({ object: 'list', data: range.slice(start, start + 100), has_more: start + 100 < range.length });
    });
    const { notices, next, hasMore } = await connector.poll!({ since: '999', now: 13_000_000 });
    expect([notices[0]!.id, notices.length, next, hasMore]).toEqual([`evt_1000/${attempt}`, 100, '1099', true]);
  });

  test('goes on when many events have happened shortly before the last one that was read', async () => {
    const busy = events(150, 5_000).map((one) => ({ ...one, created: 5_000 }));
    serve([...events(1, 5_200).map((one) => ({ ...one, created: 5_001 })), ...busy]);
    const { notices, next } = await connector.poll!({ since: '5000', now });
    expect([notices.at(-1)!.id, next]).toEqual([`evt_5200/${attempt}`, '5001']);
    serve([...events(1, 5_300).map((one) => ({ ...one, created: 5_040 })), ...busy]);
    expect((await connector.poll!({ since: '5030', now })).next).toBe('5040');
  });

  test('asks once about an object that had several events', async () => {
    serve(
      [...events(1, 1_001), ...events(1, 1_000)].map((one) => ({
        ...one,
        data: { object: { id: 'pi_1', object: 'payment_intent' } },
      })),
    );
    expect((await connector.poll!({ since: '900', now })).notices).toMatchObject([{ id: `evt_1001/${attempt}` }]);
    expect(stripe.seen).toHaveLength(2);
  });

  test('an odd position is taken for none', async () => {
    serve([]);
    expect((await connector.poll!({ since: 'evt_1', now })).next).toBe(String(now / 1_000 - 3_600));
  });
});
