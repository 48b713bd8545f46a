import type { CheckoutSession, PaymentLink, StatisticsCheckoutTotal } from '@tollgate/node';
import { describe, expect, test } from 'vitest';
import { conversionWords } from '../src/nouns/conversion_words.ts';
import { linkAmount, linkName, sessionAmount, sessionName } from '../src/nouns/sold_words.ts';
import { type SessionFields, sessionParams } from '../src/pages/checkout_sessions/asked_for.ts';
import { storyOfSession } from '../src/pages/checkout_sessions/story.ts';
import { amountTried, newestFirst, type Try, whyFailed } from '../src/pages/checkout_sessions/tried.ts';
import { limitOf, quantityOf, type SoldFields, soldParams } from '../src/pages/payment_links/sold.ts';

const link = (more: object) => more as PaymentLink;
const session = (more: object) => ({ amount_total: 2_000, currency: 'eur', ...more }) as unknown as CheckoutSession;
const beans = { name: 'Beans', unit_amount: 900, currency: 'eur', quantity: 2 };

describe('what is sold', () => {
  test.each<[string, object, string | undefined, string | undefined]>([
    ['an amount', { amount: 1_200, currency: 'eur', description: 'Beans' }, 'Beans', '€12.00'],
    ['an amount without a name', { amount: 1_200, currency: 'jpy' }, undefined, '¥1,200'],
    ['lines', { line_items: [beans, beans] }, '2 × Beans and 1 more', '€36.00'],
    ['a price', { line_items: [{ price: 'price_1' }] }, undefined, undefined],
    [
      'an amount to choose',
      { currency: 'eur', amount_choice: { min: 500, max: 50_000 } },
      undefined,
      '€5.00 to €500.00',
    ],
  ])('%s', (_, sold, name, amount) => expect([linkName(link(sold)), linkAmount(link(sold))]).toEqual([name, amount]));

  test('has the name of its price, where that is known', () => {
    expect(linkName(link({ line_items: [{ price: 'price_1' }] }), 'Gold')).toBe('Gold');
  });

  test('in a session', () => {
    expect(sessionName(session({ line_items: [beans] }))).toBe('2 × Beans');
    expect(sessionName(session({ mode: 'setup' }))).toBe('A card to save');
    expect(sessionAmount(session({}))).toBe('€20.00');
    expect(sessionAmount(session({ currency: undefined }))).toBe('Nothing to pay');
  });
});

describe('a new session', () => {
  const typed: SessionFields = {
    ...{ mode: 'payment', description: ' Beans ', amount: { text: '12', currency: 'eur' }, price: null },
    ...{ trial: '', save: 'none', customer_email: '', reference: '' },
  };
  const paid = { amount: 1_200, currency: 'eur', description: 'Beans' };
  test.each<[Partial<SessionFields>, object | undefined]>([
    [{}, paid],
    [
      { customer_email: ' ada@example.com ', reference: 'A-17' },
      { ...paid, customer_email: 'ada@example.com', reference: 'A-17' },
    ],
    [{ save: 'require' }, { ...paid, save_payment_method: 'require' }],
    [{ amount: { text: '', currency: 'eur' } }, undefined],
    [
      { mode: 'setup', save: 'offer' },
      { mode: 'setup', description: 'Beans' },
    ],
    [{ mode: 'subscription' }, undefined],
    [{ mode: 'subscription', price: 'price_1', trial: 'x' }, undefined],
    [
      { mode: 'subscription', price: 'price_1', save: 'offer' },
      { mode: 'subscription', line_items: [{ price: 'price_1' }] },
    ],
    [
      { mode: 'subscription', price: 'price_1', trial: '14' },
      { mode: 'subscription', line_items: [{ price: 'price_1' }], subscription_data: { trial_days: 14 } },
    ],
  ])('%o', (more, params) => expect(sessionParams({ ...typed, ...more })).toEqual(params));
});

