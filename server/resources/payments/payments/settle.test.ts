import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { type Attempt, type AttemptState, newAttempt, type PaymentVerb } from '../attempts/attempt.ts';
import {
  isFinal,
  move,
  moves,
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  type Signal,
  takenBy,
} from './payment.ts';
import { type LoadedPayment, settle } from './settle.ts';

const now = Date.UTC(2026, 10, 15, 12);
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const tenant = 1 as Tenant;

const outcomes = {
  approved: { kind: 'approved', reference: 'ref', networkTransactionId: 'net', authorizationCode: 'A1' },
  declined: { kind: 'declined', code: 'card_declined', declineCode: 'lost_card' },
  requires_action: { kind: 'requires_action', url: 'https://bank.test/1' },
  pending: { kind: 'pending', reference: 'ref' },
  already_captured: { kind: 'already_captured', money: { amount: 900, currency: 'usd' } },
  already_paid: { kind: 'already_paid' },
  not_sent: { kind: 'not_sent', reason: 'no connection' },
  unknown: { kind: 'unknown', reason: 'no answer' },
  not_found: { kind: 'not_found' },
} as const satisfies Record<InquiryOutcome['kind'], InquiryOutcome>;
type Kind = keyof typeof outcomes;
const kinds = Object.keys(outcomes) as Kind[];
const isLost = (kind: Kind, verb?: PaymentVerb) => {
  if (kind === 'already_captured') return verb === 'authorize' || verb === undefined;
  if (kind === 'already_paid') return verb !== 'cancel';
  return (
    kind === 'pending' || kind === 'unknown' || kind === 'not_found' || (verb === 'reverse' && kind !== 'approved')
  );
};

/** What another has captured is not given back. */
const isForeign = (kind: Kind, verb: PaymentVerb) => kind === 'already_captured' && verb === 'reverse';

const attemptOf = (verb: PaymentVerb, facts: Partial<Attempt> = {}): Attempt => ({
  ...newAttempt(
    {
      tenant,
      payment: paymentBase.id,
      verb,
      amount: 700,
      connector: 'simulator',
      processor_account: null,
      request_id: 'req',
    },
    now - 10 * second,
    now - 5 * second,
  ),
  version: 1,
  ...facts,
});

const paymentBase: Payment = {
  ...{ tenant, id: newId('py', now - day), version: 3, amount: 2000, amount_received: 0, currency: 'usd' },
  ...{
    customer: null,
    description: null,
    payment_method: newId('pm', now),
    last4: '4242',
    brand: 'visa',
    country: null,
    status: 'processing',
  },
  ...{
    capture_method: null,
    invoice: null,
    checkout_session: null,
    on_approval: null,
    setup: null,
    return_url: null,
    metadata: null,
    next_action: null,
    failure_code: null,
  },
  ...{ failure_decline_code: null, failure_message: null, advice: null, off_session: null },
  ...{ canceled_at: null, cancellation_reason: null },
  ...{
    captured_elsewhere: null,
    amount_refunded: null,
    dispute: null,
    ...takenBy(null),
    test_clock: null,
    created_at: null,
  },
  ...{ authorization_attempt: null, open_attempt: null, inquiries: 0, flagged_at: null },
  expires_at: new Date(now + hour / 2),
  ...{ due_at: new Date(now), lease_until: new Date(now) },
};

/** A payment in a status, whose authorization is an hour old unless it is being made. */
function knownOf(status: PaymentStatus | 'none', verb: PaymentVerb, facts: Partial<Payment> = {}): LoadedPayment {
  const isNew = status === 'none';
  const authorization = attemptOf('authorize', {
    id: newId('att', now - hour / 2),
    state: status === 'requires_action' ? 'challenged' : 'approved',
    reference: 'first',
  });
  const attempt = verb === 'authorize' ? (isNew ? attemptOf('authorize') : authorization) : attemptOf(verb);
  const payment: Payment = {
    ...paymentBase,
    status: isNew ? 'processing' : status,
    authorization_attempt: isNew ? null : authorization.id,
    open_attempt: status === 'processing' ? attempt.id : null,
    amount_received: status === 'succeeded' ? 2000 : 0,
    ...facts,
  };
  return { payment, attempt, isNew, ...(verb === 'authorize' ? {} : { authorization }) };
}

const told = (kind: Kind) => ({ outcome: outcomes[kind], exchange: { response: kind } });

