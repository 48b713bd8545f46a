import type { BalanceParts, Payment, Reconciliation, Refund } from '@tollgate/node';
import { expect, test } from 'vitest';
import { evidenceFields } from '../src/generated/catalog.ts';
import { changedFields } from '../src/kit/changed_fields.ts';
import { describeUpdate, pairsProblem } from '../src/kit/metadata_change.ts';
import { expiryOf, methodWords, otherFacts } from '../src/nouns/payment_method_words.ts';
import { belowZeroWords, movementsOf } from '../src/pages/balance/explanation_words.ts';
import { disputeWords, owedWords, spentWords } from '../src/pages/customers/figure_words.ts';
import {
  countAfter,
  evidenceGroups,
  evidencePatch,
  evidenceTitle,
  openGroups,
  timeLeft,
} from '../src/pages/disputes/evidence.ts';
import { storyOfPayment } from '../src/pages/payments/story.ts';
import { paidOut, storyOf } from '../src/pages/reconciliations/words.ts';
import { storyOfRefund } from '../src/pages/refunds/story.ts';

test('the figures of a customer have their words', () => {
  const spent = [{ currency: 'gbp', amount: 12_400, received: 12_900, refunded: 500 }];
  expect(spentWords({ spent, payments: { succeeded: 12, failed: 0 } })).toBe('In 12 payments, £5.00 refunded');
  const once = [{ currency: 'jpy', amount: 900, received: 900, refunded: 0 }];
  expect(spentWords({ spent: once, payments: { succeeded: 1, failed: 2 } })).toBe('In 1 payment');
  expect(spentWords({ spent: [], payments: { succeeded: 0, failed: 2 } })).toBeUndefined();
  const owed = { currency: 'eur', amount: 2_900, invoices: 1, failed: 0 };
  expect(owedWords([])).toBeUndefined();
  expect(owedWords([owed])).toEqual({ words: '1 open invoice', isBad: false });
  expect(owedWords([owed, { ...owed, invoices: 2, failed: 1 }])).toEqual({
    words: '3 open invoices, 1 charge failed',
    isBad: true,
  });
  expect(disputeWords({ open: 1, won: 0, lost: 2 })).toEqual({ words: '1 open, 2 lost', isBad: true, count: 3 });
});

test('every field of the evidence has its place in one group', () => {
  expect(evidenceGroups.flatMap(({ fields }) => fields).sort()).toEqual(Object.keys(evidenceFields).sort());
});

test('no field of the evidence is called by a name of the API', () => {
  const titles = Object.keys(evidenceFields).map(evidenceTitle);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toEqual(expect.arrayContaining(['Explanation', 'Customer purchase IP', 'Duplicate charge ID']));
  expect(titles.join()).not.toMatch(/_|ncategorized/);
});

test('evidence is sent as what has changed', () => {
  const before = { customer_name: 'Ada', receipt: 'No. 1' };
  expect(evidencePatch(before, { customer_name: 'Ada ', receipt: 'No. 1' })).toBeUndefined();
  const patch = evidencePatch(before, { customer_name: '', receipt: 'No. 1', service_date: ' today ' });
  expect(patch).toEqual({ customer_name: null, service_date: 'today' });
  expect(countAfter(before, patch)).toBe(2);
  expect(openGroups('product_not_received', { refund_policy: 'x' })).toEqual(['words', 'shipping', 'terms']);
});

test.each([
  [0, 'past due'],
  [30, '1 minute left'],
  [119 * 60, '119 minutes left'],
  [47 * 3_600, '47 hours left'],
  [7 * 86_400 - 1, '6 days left'],
])('%i seconds before the end: %s', (seconds, words) => expect(timeLeft(1_000 + seconds, 1_000)).toBe(words));

const pair = (key: string, value: string) => ({ id: key + value, key, value });

test('metadata cannot have a key twice, or a value without one', () => {
  expect(pairsProblem([pair('order', '4711'), pair('', '')])).toBeUndefined();
  expect(pairsProblem([pair('order', '4711'), pair('order', 'x')])).toBe('The key order is used twice.');
  expect(pairsProblem([pair('', 'x')])).toBe('Enter a key for each value.');
});

test('texts are sent if they have changed, and null if they are removed', () => {
  const changed = changedFields({ name: 'Ada', email: 'a@b.c' }, { name: ' Ada', email: '', phone: '1' } as never);
  expect(changed).toEqual({ email: null, phone: '1' });
});

