import type { Coupon, Invoice, Price, Subscription, UpcomingInvoice } from '@tollgate/node';
import { describe, expect, test } from 'vitest';
import { columnTitle } from '../src/kit/export_words.ts';
import { metadataChange } from '../src/kit/metadata_change.ts';
import { couponWords, itemsWords, periodCost, priceWords } from '../src/nouns/price_words.ts';
import { couponParams, percentOf } from '../src/pages/coupons/coupon_input.ts';
import { type LineRow, newItemsOf as linesOf } from '../src/pages/invoices/lines.ts';
import { storyOfInvoice } from '../src/pages/invoices/story.ts';
import { changesOf, invoicedAt, newItemsOf, prorated, quantityOf, rowsOf } from '../src/pages/subscriptions/items.ts';
import { storyOfSubscription } from '../src/pages/subscriptions/story.ts';

const price = (id: string, unit_amount: number, interval_count = 1): Price => ({
  id,
  object: 'price',
  active: true,
  currency: 'eur',
  unit_amount,
  product_name: id,
  created: 1,
  recurring: { interval: 'month', interval_count },
});
const coupon = (more: Partial<Coupon>): Coupon => ({
  id: 'coupon_1',
  object: 'coupon',
  duration: 'once',
  created: 1,
  ...more,
});

describe('words', () => {
  const prices = new Map([price('Seat', 3000), price('Gold', 14900)].map((one) => [one.id, one]));

  test('of prices and coupons', () => {
    expect(priceWords(price('Seat', 3000))).toBe('Seat, €30.00 per month');
    expect(priceWords(price('Seat', 3000, 3))).toBe('Seat, €30.00 every 3 months');
    expect(couponWords(coupon({ percent_off: 33.33 }))).toBe('33.33% off once');
    const amount = { amount_off: 500, currency: 'eur', duration: 'repeating', duration_in_months: 6 } as const;
    expect(couponWords(coupon({ ...amount, name: 'Loyal' }))).toBe('Loyal: €5.00 off for 6 months');
  });

  test('of items, once all their prices are known', () => {
    const items = [
      { price: 'Seat', quantity: 2 },
      { price: 'Gold', quantity: 1 },
    ];
    expect(itemsWords(items, prices)).toBe('2 × Seat and 1 more');
    expect(itemsWords(items.slice(1), prices)).toBe('Gold');
    expect(periodCost(items, prices)).toBe('€209.00 per month');
    expect(itemsWords(items, new Map())).toBeUndefined();
    expect(periodCost([...items, { price: 'Other', quantity: 1 }], prices)).toBeUndefined();
  });
});

describe('items in a form', () => {
  const before = [
    { id: 'si_1', price: 'Seat', quantity: 2 },
    { id: 'si_2', price: 'Gold', quantity: 1 },
  ];
  const [seat, gold] = rowsOf(before) as [ReturnType<typeof rowsOf>[0], ReturnType<typeof rowsOf>[0]];

  test('only what differs is sent', () => {
    const added = { key: 'new', price: 'Backup', quantity: '4' };
    expect(changesOf(before, [seat, gold])).toEqual([]);
    expect(changesOf(before, [{ ...seat, quantity: '3' }, gold])).toEqual([{ id: 'si_1', quantity: 3 }]);
    expect(changesOf(before, [{ ...seat, price: 'Gold' }, added])).toEqual([
      { id: 'si_1', price: 'Gold' },
      { price: 'Backup', quantity: 4 },
      { id: 'si_2', deleted: true },
    ]);
  });

  test('what is not whole cannot be sent', () => {
    expect(changesOf(before, [seat, { ...gold, quantity: '' }])).toBeUndefined();
    expect(changesOf(before, [])).toBeUndefined();
    expect(newItemsOf([{ key: 'new', price: null, quantity: '1' }])).toBeUndefined();
    for (const text of ['-1', '1.5', '1000001', 'x']) expect(quantityOf(text), text).toBeUndefined();
    expect([quantityOf('0'), quantityOf(' 12 '), quantityOf('1000000')]).toEqual([0, 12, 1_000_000]);
  });
});

describe('lines of a new invoice', () => {
  const amount = (description: string, text: string): LineRow => ({
    key: text,
    kind: 'amount',
    description,
    amount: text,
  });
  const priced = (id: string | null, quantity: string): LineRow => ({
    key: quantity,
    kind: 'price',
    price: id,
    quantity,
  });
  const prices = [price('pro', 1_900), { ...price('usd', 100), currency: 'usd' }];

  test('are sent once they are complete, and a blank one is none', () => {
    const rows = [amount('', ' '), amount(' Setup ', '25,5'), amount('Discount', '-1'), priced('pro', '2')];
    expect(linesOf(rows, 'eur', prices)).toEqual({
      items: [
        { amount: 2_550, description: 'Setup' },
        { amount: -100, description: 'Discount' },
        { price: 'pro', quantity: 2 },
      ],
      sum: 2_550 - 100 + 3_800,
    });
    expect(linesOf([amount('Fee', '500')], 'jpy', prices)).toMatchObject({ sum: 500 });
    expect(linesOf([], 'eur', prices)).toEqual({ items: [], sum: 0 });
  });

  test.each([
    ['an amount without a description', amount('', '1')],
    ['a description without an amount', amount('x', '')],
    ['an amount of 0', amount('x', '0')],
    ['too many decimals', amount('x', '1.555')],
    ['no price', priced(null, '1')],
    ['a price that is not known yet', priced('other', '1')],
    ['a price in another currency', priced('usd', '1')],
    ['no quantity', priced('pro', '')],
    ['a quantity of 0', priced('pro', '0')],
  ])('%s is not sent', (_, row) => expect(linesOf([amount('x', '1'), row], 'eur', prices)).toBeUndefined());
});