type Next = PaymentStatus | 'illegal';
type Arrows = Record<Kind, Partial<Record<PaymentStatus | 'none', Next>>>;
const lostLater = { requires_action: 'processing', requires_capture: 'processing', processing: 'processing' } as const;
const lostAllLater = { pending: lostLater, unknown: lostLater, not_found: lostLater };
const lost = { none: 'processing', ...lostLater } as const;
const lostAll = { pending: lost, unknown: lost, not_found: lost };

/** The status after each answer to each verb, for a payment in each status. */
const automatic: Record<PaymentVerb, Arrows> = {
  authorize: {
    approved: {
      ...{ none: 'succeeded', requires_action: 'succeeded', requires_capture: 'illegal', processing: 'succeeded' },
    },
    declined: { none: 'failed', requires_action: 'failed', processing: 'failed' },
    not_sent: { none: 'failed', requires_action: 'failed', processing: 'failed' },
    requires_action: {
      ...{ none: 'requires_action', requires_action: 'illegal', requires_capture: 'illegal' },
      processing: 'requires_action',
    },
    already_captured: lost,
    already_paid: lost,
    ...lostAll,
  },
  capture: {
    approved: { requires_action: 'illegal', requires_capture: 'succeeded', processing: 'succeeded' },
    declined: { requires_capture: 'failed', processing: 'failed' },
    requires_action: { requires_capture: 'failed', processing: 'failed' },
    // The amount is still reserved, and can be captured later.
    not_sent: { requires_capture: 'requires_capture', processing: 'requires_capture' },
    already_captured: { requires_capture: 'succeeded', processing: 'succeeded' },
    already_paid: lostLater,
    ...lostAllLater,
  },
  cancel: {
    approved: { none: 'illegal', requires_action: 'canceled', requires_capture: 'canceled', processing: 'canceled' },
    declined: {
      ...{ requires_action: 'requires_action', requires_capture: 'requires_capture', processing: 'requires_capture' },
    },
    requires_action: { requires_action: 'requires_action', requires_capture: 'requires_capture' },
    not_sent: { requires_action: 'requires_action', requires_capture: 'requires_capture' },
    already_captured: { requires_action: 'requires_action', requires_capture: 'succeeded', processing: 'succeeded' },
    already_paid: { requires_action: 'requires_action', requires_capture: 'requires_capture' },
    ...lostAllLater,
  },
  reverse: {
    approved: { none: 'illegal', requires_action: 'illegal', requires_capture: 'failed', processing: 'failed' },
    // What was refused to give back may still be held: nobody says that it failed.
    declined: lostLater,
    requires_action: lostLater,
    not_sent: lostLater,
    already_captured: { requires_capture: 'succeeded', processing: 'succeeded' },
    already_paid: lostLater,
    ...lostAllLater,
  },
};

const rows = Object.entries(automatic).flatMap(([verb, arrows]) =>
  Object.entries(arrows).flatMap(([kind, byStatus]) =>
    Object.entries(byStatus).map(([from, to]) => [verb, kind, from, to] as [PaymentVerb, Kind, PaymentStatus, Next]),
  ),
);

