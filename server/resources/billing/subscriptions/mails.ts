import { newId } from '../../../base/id.ts';
import type { MailCause, MailKind } from '../../../operations/mail_kind.ts';
import { customerDescriptor } from '../../payments/customers/operations.ts';
import { findCoupons } from '../coupons/operations.ts';
import { netOf } from '../invoices/line.ts';
import { findPrices } from '../prices/operations.ts';
import { subscriptionsTable } from '../subscription_state/store.ts';
import type { Subscription } from '../subscription_state/subscription.ts';
import { priceOf } from './lines.ts';
import {
  canceledSubscriptionMessage,
  canceledSubscriptionSample,
  trialEndingMessage,
  trialEndingSample,
} from './messages.ts';
import { planRenewal } from './plan.ts';

const toCustomer = ({ customer }: Subscription) => ({ contacts: [customer], about: { customer } });

/** What was bought, with its prices. */
async function soldIn(cause: MailCause, subscription: Subscription) {
  const prices = await findPrices(
    cause,
    subscription.items.map(({ price }) => price),
  );
  const items = subscription.items.map((item) => ({
    name: priceOf(prices, item).product_name,
    quantity: item.quantity,
  }));
  return { prices, items };
}

const trialMail: MailKind = {
  kind: 'trial_ending',
  when: 'A trial ends in three days, or in less if it is shorter.',
  cause: 'subscription.trial_will_end',
  async draft(cause) {
    const subscription = await cause.row(subscriptionsTable, cause.object.id);
    if (subscription === undefined || subscription.trial_end === null) return undefined;
    const { customer, coupon, currency, trial_end, billing_interval, interval_count } = subscription;
    const { prices, items } = await soldIn(cause, subscription);
    const coupons = coupon === null ? undefined : await findCoupons(cause, [coupon]);
    const basis = {
      prices,
      coupon: coupons?.get(coupon ?? ''),
      invoice: newId('in', cause.now),
      at: trial_end,
      now: cause.now,
    };
    const lines = planRenewal(subscription, basis).invoice?.lines ?? [];
    const amount = lines.reduce((sum, line) => sum + netOf(line), 0);
    const payer = await cause.row(customerDescriptor.table, customer);
    const is_automatic = (subscription.default_payment_method ?? payer?.default_payment_method ?? null) !== null;
    const every = { interval: billing_interval, count: interval_count };
    const trial = { items, amount, currency, every, trial_end, is_automatic };
    return { ...toCustomer(subscription), message: (reader) => trialEndingMessage(trial, reader) };
  },
  sample: (reader) => trialEndingMessage(trialEndingSample, reader),
};

const canceledMail: MailKind = {
  kind: 'subscription_canceled',
  when: 'A subscription has ended, unless it never began because its first invoice was not paid.',
  cause: 'subscription.canceled',
  async draft(cause) {
    const { tenant, object, reads, at } = cause;
    const subscription = await cause.row(subscriptionsTable, object.id);
    const before = await reads.one(subscriptionsTable, tenant, object.id);
    if (subscription === undefined || before?.status === 'incomplete') return undefined;
    const { items } = await soldIn(cause, subscription);
    const canceled = { items, ends_at: subscription.ended_at ?? at, has_ended: true };
    return { ...toCustomer(subscription), message: (reader) => canceledSubscriptionMessage(canceled, reader) };
  },
  sample: (reader) => canceledSubscriptionMessage(canceledSubscriptionSample, reader),
};

export const subscriptionMails = [trialMail, canceledMail];
