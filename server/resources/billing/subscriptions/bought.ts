import { assert } from '../../../base/errors.ts';
import { newId, newIds } from '../../../base/id.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import { takeNumber } from '../../../operations/numbers.ts';
import type { Part } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import type { PaymentMethodId } from '../../payments/payment_methods/payment_method.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { Coupon } from '../coupons/coupon.ts';
import { beginCharge, finalizeBill, saveBill, settleCharge } from '../invoices/bill.ts';
import { sequence } from '../invoices/collect.ts';
import { hostedPages } from '../invoices/hosted_pages.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import { type Line, totalsOf } from '../invoices/line.ts';
import type { RecurringPrice } from '../prices/price.ts';
import { saveChange } from '../subscription_state/change.ts';
import type { Subscription, SubscriptionId } from '../subscription_state/subscription.ts';
import { billOf } from './apply_plan.ts';
import { emptySubscription } from './create.ts';
import type { Prices } from './lines.ts';
import { type Basis, type Plan, planFirst } from './plan.ts';
import { newItems } from './read_input.ts';
import { monthlyRevenue } from './revenue.ts';
import { announceTrialEnd } from './trial.ts';

const daySeconds = 86_400;

/** A line that is paid once, with the first invoice. */
export type OnceLine = { name: string; quantity: number; amount: number; price?: string };

/** A subscription as it is sold on a page: its terms are known before its customer is. */
export type Bought = {
  items: readonly { price: string; quantity: number }[];
  once: readonly OnceLine[];
  /** Of the items, by their ids. All have one currency and one interval (`checkItems`). */
  prices: Prices;
  price: RecurringPrice;
  coupon: Coupon | undefined;
  trialDays: number | undefined;
  metadata: Metadata | undefined;
};

type Ids = { subscription: SubscriptionId; invoice: InvoiceId };
type StartMoment = { at: number; now: number };

/** What is to be paid when it begins, of which `discount` is taken off: in a trial only what is paid once. */
export function dueAtStart(
  bought: Bought,
  buyer: Pick<Customer, 'tenant' | 'id' | 'test_clock'>,
  moment: StartMoment,
): { subtotal: number; discount: number } {
  const ids = { subscription: newId('sub', moment.now), invoice: newId('in', moment.now) };
  return totalsOf(planBought(bought, ids, buyer, moment).invoice?.lines ?? []);
}

/** What starts, by whom, and how it goes on being paid. */
export type BoughtStart = {
  bought: Bought;
  ids: Ids;
  customer: Customer;
  /** Null: it can no longer be charged. Renewals need another one. */
  method: PaymentMethodId | null;
  /** The payment that has succeeded; undefined where nothing was to pay. */
  payment: Payment | undefined;
};

/**
 * The rows and events of a subscription that was paid, or whose method was set up, before it exists, for the commit in which that succeeds.
 * The credit and the waiting items of the customer are left to later invoices: the amount was shown before.
 */
export async function startBought(
  services: Pick<Services, 'reads' | 'dunningOf' | 'sellerOf' | 'keyring' | 'publicUrl'>,
  { bought, ids, customer, method, payment }: BoughtStart,
  moment: StartMoment,
): Promise<Part & { subscription: Subscription }> {
  const { reads, dunningOf, sellerOf } = services;
  const { at, now } = moment;
  const { tenant } = customer;
  const plan = planBought(bought, ids, customer, moment);
  const owned = {
    ...plan.subscription,
    default_payment_method: method,
    mrr: monthlyRevenue(plan.subscription, bought),
  };
  const { subscription, events } = announceTrialEnd(owned, at);
  const begun = { ...plan, subscription };
  if (plan.invoice === undefined) return startTrial(begun, events, now);
  const sources = {
    ...basisOf(bought, ids, moment),
    customer,
    waiting: [],
    items: [],
    dunning: await dunningOf(tenant),
    seller: await sellerOf(tenant),
    hostedUrl: hostedPages.urlOf({ ...services, tenant }, ids.invoice),
  };
  const { number, write } = await takeNumber(reads, tenant, sequence);
  const draft = { ...billOf(sources, begun, { stored: undefined, events })!, customer: undefined };
  const open = finalizeBill(draft, number, at, now);
  const paid = payment === undefined ? open : settleCharge(beginCharge(open, payment, at), payment, at, now);
  assert(paid.invoice.status === 'paid', 'a subscription that is bought has been paid');
  const saved = saveBill(paid, at, now);
  return { writes: [...saved.writes, write], events: saved.events, subscription: saved.bill.subscription!.after };
}

/** Nothing is due yet, so that there is no invoice. */
function startTrial(
  { subscription }: Plan,
  events: readonly EventDraft[],
  now: number,
): Part & { subscription: Subscription } {
  return saveChange({ before: undefined, after: subscription, events }, now);
}

function planBought(
  bought: Bought,
  ids: Ids,
  customer: Pick<Customer, 'tenant' | 'id' | 'test_clock'>,
  moment: StartMoment,
): Plan {
  const { at, now } = moment;
  const { price, coupon, trialDays, metadata } = bought;
  const trialEnd = trialDays === undefined ? null : at + trialDays * daySeconds;
  const subscription: Subscription = {
    ...emptySubscription({ tenant: customer.tenant, now }, customer, price, at),
    id: ids.subscription,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items: newItems(bought.items, now),
    billing_cycle_anchor: trialEnd ?? at,
    current_period_end: trialEnd ?? at + 1,
    trial_start: trialEnd === null ? null : at,
    trial_end: trialEnd,
    coupon: coupon?.id ?? null,
    coupon_applied: coupon === undefined ? null : at,
    metadata: metadata ?? null,
  };
  if (trialEnd !== null) return planTrial(subscription, bought, { start: at, end: trialEnd }, now);
  const plan = planFirst(subscription, basisOf(bought, ids, moment), at, 'subscription_create', 'create');
  const { period, lines, reason } = plan.invoice!;
  return { ...plan, invoice: { reason, period, lines: [...lines, ...onceLines(bought, period, now)] } };
}

/** What is paid once is due when the trial begins, as it would be without one. */
function planTrial(subscription: Subscription, bought: Bought, period: Line['period'], now: number): Plan {
  const lines = onceLines(bought, period, now);
  if (lines.every(({ amount }) => amount === 0)) return { subscription };
  return { subscription, invoice: { reason: 'subscription_create', period, lines } };
}

function basisOf({ prices, coupon }: Bought, { invoice }: Ids, { at, now }: StartMoment): Basis {
  return { prices, coupon, invoice, at, now };
}

function onceLines({ once }: Bought, period: Line['period'], now: number): Line[] {
  const ids = newIds('il', now, once.length);
  return once.map(({ name, quantity, amount, price }, at) => ({
    id: ids[at]!,
    amount,
    discount: 0,
    description: `${quantity} × ${name}`,
    period,
    proration: false,
    quantity,
    ...(price === undefined ? {} : { price }),
  }));
}