describe('a payment after an answer', () => {
  test.each(rows)('%s answered %s: from %s to %s', (verb, kind, from, to) => {
    const loaded = knownOf(from, verb);
    if (to === 'illegal') return void expect(() => settle(loaded, told(kind), now)).toThrow(/cannot/);
    const { payment, attempt, authorization, events } = settle(loaded, told(kind), now);
    const deadline = loaded.attempt.deadline_at.getTime();
    const due = {
      ...{
        succeeded: null,
        failed: verb === 'capture' ? now : null,
        canceled: null,
        requires_action: now + (kind === 'already_paid' ? 2 : 60) * second,
      },
      ...{
        requires_capture: verb === 'authorize' ? now + 7 * day : now + hour / 2,
        processing: deadline + 5 * second,
      },
    }[to];
    const captured = kind === 'already_captured' ? 900 : verb === 'capture' ? 700 : 2000;
    const received = to !== 'succeeded' ? 0 : captured;
    expect(payment).toMatchObject({ status: to, amount_received: received, version: 4, lease_until: null });
    expect(payment.due_at?.getTime() ?? null).toBe(due);
    expect(payment.open_attempt).toBe(isLost(kind, verb) ? loaded.attempt.id : null);
    expect(attempt).toMatchObject({ version: 2, exchange: { response: kind } });
    // A payment that waits for its very first answer was never announced; for later verbs it was.
    const isFirst = verb === 'authorize' && isLost(kind) && loaded.attempt.state === 'open';
    const changes = from !== to || isFirst;
    expect(events.map((event) => event.type)).toEqual(changes ? [`payment.${to}`] : []);
    for (const event of events)
      expect(event).toMatchObject({ objectId: payment.id, objectVersion: 4, object: { status: to } });
    const isGivenBack =
      kind === 'approved' ? verb === 'cancel' || verb === 'reverse' : verb === 'reverse' && kind !== 'already_captured';
    expect(authorization?.state).toBe(isGivenBack && !isLost(kind, verb) ? 'reversed' : undefined);
    expect(payment.canceled_at?.getTime() ?? null).toBe(to === 'canceled' ? now : null);
    expect(payment.failure_code !== null).toBe(to === 'failed');
  });

  test.each([
    ['none', 'requires_capture'],
    ['requires_action', 'requires_capture'],
    ['processing', 'requires_capture'],
    ['requires_capture', 'illegal'],
  ] as const)('with manual capture, authorize answered approved: from %s to %s', (from, to) => {
    const loaded = knownOf(from, 'authorize', { capture_method: 'manual' });
    if (to === 'illegal') return void expect(() => settle(loaded, told('approved'), now)).toThrow(/cannot hold/);
    const { payment, events } = settle(loaded, told('approved'), now);
    expect(payment).toMatchObject({ status: to, amount_received: 0, open_attempt: null });
    expect(payment.due_at!.getTime()).toBe(now + 7 * day);
    expect(payment.expires_at!.getTime()).toBe(now + 7 * day);
    expect(events[0]!.object).toMatchObject({ amount_capturable: 2000, capture_method: 'manual' });
  });

  test('a cancel that is refused during a challenge leads back to the challenge', () => {
    const loaded = knownOf('processing', 'cancel', { next_action: 'https://bank.test/0' });
    const authorization = { ...loaded.authorization!, state: 'challenged' as const };
    const { payment } = settle({ ...loaded, authorization }, told('declined'), now);
    expect(payment).toMatchObject({ status: 'requires_action', next_action: 'https://bank.test/0' });
    expect(payment.expires_at!.getTime()).toBe(now + hour / 2);
    expect(payment.due_at!.getTime()).toBe(now + 60 * second);
  });

  test('a lost authorization does not become reversed', () => {
    const loaded = knownOf('processing', 'reverse');
    const authorization = { ...loaded.authorization!, state: 'lost' as const };
    expect(settle({ ...loaded, authorization }, told('approved'), now).authorization).toBeUndefined();
  });

  test.each(['approved', 'declined', 'requires_action'] as const)(
    'a refund answered %s does not settle a payment',
    (kind) => {
      expect(() => settle(knownOf('processing', 'refund' as PaymentVerb), told(kind), now)).toThrow(/refund/);
    },
  );
});

describe('a payment that is over stays as it is', () => {
  const finals = paymentStatuses.filter(isFinal);
  const verbs: PaymentVerb[] = ['authorize', 'capture', 'cancel', 'reverse'];
  const all = finals.flatMap((from) => verbs.flatMap((verb) => kinds.map((kind) => [from, verb, kind] as const)));
  test.each(all)('%s, and %s answered %s', (from, verb, kind) => {
    const loaded = knownOf(from, verb);
    const { payment, events } = settle(loaded, told(kind), now);
    const { status, amount_received, failure_code, canceled_at } = loaded.payment;
    expect(payment).toMatchObject({ status, amount_received, failure_code, canceled_at });
    expect(events).toEqual([]);
    const isAskedAgain = isLost(kind, verb) || isForeign(kind, verb);
    expect(payment.open_attempt).toBe(isAskedAgain ? loaded.attempt.id : null);
    expect(payment.due_at === null).toBe(!isAskedAgain);
    // Money that nobody gives back, of a payment that did not receive it.
    expect(payment.flagged_at !== null).toBe(kind === 'already_captured');
  });
});