test('an edit sends what has changed, names it, and is not sent while there is nothing to send', () => {
  const before = { order: '4711', plan: 'gold' };
  const same = [pair('order', '4711'), pair('plan', 'gold'), pair('', '')];
  expect(describeUpdate({}, before, same)).toEqual({ params: undefined, sentences: ['No changes yet.'] });
  const changes = { name: null, card: { exp_year: 2040 } };
  expect(describeUpdate(changes, before, [pair('order', '4712')])).toEqual({
    params: { ...changes, metadata: { order: '4712', plan: null } },
    sentences: ['“name” is removed.', '“exp_year” becomes “2040”.', '“plan” is removed.', '“order” becomes “4712”.'],
  });
  expect(describeUpdate(changes, undefined, []).params).toEqual(changes);
  expect(describeUpdate(changes, before, [...same, pair('order', 'x')]).params).toBeUndefined();
});

test('a payment method is called by its brand and last digits, and one of a new kind by what it has of them', () => {
  const card = { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2034 } };
  expect([methodWords(card), expiryOf(card), otherFacts(card)]).toEqual(['Visa •••• 4242', '04/2034', []]);
  const voucher = { type: 'gift_voucher', gift_voucher: { issuer: 'bakery', last4: '0042' } };
  const issued = [['Issuer', 'bakery']];
  expect([methodWords(voucher), expiryOf(voucher), otherFacts(voucher)]).toEqual([
    'Gift voucher •••• 0042',
    undefined,
    issued,
  ]);
  const transfer = { type: 'bank_transfer' };
  expect([methodWords(transfer), expiryOf(transfer), otherFacts(transfer)]).toEqual(['Bank transfer', undefined, []]);
});

const names = { method: 'Visa •••• 4242', customer: 'Ada' };

const paid: Payment = {
  id: 'py_1',
  object: 'payment',
  amount: 2000,
  amount_received: 2000,
  currency: 'eur',
  payment_method: 'pm_1',
  status: 'succeeded',
  created: 1,
};

test.each<[more: Partial<Payment>, story: string]>([
  [{}, 'Paid with Visa •••• 4242 by Ada, captured immediately.'],
  [{ amount_refunded: 500 }, 'Paid with Visa •••• 4242 by Ada, captured immediately. €5.00 was refunded.'],
  [{ amount_refunded: 2000 }, 'Paid with Visa •••• 4242 by Ada, captured immediately. Refunded in full.'],
  [{ capture_method: 'manual' }, 'Paid with Visa •••• 4242 by Ada, captured later.'],
  [
    { capture_method: 'manual', amount_received: 1500 },
    'Paid with Visa •••• 4242 by Ada, of which €15.00 was captured.',
  ],
  [{ captured_elsewhere: true }, 'Paid with Visa •••• 4242 by Ada, captured at the processor.'],
  [
    { status: 'requires_capture', amount_received: 0, capture_method: 'manual' },
    'Authorized with Visa •••• 4242 by Ada, and not captured yet.',
  ],
  [
    { status: 'requires_action', amount_received: 0 },
    'Started with Visa •••• 4242 by Ada, and waiting for the customer to authenticate.',
  ],
  [
    { status: 'processing', amount_received: 0 },
    'Sent to the processor with Visa •••• 4242 by Ada, whose answer is not known yet.',
  ],
  [
    { status: 'failed', amount_received: 0, failure_code: 'card_declined', failure_decline_code: 'insufficient_funds' },
    'Attempted with Visa •••• 4242 by Ada, and declined: insufficient funds.',
  ],
  [
    { status: 'failed', amount_received: 0, failure_code: 'expired_card', off_session: true },
    'Attempted with Visa •••• 4242 by Ada, while the customer was not present, and failed: expired card.',
  ],
  [{ status: 'failed', amount_received: 0 }, 'Attempted with Visa •••• 4242 by Ada, and failed.'],
  [
    { status: 'canceled', amount_received: 0, cancellation_reason: 'requested_by_customer' },
    'Started with Visa •••• 4242 by Ada, and canceled before it was paid. Reason: requested by customer.',
  ],
])('a payment %o reads: %s', (more, story) => expect(storyOfPayment({ ...paid, ...more }, names)).toBe(story));

