import { describe, expect, test } from 'vitest';
import type { BillingAction } from './actions.ts';
import { at, type IntervalModel } from './days.ts';
import { sumsOf } from './invoices.ts';
import { BillingModel } from './model.ts';
import type { CouponModel, DunningModel, InvoiceModel, PriceModel } from './state.ts';

/** Examples that were calculated by hand. They test the model, and the simulation compares the gateway with the model. */
const month: IntervalModel = { unit: 'month', count: 1 };
const price = (unitAmount: number, interval = month, key = `${unitAmount}`): PriceModel => ({
  key,
  currency: 'eur',
  unitAmount,
  interval,
});
const yearly = price(12_000, { unit: 'year', count: 1 });
const percent = (off: number, duration: CouponModel['duration'] = 'forever'): CouponModel => ({
  key: 'coupon',
  off: { percent: off },
  duration,
});
const amountOff = (amount: number, duration: CouponModel['duration'] = 'forever'): CouponModel => ({
  key: 'coupon',
  off: { amount, currency: 'eur' },
  duration,
});

type Subscribe = Extract<BillingAction, { kind: 'subscribe' }>;
type Moment = [time: number, action?: BillingAction];

const customer = 'anna';
const subscription = 'plan';
const subscribe = (prices: PriceModel[], more: Partial<Subscribe> = {}): BillingAction => ({
  kind: 'subscribe',
  customer,
  subscription,
  items: prices.map((one) => ({ price: one, quantity: 1 })),
  ...more,
});
const card = (kind: Extract<BillingAction, { kind: 'card_of_customer' }>['card']): BillingAction => ({
  kind: 'card_of_customer',
  customer,
  card: kind,
});
const change = (
  changes: Extract<BillingAction, { kind: 'change' }>['changes'],
  proration: 'create' | 'invoice_now' | 'none' = 'create',
): BillingAction => ({ kind: 'change', subscription, changes, proration });
const cancel = (isCredited: boolean): BillingAction => ({ kind: 'cancel', subscription, isCredited });

const usual: DunningModel = { days: [1, 3, 5, 7], end: 'canceled' };

/** The state after the actions, for a customer whose card pays unless it is changed. */
function after(moments: Moment[], { dunning = usual, hasCard = true } = {}) {
  const model = new BillingModel(moments[0]![0], dunning);
  model.addCustomer(customer);
  if (hasCard) model.act(card('pays'));
  const refusals: unknown[] = [];
  for (const [time, action] of moments) {
    model.advance(time);
    const refusal = action === undefined ? undefined : model.act(action);
    if (refusal !== undefined) refusals.push(refusal);
  }
  const { invoices, movements } = model.customers.get(customer)!;
  const sub = model.subscriptions.get(subscription)!;
  return { invoices: invoices.map(text), credit: movements.map(({ amount }) => amount), sub, refusals, all: invoices };
}

const day = (time: number) => new Date(time * 1_000).toISOString().slice(0, 10);

/** The day, the lines with their discounts, the amount due, the status, the number of charges. */
function text(invoice: InvoiceModel): string {
  const lines = invoice.lines.map(({ amount, discount }) => (discount === 0 ? `${amount}` : `${amount}(-${discount})`));
  const { due } = sumsOf(invoice);
  return `${day(invoice.created)} [${lines.join(' ')}] due ${due} ${invoice.status} ${invoice.attemptCount}`;
}

const apr = (date: number, hour = 0) => at(2024, 4, date, hour);
const daysAfter = (time: number, days: number) => time + days * 86_400;

