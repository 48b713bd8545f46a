import { expect, test } from 'vitest';
import { evidenceFields } from '../src/generated/catalog.ts';
import { changedFields } from '../src/kit/changed_fields.ts';
import { describeUpdate, pairsProblem } from '../src/kit/metadata_change.ts';
import { expiryOf, methodWords, otherFacts } from '../src/nouns/payment_method_words.ts';
import {
  countAfter,
  evidenceGroups,
  evidencePatch,
  evidenceTitle,
  openGroups,
  timeLeft,
} from '../src/pages/disputes/evidence.ts';

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
