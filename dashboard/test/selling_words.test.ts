import type { CheckoutSession } from '@tollgate/node';
import { expect, test } from 'vitest';
import { sessionAmount, sessionName } from '../src/nouns/sold_words.ts';
import { storyOfSession } from '../src/pages/checkout_sessions/story.ts';

const session = (more: object) => ({ amount_total: 2_000, currency: 'eur', ...more }) as unknown as CheckoutSession;
const beans = { name: 'Beans', unit_amount: 900, currency: 'eur', quantity: 2 };

test('what is sold in a session', () => {
  expect(sessionName(session({ line_items: [beans] }))).toBe('2 × Beans');
  expect(sessionName(session({ line_items: [beans, beans] }))).toBe('2 × Beans and 1 more');
  expect(sessionName(session({ description: 'Coffee' }))).toBe('Coffee');
  expect(sessionAmount(session({}))).toBe('€20.00');
  expect(sessionAmount(session({ currency: undefined }))).toBe('Nothing to pay');
});

test.each([
  [{ status: 'open', payment_status: 'unpaid' }, 'can pay it'],
  [{ status: 'processing', payment_status: 'unpaid' }, 'under way'],
  [{ status: 'complete', payment_status: 'paid' }, 'has paid'],
  [{ status: 'complete', payment_status: 'paid', late: true }, 'after the session had expired'],
  [{ status: 'complete', payment_status: 'authorized' }, 'capture the payment'],
  [{ status: 'expired', payment_status: 'unpaid', expired_reason: 'too_many_attempts' }, 'Too many tries'],
])('the story of a session: %j', (facts, words) => expect(storyOfSession(session(facts))).toContain(words));