test.each([
  ['amount', 'Amount (as 2000)'],
  ['amount_refunded_decimal', 'Amount refunded (as 20.00)'],
  ['fee', 'Fee (as 2000)'],
  ['net_decimal', 'Net (as 20.00)'],
  ['customer.name', 'Customer name'],
  ['payment.customer.name', 'Customer name'],
  ['payment_method.card.last4', 'Payment method card last four'],
  ['metadata', 'Metadata (JSON)'],
  ['id', 'ID'],
])('the column %s of an export is called %s', (name, title) => expect(columnTitle(name)).toBe(title));

describe('a preview', () => {
  const invoice = (more: Partial<UpcomingInvoice>) =>
    ({
      billing_reason: 'subscription_update',
      created: 500,
      period_start: 100,
      period_end: 900,
      ...more,
    }) as UpcomingInvoice;

  test.each([
    ['of the next period', { billing_reason: 'subscription_cycle', period_start: 900 } as const, 'create', 900],
    ['of a change that is invoiced now', {}, 'invoice_now', 'now'],
    ['of a change to another interval', { period_start: 500 }, 'create', 'now'],
    ['of the last invoice', {}, 'create', 900],
    [
      'of a change while trialing',
      { billing_reason: 'subscription_cycle', period_start: 900 } as const,
      'invoice_now',
      900,
    ],
  ] as const)('%s says when it is made', (_what, more, proration, at) =>
    expect(invoicedAt(invoice(more), proration)).toBe(at),
  );

  test('has a part for the rest of the current period', () => {
    const line = (amount: number, discount: number, proration: boolean) =>
      ({ amount, discount, proration }) as UpcomingInvoice['lines'][number];
    expect(prorated({ lines: [line(9000, 0, false), line(-3000, 0, true), line(4500, 500, true)] })).toBe(1000);
  });
});

test('a coupon has a percentage or an amount, and months only when it repeats', () => {
  const fields = {
    ...({ kind: 'percent', percent: '12,5', amount: { text: '5', currency: 'eur' } } as const),
    ...({ duration: 'once', months: '3', name: ' Welcome ', code: ' WELCOME ' } as const),
  };
  expect(couponParams(fields)).toEqual({ percent_off: 12.5, duration: 'once', name: 'Welcome', code: 'WELCOME' });
  expect(couponParams({ ...fields, code: 'TEN OFF' })).toBeUndefined();
  expect(couponParams({ ...fields, kind: 'amount', duration: 'repeating', name: '', code: '' })).toEqual({
    amount_off: 500,
    currency: 'eur',
    duration: 'repeating',
    duration_in_months: 3,
  });
  expect(couponParams({ ...fields, duration: 'repeating', months: '37' })).toBeUndefined();
  for (const text of ['0', '100.01', '101', '1.234', '']) expect(percentOf(text), text).toBeUndefined();
});

test('metadata: only keys that change are sent, and those that are gone are removed', () => {
  const pair = (key: string, value: string) => ({ id: key, key, value });
  const before = { kept: 'a', changed: 1, gone: 'c', emptied: 'd' };
  const after = [pair('kept', 'a'), pair('changed', '2'), pair('emptied', ''), pair('', 'x'), pair('new', 'e')];
  expect(metadataChange(before, after)).toEqual({ changed: '2', gone: null, emptied: null, new: 'e' });
});

describe('stories', () => {
  const invoice: Invoice = {
    id: 'in_1',
    object: 'invoice',
    customer: 'cus_1',
    status: 'paid',
    billing_reason: 'subscription_cycle',
    currency: 'eur',
    lines: [],
    subtotal: 1900,
    discount: 0,
    total: 1900,
    credit_applied: 0,
    amount_due: 1900,
    amount_paid: 1900,
    amount_remaining: 0,
    attempt_count: 1,
    period_start: 1,
    period_end: 2,
    created: 1,
  };

  test.each<[more: Partial<Invoice>, story: string]>([
    [{}, 'Ada has paid €19.00 for a new period of a subscription.'],
    [
      { amount_paid: 0, credit_applied: 1900 },
      'Nothing was to be paid for a new period of a subscription. €19.00 came from customer credit.',
    ],
    [
      { status: 'open', amount_remaining: 1900, billing_reason: 'subscription_create' },
      'Ada owes €19.00 for a new subscription.',
    ],
    [{ status: 'draft', billing_reason: 'manual' }, 'Not sent yet: Ada will be billed €19.00 for one-off items.'],
    [
      { status: 'uncollectible', amount_remaining: 1900, billing_reason: 'subscription_update' },
      'Uncollectible: Ada still owes €19.00 for a change of a subscription.',
    ],
    [{ status: 'void' }, 'Voided: Ada owes nothing for a new period of a subscription.'],
  ])('an invoice %o reads: %s', (more, story) => expect(storyOfInvoice({ ...invoice, ...more }, 'Ada')).toBe(story));

  test.each<[status: Subscription['status'], story: string]>([
    ['active', 'Ada pays €19.00 per month with Visa •••• 4242.'],
    ['trialing', 'Ada tries it free of charge, then pays €19.00 per month with Visa •••• 4242.'],
    ['past_due', 'Ada pays €19.00 per month with Visa •••• 4242, and the last charge has failed.'],
    ['canceled', 'Ada was subscribed for €19.00 per month with Visa •••• 4242.'],
  ])('a subscription that is %s reads: %s', (status, story) => {
    const shown = storyOfSubscription(status, { customer: 'Ada', method: 'Visa •••• 4242', cost: '€19.00 per month' });
    expect(shown).toBe(story);
  });
});