describe('a new link', () => {
  const money = (text: string) => ({ text, currency: 'eur' });
  const typed: SoldFields = {
    kind: 'amount',
    description: ' Beans ',
    amount: money('12'),
    price: null,
    quantity: '1',
    least: money('5'),
    most: { text: '500', currency: 'usd' },
    trial: '',
    save: 'none',
  };
  test.each<[Partial<SoldFields>, object | undefined]>([
    [{}, { amount: 1_200, currency: 'eur', description: 'Beans' }],
    [{ description: '' }, { amount: 1_200, currency: 'eur' }],
    [{ amount: money('0') }, undefined],
    [{ amount: money('x') }, undefined],
    [{ kind: 'price' }, undefined],
    [{ kind: 'price', price: 'price_1', quantity: '3' }, { line_items: [{ price: 'price_1', quantity: 3 }] }],
    [{ kind: 'price', price: 'price_1', quantity: '1000' }, undefined],
    [{ save: 'offer' }, { amount: 1_200, currency: 'eur', description: 'Beans', save_payment_method: 'offer' }],
    [
      { kind: 'setup', save: 'offer', trial: '7' },
      { mode: 'setup', description: 'Beans' },
    ],
    [{ kind: 'subscription', price: 'price_1', trial: '731' }, undefined],
    [
      { kind: 'subscription', price: 'price_1', trial: '14', save: 'require' },
      { mode: 'subscription', line_items: [{ price: 'price_1', quantity: 1 }], subscription_data: { trial_days: 14 } },
    ],
    [{ kind: 'subscription' }, undefined],
    [
      { kind: 'subscription', price: 'price_1', quantity: '3' },
      { mode: 'subscription', line_items: [{ price: 'price_1', quantity: 3 }] },
    ],
    // The currency is that of the first amount.
    [{ kind: 'choice' }, { currency: 'eur', description: 'Beans', amount_choice: { min: 500, max: 50_000 } }],
    [{ kind: 'choice', most: money('4') }, undefined],
  ])('%j sends %j', (changed, params) => expect(soldParams({ ...typed, ...changed })).toEqual(params));

  test('counts from one', () => {
    expect(['1', '999', '0', '1000', '1.5', '-1', ''].map(quantityOf)).toEqual([1, 999, ...Array(5).fill(undefined)]);
    expect(['1', '1000000', '0', '1000001'].map(limitOf)).toEqual([1, 1_000_000, undefined, undefined]);
  });
});

test.each([
  [{ status: 'open', payment_status: 'unpaid' }, 'can pay it'],
  [{ status: 'processing', payment_status: 'unpaid' }, 'under way'],
  [{ status: 'complete', payment_status: 'paid' }, 'has paid'],
  [{ status: 'complete', payment_status: 'paid', late: true }, 'after the session had expired'],
  [
    { status: 'complete', mode: 'setup', payment_status: 'no_payment_required', late: true },
    'The card is saved, and can be charged without the customer. This came after the session had expired.',
  ],
  [{ status: 'complete', payment_status: 'authorized' }, 'capture the payment'],
  [{ status: 'expired', payment_status: 'unpaid', expired_reason: 'too_many_attempts' }, 'Too many tries'],
])('the story of a session: %j', (facts, words) => expect(storyOfSession(session(facts))).toContain(words));

describe('how many sessions were completed', () => {
  const row = { created: 12, under_way: 1, completed: 8, expired: 3, conversion_rate: 0.7273, amount: 9_600 };
  const none = { created: 0, under_way: 0, completed: 0, expired: 0, amount: 0 };
  test.each<[string, StatisticsCheckoutTotal[], string | undefined]>([
    [
      'one currency',
      [{ currency: 'eur', ...row }],
      '12 sessions, 8 completed for €96.00, 3 expired. 72.7% of those that are over were completed.',
    ],
    [
      'several, and none',
      [
        { currency: 'eur', ...row },
        { currency: 'usd', ...row, amount: 100 },
        { ...none, created: 1, completed: 1 },
      ],
      '25 sessions, 17 completed for €96.00 + $1.00, 6 expired. 73.9% of those that are over were completed.',
    ],
    ['nothing over', [{ currency: 'eur', ...none, created: 1, under_way: 1 }], '1 session, 0 completed, 0 expired.'],
    ['nothing', [], undefined],
  ])('%s', (_, totals, words) => expect(conversionWords(totals)).toBe(words));
});

describe('a try of a session', () => {
  const payment = { object: 'payment', amount: 1_200, currency: 'eur' };
  const setup = { object: 'setup' };
  const tried = (more: object) => more as Try;

  test.each<[string, object, string, string | undefined]>([
    ['a payment', payment, '€12.00', undefined],
    ['a setup', setup, 'No charge', undefined],
    [
      'that was declined',
      { ...payment, failure_code: 'card_declined', failure_decline_code: 'insufficient_funds' },
      '€12.00',
      'There was not enough money on the card',
    ],
    ['without the reason of a bank', { ...setup, failure_code: 'expired_card' }, 'No charge', 'The card has expired'],
  ])('%s', (_, one, amount, reason) =>
    expect([amountTried(tried(one)), whyFailed(tried(one))]).toEqual([amount, reason]),
  );

  test('is above those before it, of either kind', () => {
    const ids = ['set_0Vb00001', 'py_0Vb00003', 'set_0Vb0000a', 'py_0Vb0000B'];
    const sorted = newestFirst(ids.map((id) => tried({ id })));
    expect(sorted.map(({ id }) => id)).toEqual(['set_0Vb0000a', 'py_0Vb0000B', 'py_0Vb00003', 'set_0Vb00001']);
  });
});
