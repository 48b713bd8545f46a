import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StripeObject } from '../../connectors/stripe/shapes.ts';
import { fitCard, fitCoupon, fitCustomer, fitPrice } from './fit.ts';
import { obstacleOf, type Surroundings } from './fit_subscription.ts';
import { reasons } from './reasons.ts';
import { readCoupon, readCustomer, readMethod, readPrice, readSubscription } from './stripe_objects.ts';

/** What fits, and what does not, by Stripe's own objects. */

const day = 86_400;
const now = 1_800_000_000;

const price = {
  ...{ id: 'price_1', object: 'price', active: true, billing_scheme: 'per_unit', currency: 'eur', unit_amount: 1_500 },
  ...{ recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' }, product: { name: 'Gold' } },
  ...{ metadata: {}, nickname: null, custom_unit_amount: null, transform_quantity: null, tiers_mode: null },
};

describe('prices', () => {
  test.each([
    ['recurring', {}, { currency: 'eur', unit_amount: 1_500, recurring: { interval: 'month', interval_count: 1 } }],
    ['free', { unit_amount: 0 }, { unit_amount: 0 }],
    ['paid once', { recurring: null }, { currency: 'eur', unit_amount: 1_500, product_name: 'Gold' }],
    [
      'in a currency that Stripe keeps with two decimals',
      { currency: 'isk', unit_amount: 150_000 },
      { unit_amount: 1_500 },
    ],
    ['without a product', { product: 'prod_1', nickname: 'Old' }, { product_name: 'Old' }],
    ['without any name', { product: 'prod_1' }, { product_name: 'price_1' }],
  ])('one that is %s fits', (_, change, expected) => {
    expect(fitPrice(readPrice({ ...price, ...change }), 'test')).toMatchObject({ parameters: expected, notes: [] });
  });

  test.each([
    ['metered', { recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } }],
    ['tiered', { billing_scheme: 'tiered', unit_amount: null }],
    ['computed', { transform_quantity: { divide_by: 10, round: 'up' } }],
    ['computed', { custom_unit_amount: { minimum: 1 }, unit_amount: null }],
    ['fraction', { unit_amount: null, unit_amount_decimal: '0.5' }],
    ['refused', { recurring: { interval: 'year', interval_count: 5, usage_type: 'licensed' } }],
    ['refused', { currency: 'xts' }],
  ])('%s: %j does not', (reason, change) => {
    expect(fitPrice(readPrice({ ...price, ...change }), 'test')).toMatchObject({ reason });
  });
});

describe('coupons', () => {
  const coupon = { id: 'SPRING', percent_off: 12.5, amount_off: null, duration: 'forever', metadata: {}, valid: true };

  test.each([
    ['a percentage', {}, { percent_off: 12.5, duration: 'forever', metadata: { stripe_coupon: 'SPRING' } }],
    ['an awkward percentage', { percent_off: 0.07 }, { percent_off: 0.07 }],
    ['an amount', { percent_off: null, amount_off: 500, currency: 'eur' }, { amount_off: 500, currency: 'eur' }],
    ['months', { duration: 'repeating', duration_in_months: 3 }, { duration_in_months: 3 }],
  ])('%s fits', (_, change, expected) => {
    expect(fitCoupon(readCoupon({ ...coupon, ...change }), 'test')).toMatchObject({ parameters: expected, notes: [] });
  });

  test('limits on its redemption are noted', () => {
    const { notes } = fitCoupon(readCoupon({ ...coupon, max_redemptions: 5 }), 'test') as { notes: string[] };
    expect(notes).toEqual([expect.stringContaining('not limited here')]);
  });

  test.each([
    ['percentage', { percent_off: 33.333 }],
    ['partial', { applies_to: { products: ['prod_1'] } }],
    ['refused', { duration: 'repeating', duration_in_months: 48 }],
  ])('%s: %j does not', (reason, change) => {
    expect(fitCoupon(readCoupon({ ...coupon, ...change }), 'test')).toMatchObject({ reason });
  });
});

