import { describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { type Attempt, newAttempt } from '../attempts/attempt.ts';
import type { DisputeVerb } from './calls.ts';
import { type Dispute, type DisputeStatus, disputeStatuses, isOver, moveDispute } from './dispute.ts';
import { closeDispute, settleDispute } from './settle.ts';
import { disputeTopic } from './topic.ts';

const now = Date.UTC(2026, 10, 15, 12);
const second = 1_000;
const day = 86_400 * second;
const tenant = 1 as Tenant;

function attemptOf(verb: DisputeVerb, deadline = now - 5 * second): Attempt {
  const facts = { tenant, payment: newId('py', now), dispute: newId('dp', now), verb, amount: null } as const;
  return {
    ...newAttempt({ ...facts, connector: 'simulator', processor_account: null, request_id: 'req' }, now, deadline),
    version: 1,
  };
}

function disputeOf(status: DisputeStatus, attempt: Attempt | undefined, facts: Partial<Dispute> = {}): Dispute {
  return {
    ...{ tenant, id: attempt?.dispute ?? newId('dp', now), version: 4, payment: newId('py', now), status },
    ...{ amount: 2000, currency: 'usd', reason: 'fraudulent', evidence: { receipt: 'x' }, due_by: new Date(now + day) },
    ...{
      submission_count: status === 'under_review' ? 1 : 0,
      connector: 'simulator',
      processor_account: null,
      reference: 'sim_dp_1',
    },
    ...{ metadata: null, review: null, test_clock: null, created_at: null },
    ...{ open_attempt: attempt?.id ?? null, inquiries: 1, flagged_at: null, due_at: new Date(now) },
    lease_until: new Date(now),
    ...facts,
  };
}

const outcomes = {
  approved: { kind: 'approved', reference: 'ref' },
  declined: { kind: 'declined', code: 'processing_error', declineCode: 'unknown_dispute' },
  requires_action: { kind: 'requires_action', url: 'https://bank.test/1' },
  pending: { kind: 'pending', reference: 'ref' },
  not_sent: { kind: 'not_sent', reason: 'no connection' },
  unknown: { kind: 'unknown', reason: 'no answer' },
  not_found: { kind: 'not_found' },
} as const satisfies Record<Exclude<InquiryOutcome['kind'], 'already_captured' | 'already_paid'>, InquiryOutcome>;
const kinds = Object.keys(outcomes) as (keyof typeof outcomes)[];
const awaited: readonly string[] = ['requires_action', 'pending', 'unknown'];

test('these are all the legal moves', () => {
  const table = disputeStatuses.flatMap((from) =>
    (['submit', 'concede', 'win', 'lose'] as const).map((signal) => `${from} ${signal} ${moveDispute(from, signal)}`),
  );
  expect(table).toEqual([
    'needs_response submit under_review',
    'needs_response concede lost',
    'needs_response win won',
    'needs_response lose lost',
    'under_review submit under_review',
    'under_review concede lost',
    'under_review win won',
    'under_review lose lost',
    ...['submit', 'concede', 'win', 'lose'].map((signal) => `won ${signal} undefined`),
    ...['submit', 'concede', 'win', 'lose'].map((signal) => `lost ${signal} undefined`),
  ]);
});

describe.each(disputeStatuses)('a dispute that is %s', (status) => {
  describe.each(['contest', 'concede'] as const)('whose %s', (verb) => {
    test.each(kinds)('is %s', (kind) => {
      const attempt = attemptOf(verb);
      const before = disputeOf(status, attempt);
      const after = settleDispute({ dispute: before, attempt }, { outcome: outcomes[kind], exchange: {} }, now);
      const { dispute, movements, events } = after;
      expect([dispute.version, dispute.lease_until, after.attempt.version]).toEqual([5, null, 2]);
      if (awaited.includes(kind)) {
        expect(dispute).toEqual({ ...before, version: 5, due_at: new Date(now + 5 * second), lease_until: null });
        expect([movements, events]).toEqual([[], []]);
        return;
      }
      expect([dispute.open_attempt, dispute.due_at, dispute.inquiries]).toEqual([null, null, 0]);
      const isTaken = kind === 'approved';
      const signal = verb === 'contest' ? 'submit' : 'concede';
      expect(dispute.status).toBe((isTaken && moveDispute(status, signal)) || status);
      const counted = isTaken && verb === 'contest' ? 1 : 0;
      expect(dispute.submission_count - before.submission_count).toBe(counted);
      const ends = isOver(dispute.status) && !isOver(status);
      expect(movements.map((one) => one.kind)).toEqual(ends ? ['dispute_lost'] : []);
      expect(events.map((one) => one.type)).toEqual(ends ? ['dispute.closed'] : counted ? ['dispute.updated'] : []);
    });
  });

  test.each(['won', 'lost'] as const)('and is reported as %s', (result) => {
    const attempt = attemptOf('contest');
    const before = disputeOf(status, attempt);
    const closed = closeDispute(before, result);
    if (isOver(status)) return expect(closed).toBeUndefined();
    // What is at the processor stays there: its answer will free the slot.
    expect(closed!.dispute).toEqual({ ...before, version: 5, status: result, lease_until: null });
    expect(closed!.movements).toEqual([
      {
        ...{ kind: result === 'won' ? 'dispute_reversal' : 'dispute_lost', source: before.id, payment: before.payment },
        ...{ reference: 'sim_dp_1', money: { amount: 2000, currency: 'usd' } },
      },
    ]);
    expect(closed!.events.map((one) => one.type)).toEqual(['dispute.closed']);
  });
});

test('after fourteen days without a final answer the dispute is flagged, once, and inquiries go on', () => {
  const attempt = attemptOf('contest', now - 14 * day);
  const loaded = { dispute: disputeOf('needs_response', attempt, { inquiries: 40 }), attempt };
  const answer = { outcome: outcomes.unknown, exchange: {} };
  const first = settleDispute(loaded, answer, now);
  expect([first.dispute.flagged_at, first.dispute.due_at]).toEqual([new Date(now), new Date(now + 3_600 * second)]);
  const second_ = settleDispute({ ...loaded, dispute: first.dispute }, answer, now + day);
  expect(second_.dispute.flagged_at).toEqual(new Date(now));
  const end = settleDispute({ ...loaded, dispute: second_.dispute }, { outcome: outcomes.approved, exchange: {} }, now);
  expect(end.dispute.flagged_at).toBeNull();
  const early = { dispute: loaded.dispute, attempt: attemptOf('contest', now - 14 * day + 1) };
  expect(settleDispute(early, answer, now).dispute.flagged_at).toBeNull();
});

test('the event has everything that this transaction changed, and nothing else', () => {
  const attempt = attemptOf('contest');
  const stored = disputeOf('needs_response', undefined, { evidence: { receipt: 'old', service_date: 'May' } });
  const dispute = { ...stored, evidence: { receipt: 'new', service_date: 'May' } };
  const { events } = settleDispute({ dispute, attempt, stored }, { outcome: outcomes.approved, exchange: {} }, now);
  expect(events.map((event) => event.previous)).toEqual([
    { status: 'needs_response', evidence: { receipt: 'old' }, evidence_details: { submission_count: 0 } },
  ]);
});

test.each([
  ['customer_name_too_long', { status: 400, code: 'parameter_invalid', param: 'evidence.customer_name' }],
  ['evidence_late', { status: 400, code: 'evidence_past_due', param: 'evidence' }],
  ['dispute_closed', { status: 400, code: 'dispute_closed', param: 'id' }],
  ['dispute_evidence_page_limit_exceeded', { status: 402, code: 'processing_error' }],
])('evidence that the processor refuses as %s is answered so', (decline_code, expected) => {
  const attempt: Attempt = { ...attemptOf('contest'), state: 'declined', decline_code };
  expect(disputeTopic.answer({ dispute: disputeOf('needs_response', attempt), attempt })).toMatchObject({
    error: expected,
  });
});
