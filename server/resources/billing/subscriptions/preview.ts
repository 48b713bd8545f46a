import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { timeOf } from '../../payments/test_clocks/time.ts';
import { finalizeBill, standaloneBill } from '../invoices/bill.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { serializeUpcoming, UpcomingInvoiceOutput } from '../invoices/schema.ts';
import type { Subscription } from '../subscription_state/subscription.ts';
import { checkWaiting, draftInvoice } from './apply_plan.ts';
import { previewedByCustomers } from './by_customers.ts';
import { emptySubscription } from './create.ts';
import { requireSubscription } from './descriptor.ts';
import { apiError } from './errors.ts';
import { type Plan, planEnd, planFirst, planRenewal } from './plan.ts';
import { checkItems, newItems, readCoupon, readPrices } from './read_input.ts';
import { PreviewInput } from './schema.ts';
import { type InvoiceSources, readSources } from './sources.ts';
import { type ItemsWish, planItemsOf, pricesIn } from './update.ts';

type PreviewWish = Omit<ItemsWish, 'items'> & {
  customer?: string;
  subscription?: string;
  items?: ItemsWish['items'];
  coupon?: string;
};

/** Shows what an invoice would be, by the same plans by which it is made. */
export const previewOperation: AnyOperation = operation({
  name: 'invoices.preview',
  summary: 'Preview the next invoice of a subscription, of a change to it, or of a new one',
  description:
    'Shows an invoice that does not exist, and changes nothing. With `items` it shows the next invoice after this change of the subscription. Without `subscription` it shows the first invoice of a new one. The preview and its lines have no ids.',
  route: 'POST /invoices/preview',
  right: 'read',
  scope: 'invoices:read',
  customers: previewedByCustomers,
  input: PreviewInput,
  output: UpcomingInvoiceOutput,
  errors: [
    ...clockCodes,
    ...apiError.codes('subscription_not_updatable', 'amount_too_large', 'coupon_not_usable', 'parameter_missing'),
  ],
  check({ customer, subscription, items, proration_date }) {
    const isChange = subscription !== undefined && items !== undefined;
    if (proration_date !== undefined && !isChange) {
      const reason = 'it is for a change of items of a subscription';
      throw apiError('parameter_invalid', { param: 'proration_date', reason });
    }
    if (subscription !== undefined) return;
    if (customer === undefined) throw apiError('parameter_missing', { param: 'subscription' });
    if (items === undefined) throw apiError('parameter_missing', { param: 'items' });
  },
  async run(context, input) {
    const wanted = input as PreviewWish;
    const invoice =
      wanted.subscription === undefined
        ? await previewNew(context, wanted)
        : await previewNext(context, wanted, wanted.subscription);
    return { result: serializeUpcoming(invoice) };
  },
});

/** The invoice of a plan, with the customer's credit. */
function previewOf(sources: InvoiceSources, plan: Plan): Invoice {
  const { customer, at, now, dunning } = sources;
  const invoice = draftInvoice(sources, plan);
  if (invoice === undefined)
    throw apiError('subscription_not_updatable', { param: 'subscription', reason: 'no invoice follows' });
  const bill = { ...standaloneBill(invoice), customer, dunning };
  const { credit_applied, amount_due } = finalizeBill(bill, 1, at, now).invoice;
  return { ...invoice, credit_applied, amount_due };
}

async function previewNext(context: Context, wanted: PreviewWish, id: string): Promise<Invoice> {
  const stored = await requireSubscription(context, id, 'subscription');
  const customer = await requireCustomer(context, stored.customer, 'subscription');
  if (wanted.customer !== undefined && wanted.customer !== customer.id)
    throw apiError('parameter_invalid', { param: 'customer', reason: 'the subscription is of another customer' });
  const at = Math.floor((await timeOf(context, customer.test_clock, 'subscription')) / 1_000);
  const subscription = await withCoupon(context, stored, wanted.coupon, at);
  const sources = await readSources(context, customer, subscription, at, pricesIn(wanted.items ?? []));
  const { items } = wanted;
  if (items === undefined) return previewOf(sources, nextPlan(subscription, sources));
  const changed = await planItemsOf(context, subscription, sources, { ...wanted, items });
  if (changed.invoice !== undefined) return previewOf(sources, changed);
  checkWaiting(changed);
  return previewOf(sources, withWaiting(nextPlan(changed.subscription, sources), changed));
}

/** The invoice at the end of the period, or the last one. */
function nextPlan(subscription: Subscription, sources: InvoiceSources): Plan {
  const { status, cancel_at_period_end, current_period_end } = subscription;
  const reason = `it is ${status}, and no invoice follows`;
  if (status === 'canceled' || status === 'unpaid' || status === 'paused')
    throw apiError('subscription_not_updatable', { param: 'subscription', reason });
  return cancel_at_period_end ? planEnd(subscription, current_period_end, []) : planRenewal(subscription, sources);
}

/** The lines of a change that wait for that invoice. */
function withWaiting(plan: Plan, { waits = [] }: Plan): Plan {
  return { ...plan, invoice: { ...plan.invoice!, lines: [...plan.invoice!.lines, ...waits] } };
}

async function withCoupon(context: Context, subscription: Subscription, id: string | undefined, at: number) {
  if (id === undefined) return subscription;
  const coupon = await readCoupon(context, id, subscription.currency);
  return { ...subscription, coupon: coupon.id, coupon_applied: at, coupon_used: false };
}

/** The first invoice of a subscription that does not exist. */
async function previewNew(context: Context, wanted: PreviewWish): Promise<Invoice> {
  const customer: Customer = await requireCustomer(context, wanted.customer, 'customer');
  const at = Math.floor((await timeOf(context, customer.test_clock, 'customer')) / 1_000);
  const items = wanted.items!.map(({ id, deleted, price, quantity }, index) => {
    const known = id === undefined ? deleted && 'deleted' : 'id';
    if (known) {
      const reason = 'a new subscription has no items yet; give a price';
      throw apiError('parameter_invalid', { param: `items.${index}.${known}`, reason });
    }
    if (price === undefined) throw apiError('parameter_missing', { param: `items.${index}.price` });
    return { price, ...(quantity === undefined ? {} : { quantity }) };
  });
  const prices = await readPrices(
    context,
    items.map(({ price }, index) => ({ price, param: `items.${index}.price` })),
  );
  const made = newItems(items, context.now);
  const price = checkItems(made, prices);
  const trial = { trial_start: null, trial_end: null };
  const fresh: Subscription = {
    ...emptySubscription(context, customer, price, at),
    ...trial,
    status: 'incomplete',
    items: made,
    billing_cycle_anchor: at,
  };
  const subscription = await withCoupon(context, fresh, wanted.coupon, at);
  const sources = await readSources(context, customer, subscription, at);
  const plan = planFirst(subscription, sources, at, 'subscription_create', wanted.proration ?? 'create');
  return { ...previewOf(sources, plan), subscription: null };
}