test('what is not known is left out of the story of a payment', () => {
  expect(storyOfPayment(paid, {})).toBe('Paid, captured immediately.');
});

test.each<[more: Partial<Refund>, story: string]>([
  [{}, 'Sent back to Visa •••• 4242 of Ada. The bank has accepted it; it can still be returned.'],
  [
    { status: 'pending', reason: 'duplicate' },
    'On its way back to Visa •••• 4242 of Ada. The processor has not confirmed it yet. Reason: duplicate.',
  ],
  [
    { status: 'failed', failure_reason: 'lost_or_stolen_card' },
    'Could not be sent back to Visa •••• 4242 of Ada: lost or stolen card. The money is back in your balance.',
  ],
])('a refund %o reads: %s', (more, story) => {
  const refund: Refund = {
    id: 're_1',
    object: 'refund',
    amount: 500,
    currency: 'eur',
    payment: 'py_1',
    status: 'succeeded',
    created: 1,
  };
  expect(storyOfRefund({ ...refund, ...more }, names)).toBe(story);
});

const noon = Date.UTC(2026, 10, 20) / 1_000;
const parts = (more: Partial<BalanceParts>): BalanceParts => ({
  currency: 'eur',
  available: -5_000,
  opening: 0,
  payments: 0,
  fees: 0,
  refunds: 0,
  disputes: 0,
  pending: 0,
  disputed: 0,
  upcoming: [],
  ...more,
});
const upcoming = [
  { available_on: noon, amount: 4_000, available_after: -1_000 },
  { available_on: noon + 86_400, amount: 3_000, available_after: 2_000 },
];

test.each<[what: string, given: Partial<BalanceParts>, title: RegExp, words: RegExp]>([
  [
    'pending payments cover it',
    { refunds: -4_000, disputes: -1_000, pending: 7_000, upcoming, covered_on: noon + 86_400 },
    /^EUR is below zero until .*21/,
    /€40\.00 in refunds and €10\.00 in disputes were deducted\. €70\.00 is pending\. On .*21.*, €20\.00 will be available/,
  ],
  [
    'they do not',
    { disputes: -5_000, pending: 4_000, upcoming: upcoming.slice(0, 1) },
    /^EUR: refunds and disputes exceed your payments$/,
    /€50\.00 in disputes was deducted\. €40\.00 is pending, and does not cover it: €10\.00 would still be missing\.$/,
  ],
  ['nothing has moved for a month', { opening: -5_000 }, /exceed/, /below zero 30 days ago.* No payment is pending/],
])('a balance below zero says why: %s', (_, given, title, words) => {
  const said = belowZeroWords(parts(given));
  expect(said.title).toMatch(title);
  expect(said.sentences.join(' ')).toMatch(words);
});

test('the movements of a balance begin with what was there, and leave out what is zero', () => {
  const moved = movementsOf(parts({ opening: 700, payments: 900, refunds: -50 }), noon);
  expect(moved.map(([, amount]) => amount)).toEqual([700, 900, -50]);
  expect(moved[0]![0]).toMatch(/^Available on .*20/);
});

const compared: Reconciliation = {
  id: 'recon_1',
  object: 'reconciliation',
  date: '2026-11-17',
  connector: 'stripe',
  status: 'matched',
  matched: 41,
  matched_on_another_day: 1,
  differences: 0,
  open_differences: 0,
  totals: [
    { currency: 'eur', fees: 1, net: 2, paid_out: 96_210 },
    { currency: 'jpy', fees: 1, net: 2, paid_out: -500 },
    { currency: 'usd', fees: 1, net: 2, paid_out: 0 },
  ],
  compared_at: 1,
  created: 1,
};

test('a day that was compared says what was found, and what was paid out', () => {
  expect(storyOf(compared)).toBe('41 lines agree, 1 of them on another day. There are no differences.');
  const [some, none] = [
    { ...compared, matched: 1, matched_on_another_day: 0, differences: 3, open_differences: 1 },
    { ...compared, totals: compared.totals.slice(2) },
  ];
  expect(storyOf(some)).toBe('1 line agrees. 3 differences were found: 1 is not accepted yet.');
  expect(storyOf({ ...some, open_differences: 0 })).toMatch(/3 differences were found: all are accepted\.$/);
  expect(paidOut(compared)).toBe('€962.10, -¥500');
  expect(paidOut(none)).toBeUndefined();
});
