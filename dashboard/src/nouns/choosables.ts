import type { Coupon, Customer, Invoice, Price, Subscription, TestClock } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';
import type { Choosable } from '../kit/object_select.tsx';
import { statusInWords } from '../kit/tones.ts';
import { couponWords, priceWords } from './price_words.ts';

/** The kinds of objects that forms and filters choose from: how they are read, and what they are called. */

export const customers: Choosable<Customer> = {
  kind: 'customer',
  name: 'customers',
  list: (api, params, options) => api.customers.list(params, options),
  words: ({ id, name, email }) =>
    name !== undefined && email !== undefined ? `${name} (${email})` : (name ?? email ?? id),
};

export const prices: Choosable<Price> = {
  kind: 'price',
  name: 'prices',
  list: (api, params, options) => api.prices.list(params, options),
  words: priceWords,
};

/** Prices that can be sold. */
export const activePrices: Choosable<Price> = {
  ...prices,
  name: 'prices active',
  list: (api, params, options) => api.prices.list({ ...params, active: true }, options),
};

export const coupons: Choosable<Coupon> = {
  kind: 'coupon',
  name: 'coupons',
  list: (api, params, options) => api.coupons.list(params, options),
  words: couponWords,
};

export const clocks: Choosable<TestClock> = {
  kind: 'test_clock',
  name: 'test_clocks',
  list: (api, params, options) => api.testClocks.list(params, options),
  words: ({ id, name }) => name ?? id,
};

export const subscriptions: Choosable<Subscription> = {
  kind: 'subscription',
  name: 'subscriptions',
  list: (api, params, options) => api.subscriptions.list({ ...params, expand: ['customer'] }, options),
  words: ({ id, status, expanded }) =>
    `${expanded?.customer?.name ?? expanded?.customer?.email ?? id} (${statusInWords(status)})`,
};

export const invoices: Choosable<Invoice> = {
  kind: 'invoice',
  name: 'invoices',
  list: (api, params, options) => api.invoices.list(params, options),
  words: ({ id, number, total, currency }) => `${number ?? id} (${formatMoney(total, currency)})`,
};
