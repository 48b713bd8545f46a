import type {
  Coupon,
  Customer,
  Invoice,
  Payment,
  PaymentLink,
  Price,
  ProcessorAccount,
  Subscription,
  TestClock,
} from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';
import type { Choosable } from '../kit/object_select.tsx';
import { statusInWords } from '../kit/tones.ts';
import { couponWords, priceWords } from './price_words.ts';
import { linkAmount, linkName } from './sold_words.ts';

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

export const payments: Choosable<Payment> = {
  kind: 'payment',
  name: 'payments',
  list: (api, params, options) => api.payments.list({ ...params, expand: ['customer'] }, options),
  words: ({ amount, currency, description, expanded }) =>
    [formatMoney(amount, currency), description, expanded?.customer?.name ?? expanded?.customer?.email]
      .filter(Boolean)
      .join(' · '),
};

export const paymentLinks: Choosable<PaymentLink> = {
  kind: 'payment_link',
  name: 'payment_links',
  list: (api, params, options) => api.paymentLinks.list(params, options),
  words: (link) => [linkName(link) ?? link.id, linkAmount(link)].filter(Boolean).join(' · '),
};

const accountsMax = 100;

/** They are so few that the API lists all of them, and not by their ids. */
export const processorAccounts: Choosable<ProcessorAccount> = {
  kind: 'processor_account',
  name: 'processor_accounts',
  async list(api, { ids, limit }, options) {
    const { data } = await api.processorAccounts.list({ limit: accountsMax }, options);
    return { data: data.filter(({ id }) => ids?.includes(id) ?? true).slice(0, limit) };
  },
  words: ({ name }) => name,
};