describe('the calendar', () => {
  test('the 31st becomes the last day of a short month, and comes back', () => {
    const { invoices } = after([[at(2024, 1, 31, 9, 30), subscribe([price(1_000)])], [at(2024, 6, 1)]]);
    const days = invoices.map((line) => line.slice(0, 10));
    expect(days).toEqual(['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31']);
  });

  test('the 29th of February is the 28th until the next leap year', () => {
    const { invoices } = after([[at(2024, 2, 29), subscribe([yearly])], [at(2028, 3, 1)]]);
    const days = invoices.map((line) => line.slice(0, 10));
    expect(days).toEqual(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
  });

  test('one step over five periods makes five invoices, each at its boundary', () => {
    const { all, sub } = after([[at(2024, 1, 15, 12), subscribe([price(1_000)])], [at(2024, 5, 15, 12)]]);
    expect(all.map(({ created }) => created)).toEqual([1, 2, 3, 4, 5].map((m) => at(2024, m, 15, 12)));
    expect(sub.periodEnd).toBe(at(2024, 6, 15, 12));
  });

  test('a first period that ends at the anchor is charged by its share of a whole one: 22 of 31 days', () => {
    const { all, invoices } = after([
      [at(2024, 1, 10), subscribe([price(1_000)], { anchor: at(2024, 2, 1) })],
      [at(2024, 2, 1)],
    ]);
    expect(invoices).toEqual(['2024-01-10 [710] due 710 paid 1', '2024-02-01 [1000] due 1000 paid 1']);
    expect(all.map(({ lines }) => lines[0]!.isProration)).toEqual([true, false]);
  });
});

describe('changes of items', () => {
  const started: Moment = [apr(1), subscribe([price(1_000)])];
  const upgrade = [{ kind: 'set' as const, item: '1000', price: price(3_000) }];

  test('half of the old is credited and half of the new is charged, with the next invoice', () => {
    const { invoices } = after([started, [apr(16), change(upgrade)], [at(2024, 5, 1)]]);
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 paid 1', '2024-05-01 [3000 -500 1500] due 4000 paid 1']);
  });

  test('or immediately', () => {
    const { invoices } = after([started, [apr(16), change(upgrade, 'invoice_now')], [at(2024, 5, 1)]]);
    const now = '2024-04-16 [-500 1500] due 1000 paid 1';
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 paid 1', now, '2024-05-01 [3000] due 3000 paid 1']);
  });

  test('or not at all; a later credit is for what was charged', () => {
    const { invoices, credit } = after([started, [apr(7), change(upgrade, 'none')], [apr(16), cancel(true)]]);
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 paid 1', '2024-04-16 [-500] due 0 paid 0']);
    expect(credit).toEqual([500]);
  });

  test('a change that is undone immediately nets to 0', () => {
    const { sub } = after([
      [apr(1), subscribe([price(999)])],
      [apr(24), change([{ kind: 'set', item: '999', quantity: 2 }])],
      [apr(24), change([{ kind: 'set', item: '999', quantity: 1 }])],
    ]);
    // 7 of 30 days: 233.1 of 999, and 466.2 of 1998
    expect(sub.waiting.map(({ amount }) => amount)).toEqual([-233, 466, -466, 233]);
  });

  test('a credit is for the price less its discount, and half a cent is rounded away from zero', () => {
    const { invoices, credit } = after([
      [apr(1), subscribe([price(999)], { coupon: percent(10) })],
      [apr(16), cancel(true)],
    ]);
    expect(invoices).toEqual(['2024-04-01 [999(-100)] due 899 paid 1', '2024-04-16 [-450] due 0 paid 0']);
    expect(credit).toEqual([450]);
  });

  test('a charge for the rest of a period has the discount of a percentage, and none of an amount', () => {
    const add = change([{ kind: 'add', price: price(600), quantity: 1 }], 'invoice_now');
    const ten = after([
      [apr(1), subscribe([price(1_000)], { coupon: percent(10) })],
      [apr(16), add],
    ]);
    expect(ten.invoices[1]).toBe('2024-04-16 [300(-30)] due 270 paid 1');
    const fifty = after([
      [apr(1), subscribe([price(1_000)], { coupon: amountOff(50) })],
      [apr(16), add],
    ]);
    expect(fifty.invoices[1]).toBe('2024-04-16 [300] due 300 paid 1');
  });

  test('a quantity of 0 is charged with a line of 0, and is not credited', () => {
    const none = change([{ kind: 'set', item: '1000', quantity: 0 }], 'invoice_now');
    const one = change([{ kind: 'set', item: '1000', quantity: 1 }], 'invoice_now');
    const { invoices } = after([started, [apr(16), none], [apr(22), one]]);
    // 9 of 30 days are left: 300, all of it paid with the credit of 500
    expect(invoices.slice(1)).toEqual(['2024-04-16 [-500 0] due 0 paid 0', '2024-04-22 [300] due 0 paid 0']);
  });

  test('another interval ends the period, and the anchor moves', () => {
    const { invoices, sub } = after([
      started,
      [apr(16), change([{ kind: 'set', item: '1000', price: yearly }])],
      [at(2025, 4, 16)],
    ]);
    expect(invoices.slice(1)).toEqual([
      '2024-04-16 [-500 12000] due 11500 paid 1',
      '2025-04-16 [12000] due 12000 paid 1',
    ]);
    expect(sub.anchor).toBe(apr(16));
  });

  test('while the invoice of the period is open, only changes without proration are made', () => {
    const moments: Moment[] = [started, [apr(20), card('short_of_funds')], [at(2024, 5, 2), change(upgrade)]];
    const { refusals, invoices } = after([...moments, [at(2024, 5, 2), change(upgrade, 'none')]]);
    expect(refusals).toEqual([{ status: 400, code: 'subscription_not_updatable' }]);
    expect(invoices.length).toBe(2);
  });
});

describe('coupons', () => {
  const monthly = (coupon: CouponModel, prices: number[], months = 1) =>
    after([
      [
        at(2024, 1, 31),
        subscribe(
          prices.map((one, index) => price(one, month, `${index}`)),
          { coupon },
        ),
      ],
      [at(2024, 1 + months, 1)],
    ]).invoices;

  test.each([
    ['half a cent is taken off', percent(50), [1_001], '[1001(-501)] due 500'],
    ['each line is rounded by itself', percent(10), [105, 105, 105], '[105(-11) 105(-11) 105(-11)] due 282'],
    ['two decimals', percent(33.33), [10_000], '[10000(-3333)] due 6667'],
    [
      'an amount goes by the largest remainder',
      amountOff(100),
      [333, 333, 334],
      '[333(-33) 333(-33) 334(-34)] due 900',
    ],
    ['and by the order of the lines among equals', amountOff(5), [100, 100], '[100(-3) 100(-2)] due 195'],
  ])('%s', (_name, coupon, prices, expected) => {
    expect(monthly(coupon, prices)).toEqual([`2024-01-31 ${expected} paid 1`]);
  });

  test('an amount takes off no more than there is, and nothing is charged then', () => {
    expect(monthly(amountOff(5_000), [1_000])).toEqual(['2024-01-31 [1000(-1000)] due 0 paid 0']);
  });

  test('for one invoice', () => {
    const discounted = monthly(percent(20, 'once'), [1_000], 2);
    expect(discounted.map((line) => line.slice(11, 23))).toEqual(['[1000(-200)]', '[1000] due 1']);
  });

  test('for three months from the 31st of January: the period that starts on the 30th of April is not among them', () => {
    const discounted = monthly(percent(20, { months: 3 }), [1_000], 4);
    expect(discounted.map((line) => line.includes('(-200)'))).toEqual([true, true, true, false]);
  });
});

describe('credit', () => {
  const cheaper = change([{ kind: 'set', item: '3000', price: price(1_000) }], 'invoice_now');

  test('a total below 0 becomes credit, and pays the next invoices first', () => {
    const { invoices, credit } = after([
      [apr(1), subscribe([price(3_000)])],
      [apr(16), cheaper],
      [apr(20), { kind: 'item', customer, amount: 250, currency: 'eur' }],
      [at(2024, 5, 1)],
    ]);
    expect(invoices.slice(1)).toEqual(['2024-04-16 [-1500 500] due 0 paid 0', '2024-05-01 [1000 250] due 250 paid 1']);
    expect(credit).toEqual([1_000, -1_000]);
  });

  test.each([
    ['void', [400, -400, 400]],
    ['mark_uncollectible', [400, -400]],
  ] as const)('%s moves the credit of an open invoice accordingly', (kind, expected) => {
    const { credit, invoices, sub } = after([
      [apr(1), subscribe([price(1_000)])],
      [apr(2), { kind: 'item', customer, amount: -1_400, currency: 'eur' }],
      [apr(3), card('lost')],
      [at(2024, 5, 1)],
      [at(2024, 6, 1)],
      [at(2024, 6, 2), { kind, invoice: 'anna/3' }],
    ]);
    const status = kind === 'void' ? 'void' : 'uncollectible';
    expect(invoices.slice(1)).toEqual([
      '2024-05-01 [1000 -1400] due 0 paid 0',
      `2024-06-01 [1000] due 600 ${status} 1`,
    ]);
    expect([sub.status, ...credit]).toEqual(['active', ...expected]);
  });
});

describe('collection', () => {
  const may = at(2024, 5, 1);
  const failing = (kind: 'short_of_funds' | 'lost'): Moment[] => [
    [apr(1), subscribe([price(1_000)])],
    [apr(2), card(kind)],
  ];

  test('a soft decline is tried again after 1, 3, 5 and 7 days, and then the subscription is canceled', () => {
    const { all, sub, invoices } = after([...failing('short_of_funds'), [at(2024, 7, 1)]]);
    expect(all[1]!.charges.map((charge) => charge.at)).toEqual([0, 1, 3, 5, 7].map((days) => daysAfter(may, days)));
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 paid 1', '2024-05-01 [1000] due 1000 uncollectible 5']);
    expect([sub.status, sub.endedAt]).toEqual(['canceled', daysAfter(may, 7)]);
  });

  test('a hard decline is not, and the subscription is canceled on the same day', () => {
    const { all, sub } = after([...failing('lost'), [at(2024, 7, 1)]]);
    expect([all[1]!.attemptCount, sub.status, sub.endedAt]).toEqual([1, 'canceled', daysAfter(may, 7)]);
  });

  test('another card is tried immediately', () => {
    const { all, sub } = after([...failing('lost'), [daysAfter(may, 2), card('pays')]]);
    expect([all[1]!.paidAt, sub.status]).toEqual([daysAfter(may, 2), 'active']);
  });

  test('and if it fails softly, the days still count from the first failure', () => {
    const { all, sub } = after([...failing('lost'), [daysAfter(may, 2), card('busy')]]);
    expect([all[1]!.nextAttempt, sub.status]).toEqual([daysAfter(may, 3), 'past_due']);
  });

  test('unpaid: nothing is invoiced until the open invoices are paid, and the time between never', () => {
    const dunning = { ...usual, end: 'unpaid' as const };
    const { invoices, sub } = after(
      [
        ...failing('lost'),
        [at(2024, 7, 10), { kind: 'pay', invoice: 'anna/2', card: 'pays' }],
        [at(2024, 7, 11), card('pays')],
        [at(2024, 8, 2)],
      ],
      { dunning },
    );
    expect(invoices.slice(1)).toEqual(['2024-05-01 [1000] due 1000 paid 2', '2024-08-01 [1000] due 1000 paid 1']);
    expect(sub.status).toBe('active');
  });

  test('past_due: later periods are invoiced, each with its own retries', () => {
    const dunning = { ...usual, end: 'past_due' as const };
    const { invoices, sub } = after([...failing('short_of_funds'), [at(2024, 6, 2)]], { dunning });
    expect(invoices.slice(1)).toEqual(['2024-05-01 [1000] due 1000 open 5', '2024-06-01 [1000] due 1000 open 2']);
    expect(sub.status).toBe('past_due');
  });

  test('canceled by the merchant: the unpaid period is not credited, its invoice stays open and is not tried again', () => {
    const { invoices, all } = after([
      ...failing('short_of_funds'),
      [at(2024, 5, 2, 1), cancel(true)],
      [at(2024, 7, 1)],
    ]);
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 paid 1', '2024-05-01 [1000] due 1000 open 2']);
    expect(all[1]!.nextAttempt).toBeUndefined();
  });
});

describe('the first payment and trials', () => {
  test('declined, and not paid within 23 hours: canceled, and the invoice is void', () => {
    const { invoices, sub } = after([[apr(1), subscribe([price(1_000)], { card: 'lost' })], [apr(2)]]);
    expect(invoices).toEqual(['2024-04-01 [1000] due 1000 void 1']);
    expect([sub.status, sub.endedAt]).toEqual(['canceled', apr(1, 23)]);
  });

  test('declined, and canceled: the invoice is void, and the credit that it used is given back', () => {
    const { invoices, sub, credit } = after([
      [apr(1), { kind: 'item', customer, amount: -400, currency: 'eur' }],
      [apr(1), { kind: 'draft', customer, currency: 'eur' }],
      [apr(1), { kind: 'finalize', invoice: 'anna/1' }],
      [apr(1), subscribe([price(1_000)], { card: 'lost' })],
      [apr(1, 5), cancel(true)],
      [apr(3)],
    ]);
    expect(invoices.slice(1)).toEqual(['2024-04-01 [1000] due 600 void 1']);
    expect([sub.status, sub.endedAt, ...credit]).toEqual(['canceled', apr(1, 5), 400, -400, 400]);
  });

  test('declined, and paid within 23 hours: active', () => {
    const pay: BillingAction = { kind: 'pay', invoice: 'anna/1', card: 'pays' };
    const { sub } = after([[apr(1), subscribe([price(1_000)], { card: 'lost' })], [apr(1, 22), pay], [apr(3)]]);
    expect([sub.status, sub.periodStart]).toEqual(['active', apr(1)]);
  });

  test('a trial is not invoiced, and the first period begins when it ends', () => {
    const { invoices, sub } = after([[apr(1), subscribe([price(1_000)], { trialDays: 14 })], [apr(16)]]);
    expect(invoices).toEqual(['2024-04-15 [1000] due 1000 paid 1']);
    expect([sub.status, sub.anchor, sub.periodEnd]).toEqual(['active', apr(15), at(2024, 5, 15)]);
  });

  test('without a card at its end: past_due, and tried again', () => {
    const moments: Moment[] = [[apr(1), subscribe([price(1_000)], { trialDays: 14 })], [apr(16)]];
    const { all, sub } = after(moments, { hasCard: false });
    expect([sub.status, all[0]!.lastFailure, all[0]!.nextAttempt]).toEqual([
      'past_due',
      { code: 'payment_method_missing' },
      apr(18),
    ]);
  });

  test('ended early, it bills from now', () => {
    const end: BillingAction = { kind: 'trial_end', subscription };
    const { all, sub } = after([
      [apr(1), subscribe([price(1_000)], { trialDays: 14 })],
      [apr(5), end],
    ]);
    expect([all[0]!.reason, sub.anchor, sub.trialEnd]).toEqual(['subscription_update', apr(5), apr(5)]);
  });
});

describe('pause, resume, cancel', () => {
  test('a pause credits 20 of 30 days, and a return charges 11 of 31', () => {
    const { invoices, credit, sub } = after([
      [apr(1), subscribe([price(3_000)])],
      [apr(11), { kind: 'pause', subscription }],
      [at(2024, 5, 21), { kind: 'resume', subscription }],
    ]);
    expect(invoices.slice(1)).toEqual(['2024-04-11 [-2000] due 0 paid 0', '2024-05-21 [1065] due 0 paid 0']);
    expect([credit, sub.periodEnd]).toEqual([[2_000, -1_065], at(2024, 6, 1)]);
  });

  test('at the end of the period what waits makes a last invoice', () => {
    const { invoices, sub } = after([
      [apr(1), subscribe([price(1_000)])],
      [apr(16), change([{ kind: 'set', item: '1000', quantity: 3 }])],
      [apr(17), { kind: 'cancel_later', subscription }],
      [at(2024, 6, 1)],
    ]);
    expect(invoices.slice(1)).toEqual(['2024-05-01 [-500 1500] due 1000 paid 1']);
    expect([sub.status, sub.canceledAt, sub.endedAt]).toEqual(['canceled', apr(17), at(2024, 5, 1)]);
  });

  test('without credit and with nothing waiting there is no last invoice', () => {
    const item: BillingAction = { kind: 'item', customer, amount: 700, currency: 'eur' };
    const { invoices } = after([
      [apr(1), subscribe([price(1_000)])],
      [apr(15), item],
      [apr(16), cancel(false)],
    ]);
    expect(invoices.length).toBe(1);
  });
});