describe('customers and payment methods', () => {
  test('what a customer has here is left out where it is not accepted, and noted', () => {
    const customer = { id: 'cus_1', email: 'ada', name: 'Ada', phone: '1'.repeat(50), metadata: { a: 'b' } };
    const fit = fitCustomer(readCustomer(customer), 'test');
    expect(fit).toEqual({
      parameters: { name: 'Ada', metadata: { a: 'b' }, external_id: 'cus_1' },
      notes: [expect.stringMatching(/^without email: /), expect.stringMatching(/^without phone: /)],
    });
  });

  test('a card is a token of the processor account; anything else is no card', () => {
    const wish = { processorAccount: 'pa_1', mode: 'test', customer: 'cus_here' } as const;
    const billing_details = { name: 'Ada', email: null, phone: null, address: { country: 'DE', city: null } };
    expect(fitCard(readMethod({ id: 'pm_1', type: 'card', billing_details }), wish)).toMatchObject({
      parameters: {
        ...{ type: 'card', customer: 'cus_here', metadata: { stripe_payment_method: 'pm_1' } },
        ...{ processor_token: { processor_account: 'pa_1', token: 'pm_1' } },
        billing_details: { name: 'Ada', address: { country: 'DE' } },
      },
    });
    const odd = { ...billing_details, address: { country: 'Germany' } };
    const fit = fitCard(readMethod({ id: 'pm_1', type: 'card', billing_details: odd }), wish);
    expect(fit).toMatchObject({ notes: [expect.stringMatching(/^without billing_details: /)] });
    expect(fitCard(readMethod({ id: 'pm_2', type: 'sepa_debit' }), wish)).toEqual({
      ...{ reason: 'other_method', detail: 'sepa_debit' },
    });
  });
});

