import { describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { type Attempt, newAttempt } from '../attempts/attempt.ts';
import { type LoadedSetup, settleSetup } from './settle.ts';
import { moveSetup, type Setup, type SetupStatus, setupMoves, setupStatuses } from './setup.ts';

const now = Date.UTC(2026, 5, 1);
const tenant = 1 as Tenant;

const attemptOf = (verb: Attempt['verb'], state: Attempt['state'] = 'open'): Attempt => {
  const facts = { tenant, setup: newId('set', now), verb, amount: null, connector: 'simulator' } as const;
  const made = newAttempt({ ...facts, processor_account: null, request_id: null }, now - 60_000, now - 50_000);
  return { ...made, version: 1, state };
};

const base: Setup = {
  ...{ tenant, id: newId('set', now), version: 2, payment_method: newId('pm', now), customer: null },
  ...{
    subscription: null,
    checkout_session: null,
    status: 'processing',
    declines_challenge: null,
    return_url: null,
    metadata: null,
  },
  ...{ next_action: null, failure_code: null, failure_decline_code: null, failure_message: null },
  ...{ new_customer: null, cancellation_reason: null },
  ...{ setup_attempt: null, open_attempt: null, inquiries: 0, flagged_at: null, expires_at: null },
  ...{ test_clock: null, created_at: null, due_at: new Date(now), lease_until: new Date(now) },
};

function loadedOf(status: SetupStatus, verb: 'setup' | 'cancel' | 'reverse'): LoadedSetup {
  const attempt = attemptOf(verb);
  if (verb === 'setup') return { setup: { ...base, status, open_attempt: attempt.id }, attempt };
  const canceled = attemptOf('setup', verb === 'cancel' ? 'challenged' : 'lost');
  const waits = { next_action: 'https://bank.test/1', expires_at: new Date(now + 1_000) };
  return {
    setup: { ...base, ...waits, status, open_attempt: attempt.id, setup_attempt: canceled.id },
    attempt,
    canceled,
  };
}

const approved: InquiryOutcome = { kind: 'approved', networkTransactionId: '123' };
const declined: InquiryOutcome = { kind: 'declined', code: 'card_declined', declineCode: 'lost_card', advice: 'never' };
const challenge: InquiryOutcome = { kind: 'requires_action', url: 'https://bank.test/2' };
const pending: InquiryOutcome = { kind: 'pending' };
const unknown: InquiryOutcome = { kind: 'unknown', reason: 'no answer' };
const notSent: InquiryOutcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };

const settle = (loaded: LoadedSetup, outcome: InquiryOutcome) => settleSetup(loaded, { outcome, exchange: {} }, now);

test('statuses that are final have no moves, and an illegal move throws', () => {
  for (const status of ['succeeded', 'failed', 'canceled'] as const) expect(setupMoves[status]).toEqual({});
  expect(() => moveSetup('succeeded', 'decline')).toThrow('cannot decline');
});

test.each([
  ['setup', approved, 'succeeded', ['setup.succeeded']],
  ['setup', declined, 'failed', ['setup.failed']],
  ['setup', notSent, 'failed', ['setup.failed']],
  ['setup', challenge, 'requires_action', ['setup.requires_action']],
  ['setup', pending, 'processing', []],
  ['setup', unknown, 'processing', []],
  ['cancel', approved, 'canceled', ['setup.canceled']],
  ['cancel', declined, 'requires_action', ['setup.requires_action']],
  ['cancel', unknown, 'processing', []],
  ['reverse', approved, 'failed', ['setup.failed']],
  ['reverse', unknown, 'processing', []],
] as const)('the answer to a %s, %o, makes a setup that is processing %s', (verb, outcome, status, events) => {
  const settled = settle(loadedOf('processing', verb), outcome)!;
  expect(settled.setup.status).toBe(status);
  expect(settled.events.map(({ type }) => type)).toEqual(events);
  expect(settled.setup.open_attempt === null).toBe(status !== 'processing');
  expect(settled.setup.due_at === null).toBe(['succeeded', 'failed', 'canceled'].includes(status));
  expect((status === 'failed') === (settled.setup.failure_code !== null)).toBe(true);
});

test('only the first answer to a setup is the first news of it', () => {
  const firstOf = (loaded: LoadedSetup) => settle(loaded, unknown)!.isFirst;
  const asked = loadedOf('processing', 'setup');
  expect(firstOf(asked)).toBe(true);
  expect(firstOf({ ...asked, attempt: { ...asked.attempt, state: 'unknown' } })).toBe(false);
  expect(firstOf({ ...asked, setup: { ...asked.setup, setup_attempt: newId('att', now) } })).toBe(false); // passed on
  for (const verb of ['cancel', 'reverse'] as const) expect(firstOf(loadedOf('processing', verb))).toBe(false);
});

test('a refused cancel leaves a setup waiting, and sends no event', () => {
  const settled = settle(loadedOf('requires_action', 'cancel'), declined)!;
  expect([settled.setup.status, settled.events, settled.setup.open_attempt]).toEqual(['requires_action', [], null]);
  expect(settled.setup.next_action).toBe('https://bank.test/1');
});

test('an answer to a setup that is over changes nothing', () => {
  for (const status of setupStatuses.filter((one) => !['requires_action', 'processing'].includes(one)))
    expect(settle(loadedOf(status, 'setup'), approved)).toBeUndefined();
});

test('a setup that was taken for lost, and cannot be canceled any more, is asked about again', () => {
  const loaded = loadedOf('processing', 'reverse');
  const settled = settle(loaded, declined)!;
  expect(settled.setup).toMatchObject({ status: 'processing', open_attempt: loaded.canceled!.id });
  expect(settled.canceled).toMatchObject({ id: loaded.canceled!.id, state: 'unknown', finished_at: null });
  expect([settled.attempt.state, settled.events]).toEqual(['declined', []]);
});

describe('what the attempt keeps', () => {
  test('the network transaction id, by which later charges are made', () => {
    expect(settle(loadedOf('processing', 'setup'), approved)!.attempt.network_transaction_id).toBe('123');
  });

  test('a canceled setup is marked as undone', () => {
    expect(settle(loadedOf('requires_action', 'cancel'), approved)!.canceled!.state).toBe('reversed');
  });
});