describe('the moves', () => {
  const signals: Signal[] = ['approve', 'hold', 'challenge', 'decline', 'capture', 'cancel', 'reverse', 'lose', 'keep'];
  const pairs = (['none', ...paymentStatuses] as const).flatMap((from) => signals.map((by) => [from, by] as const));
  test.each(pairs)('%s, %s', (from, signal) => {
    const to = (moves[from] as Partial<Record<Signal, PaymentStatus>>)[signal];
    if (to === undefined) expect(() => move(from, signal)).toThrow(`a payment that is ${from} cannot ${signal}`);
    else expect(move(from, signal)).toBe(to);
  });
  test.each(['succeeded', 'failed', 'canceled'] as const)('none leads away from %s', (status) => {
    expect(isFinal(status)).toBe(true);
    expect(moves[status]).toEqual({});
  });
});

describe('an outcome that stays unknown', () => {
  const after = (inquiries: number, at: number) => {
    const loaded = knownOf('processing', 'authorize', { inquiries });
    const attempt = { ...loaded.attempt, state: 'unknown' as AttemptState, deadline_at: new Date(now) };
    return settle({ ...loaded, attempt }, told('unknown'), at);
  };
  const gaps: [number, number][] = [
    ...([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560].map((gap, at) => [at + 1, gap]) as [number, number][]),
    ...([11, 12, 40, 2_000].map((inquiries) => [inquiries, 3_600]) as [number, number][]),
  ];
  test.each(gaps)('after inquiry %i the next comes %i seconds later, without an event', (inquiries, gap) => {
    const { payment, events } = after(inquiries, now + day);
    expect(payment.due_at!.getTime() - now - day).toBe(gap * second);
    expect(events).toEqual([]);
    expect(payment.flagged_at).toBeNull();
  });
  test('after three days, and not a moment before, it is flagged for a person', () => {
    expect(after(80, now + 3 * day - 1).payment).toMatchObject({ flagged_at: null, due_at: expect.any(Date) });
    const { payment, events } = after(80, now + 3 * day);
    const next = new Date(now + 3 * day + hour); // asking goes on all the same
    expect(payment).toMatchObject({ flagged_at: new Date(now + 3 * day), due_at: next, status: 'processing' });
    expect(payment.open_attempt).not.toBeNull();
    expect(events).toEqual([]);
  });
  test.each([
    ['processing', 'unknown'],
    ['processing', 'pending'],
    ['failed', 'unknown'],
    ['failed', 'already_captured'],
  ] as const)('a flag stays until there is an answer: %s, and a reversal answered %s', (status, kind) => {
    const flagged_at = new Date(now - hour);
    const { payment } = settle(knownOf(status, 'reverse', { flagged_at }), told(kind), now);
    expect(payment).toMatchObject({ status, flagged_at });
  });
});

test('whatever answers come in whatever order, the amounts and the slot are consistent', () => {
  const verbs = fc.constantFrom<PaymentVerb>('authorize', 'capture', 'cancel', 'reverse');
  const step = fc.record({ verb: verbs, kind: fc.constantFrom(...kinds), amount: fc.integer({ min: 1, max: 2000 }) });
  const method = fc.constantFrom(null, 'automatic' as const, 'manual' as const);
  const run = (
    capture_method: Payment['capture_method'],
    steps: { verb: PaymentVerb; kind: Kind; amount: number }[],
  ) => {
    let loaded = knownOf('none', 'authorize', { capture_method });
    for (const [at, { verb, kind, amount }] of steps.entries()) {
      const asked = at === 0 ? loaded : { ...knownOf('processing', verb), payment: loaded.payment };
      const before = loaded.payment;
      let settled: ReturnType<typeof settle>;
      try {
        settled = settle({ ...asked, attempt: { ...asked.attempt, amount } }, told(kind), now + at * second);
      } catch {
        continue;
      }
      const { payment } = settled;
      expect(payment.amount_received).toBeGreaterThanOrEqual(before.amount_received);
      expect(payment.amount_received).toBeLessThanOrEqual(payment.amount);
      expect(payment.amount_received > 0).toBe(payment.status === 'succeeded');
      expect(settled.isReceived).toBe(payment.amount_received > before.amount_received);
      const isAskedAgain = isLost(kind, at === 0 ? 'authorize' : verb) || (at > 0 && isForeign(kind, verb));
      if (!isForeign(kind, verb) || isFinal(before.status)) expect(payment.open_attempt !== null).toBe(isAskedAgain);
      expect(payment.version).toBe(before.version + 1);
      if (at > 0 && isFinal(before.status)) expect(payment.status).toBe(before.status);
      loaded = { payment, attempt: settled.attempt };
    }
  };
  fc.assert(fc.property(method, fc.array(step, { minLength: 1, maxLength: 8 }), run));
});