describe('subscriptions', () => {
  const item = { price, quantity: 1, current_period_start: now - 5 * day, current_period_end: now + 25 * day };
  const subscription = {
    ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active', currency: 'eur' },
    ...{ items: { data: [item], has_more: false }, billing_cycle_anchor: now - 5 * day, metadata: {}, discounts: [] },
    ...{ cancel_at_period_end: false, cancel_at: null, trial_end: null, collection_method: 'charge_automatically' },
    ...{ automatic_tax: { enabled: false }, default_tax_rates: [], pause_collection: null, schedule: null },
    ...{ default_payment_method: 'pm_1', default_source: null, application_fee_percent: null, transfer_data: null },
  };
  const around: Surroundings = {
    now,
    processorAccount: 'pa_1',
    customer: { balance: 0, hasDiscount: false, hasDefaultCard: true },
    hasCard: (id) => id === 'pm_1',
  };
  const reasonOf = (change: StripeObject, surroundings: Partial<Surroundings> = {}) =>
    obstacleOf(readSubscription({ ...subscription, ...change }), { ...around, ...surroundings })?.reason;
  const itemsWith = (...changes: StripeObject[]) => ({
    items: { data: changes.map((change) => ({ ...item, ...change })), has_more: false },
  });
  const forever = { source: { coupon: { id: 'SPRING', duration: 'forever', percent_off: 10 } } };
  const marked = { metadata: { tollgate_take_over: 'pa_1' }, cancel_at_period_end: true, cancel_at: now + 25 * day };
  const older = (periodEnd: number) => ({
    ...itemsWith({ current_period_start: undefined, current_period_end: undefined }),
    ...{ current_period_start: now - 5 * day, current_period_end: periodEnd },
  });

  test.each<[string, StripeObject, Partial<Surroundings>?]>([
    ['in mid-period', {}],
    ['in the shape of older versions', older(now + 25 * day)],
    ['in its trial', { status: 'trialing', trial_end: now + 25 * day, billing_cycle_anchor: now + 25 * day }],
    ['charged to the default of its customer', { default_payment_method: null }],
    ['with a coupon that lasts forever', { discounts: [forever] }],
    ['with a coupon, in the shape of older versions', { discounts: [{ coupon: { id: 'A', duration: 'forever' } }] }],
    ['begun to be taken over', marked],
    ['begun to be taken over, and near its end', { ...marked, ...itemsWith({ current_period_end: now + 60 }) }],
  ])('one that is %s fits', (_, change, surroundings) => {
    expect(reasonOf(change, surroundings)).toBeUndefined();
  });

  test.each<[string, StripeObject, Partial<Surroundings>?]>([
    ['incomplete', { status: 'incomplete' }],
    ['past_due', { status: 'past_due' }],
    ['unpaid', { status: 'unpaid' }],
    ['paused', { status: 'paused' }],
    ['paused', { pause_collection: { behavior: 'void' } }],
    ['canceling', { cancel_at_period_end: true }],
    ['canceling', { cancel_at: now + 90 * day }],
    ['marked_by_another', { ...marked, metadata: { tollgate_take_over: 'pa_2' } }],
    ['ends_soon', itemsWith({ current_period_end: now + day - 1 })],
    ['ends_soon', older(now + day - 1)],
    ['just_began', itemsWith({ current_period_start: now - 3 * 3_600 + 1 })],
    ['scheduled', { schedule: 'sub_sched_1' }],
    ['send_invoice', { collection_method: 'send_invoice' }],
    ['taxes', { automatic_tax: { enabled: true } }],
    ['taxes', { default_tax_rates: [{ id: 'txr_1' }] }],
    ['taxes', itemsWith({ tax_rates: [{ id: 'txr_1' }] })],
    ['platform', { application_fee_percent: 5 }],
    ['platform', { transfer_data: { destination: 'acct_2' } }],
    ['pending', { pending_update: { expires_at: now } }],
    ['pending', { billing_thresholds: { amount_gte: 1 } }],
    ['too_many_items', { items: { data: [item], has_more: true } }],
    ['too_many_items', itemsWith(...Array(21).fill({}))],
    ['several_currencies', itemsWith({}, { price: { ...price, currency: 'usd' } })],
    ['several_currencies', { currency: 'usd' }],
    ['several_periods', itemsWith({}, { price: { ...price, recurring: { interval: 'year', interval_count: 1 } } })],
    ['several_periods', itemsWith({}, { current_period_end: now + 9 * day })],
    ['anchor', { status: 'trialing', trial_end: now + 25 * day, billing_cycle_anchor: now + 40 * day }],
    ['discount', { discounts: [{ source: { coupon: { id: 'A', duration: 'once' } } }] }],
    ['discount', { discounts: [{ source: { coupon: { id: 'A', duration: 'repeating' } } }] }],
    ['discount', { discounts: [forever, forever] }],
    ['discount', { discounts: ['di_1'] }],
    ['discount', itemsWith({ discounts: ['di_1'] })],
    ['discount', {}, { customer: { balance: 0, hasDiscount: true, hasDefaultCard: true } }],
    ['customer_balance', {}, { customer: { balance: -500, hasDiscount: false, hasDefaultCard: true } }],
    ['no_customer', {}, { customer: undefined }],
    ['no_card', { default_payment_method: 'pm_2' }],
    [
      'no_card',
      { default_payment_method: null },
      { customer: { balance: 0, hasDiscount: false, hasDefaultCard: false } },
    ],
    ['metered', itemsWith({ price: { ...price, recurring: { ...price.recurring, usage_type: 'metered' } } })],
    ['tiered', itemsWith({ price: { ...price, billing_scheme: 'tiered' } })],
  ])('%s: %j is left', (reason, change, surroundings) => {
    expect(reasonOf(change, surroundings)).toBe(reason);
  });
});

test('the guide names every reason', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/move-from-stripe.md'), 'utf8');
  expect(Object.keys(reasons).filter((reason) => !guide.includes(`\`${reason}\``))).toEqual([]);
});
