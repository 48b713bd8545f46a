import type { Write } from '../../../base/commit/index.ts';
import { newId, newIds } from '../../../base/id.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { paymentOf, resumes } from '../../payments/attempts/perform.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { holdCustomer } from '../../payments/customers/operations.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import type { Dunning } from '../../people/accounts/account.ts';
import type { Coupon } from '../coupons/coupon.ts';
import { findCoupons } from '../coupons/operations.ts';
import type { InvoiceItem } from '../invoice_items/invoice_item.ts';
import { takeItem, waitingItems } from '../invoice_items/waiting.ts';
import { type Bill, draftBill } from '../invoices/bill.ts';
import { type ChargeWish, collect, resumeBill } from '../invoices/collect.ts';
import { findInvoices } from '../invoices/descriptor.ts';
import { type InvoiceId, newInvoice } from '../invoices/invoice.ts';
import { itemLine } from '../invoices/item_line.ts';
import { type Line, totalsOf } from '../invoices/line.ts';
import { findPrices } from '../prices/operations.ts';
import { saveChange } from '../subscription_state/change.ts';
import { type Item, type Subscription, serializeSubscription } from '../subscription_state/subscription.ts';
import { apiError } from './errors.ts';
import { changeTopic, payFirst } from './pay_first.ts';
import { pendingPlan } from './pending_plan.ts';
import type { Basis, Plan } from './plan.ts';
import { addWaitingLine, findWaitingLines, takeWaitingLine, type WaitingLine } from './store.ts';

/** Of one invoice; more wait for the next one. */
const itemsMax = 250;
const itemsBytesMax = 2 ** 19;
/** They are billed in one commit of at most 8 MiB, which has an invoice five times: as the row, and in its events. */
export const waitingLinesMax = 500;

/** Everything that an invoice of a subscription is made from. */
export type Gathered = Basis & {
  customer: Customer;
  waiting: readonly WaitingLine[];
  items: readonly InvoiceItem[];
  dunning: Dunning;
};

/** `prices`: ids of prices that the subscription is to have, beside its own. */
export async function gather(
  context: Context,
  customer: Customer,
  subscription: Subscription,
  at: number,
  prices: readonly string[] = [],
): Promise<Gathered> {
  const { reads, tenant, now } = context;
  const { id, currency, coupon } = subscription;
  const [found, coupons, waiting, items, dunning] = await Promise.all([
    findPrices(context, [...subscription.items.flatMap(pricesOf), ...prices]),
    coupon === null ? undefined : findCoupons(context, [coupon]),
    subscription.waiting_lines === 0 ? [] : findWaitingLines(reads, tenant, id),
    waitingItems(reads, tenant, customer.id, currency, id, itemsMax),
    context.dunningOf(tenant),
  ]);
  const own: Coupon | undefined = coupon === null ? undefined : coupons?.get(coupon);
  const taken = takenItems(items);
  return { prices: found, coupon: own, invoice: newId('in', now), at, now, customer, waiting, items: taken, dunning };
}

export function takenItems(waiting: readonly InvoiceItem[]): readonly InvoiceItem[] {
  return takeWithinBytes(waiting, ({ description }) => description, itemsBytesMax);
}

/** The price that an item has, and the one that it was charged for. */
function pricesOf({ price, charged }: Item): string[] {
  return charged === null ? [price] : [price, charged.price];
}

/** How the invoice of a plan is charged, and what else is committed with the plan. */
export type PlanTerms = {
  /** Undefined when it is not stored yet. */
  stored: Subscription | undefined;
  charge: ChargeWish;
  /** Whether nothing is changed unless the payment is made. */
  paysFirst?: boolean;
  /** Rows that hold the customer's clock. They are committed although a payment that must come first is declined. */
  clockWrites?: readonly Write[];
  /** Further rows of the change. */
  writes?: readonly Write[];
  events?: readonly EventDraft[];
  /** Whether the customer must not be deleted meanwhile. */
  holds?: boolean;
};

/** The subscription is the answer. A charge that fails shows in its status. */
const answer = ({ subscription }: Bill): Outcome => answerWith(subscription!.after);

export function answerWith(subscription: Subscription): Outcome {
  return { result: serializeSubscription(subscription), objectId: subscription.id };
}

/** Answers a retry of a request whose process died while a processor was asked. */
export const resumesSubscription = (payments: PaymentTopic) => {
  const billed = resumeBill(payments, answer);
  return async (context: Context, attempt: string): Promise<Outcome | Sequenced | undefined> => {
    if (!(await paysFirst(context, attempt))) return billed(context, attempt);
    return resumes(changeTopic(context, payments, answer))(context, attempt);
  };
};

/** Whether an attempt is for a change that waits for its payment, or has waited: until it is carried out, no invoice has a number. */
async function paysFirst(context: Context, attempt: string): Promise<boolean> {
  const id = await paymentOf(context, attempt);
  const invoice = (await findPayments(context, [id])).get(id)?.invoice;
  return invoice == null || (await findInvoices(context, [invoice])).get(invoice)?.number == null;
}

/** Writes a plan: with an invoice, its payment and all that follows, or without one. */
export async function carryOut(
  context: Context,
  payments: PaymentTopic,
  gathered: Gathered,
  plan: Plan,
  change: PlanTerms,
): Promise<Outcome | RemoteCall | Sequenced> {
  const lines = invoiceLines(gathered, plan);
  const { charge, paysFirst = false, clockWrites = [], writes = [] } = change;
  if (lines.length > 0) {
    const bill = draftBill(billOf(context, gathered, plan, change, lines));
    const { at, items } = gathered;
    if (!paysFirst)
      return collect(context, payments, {
        bill: { ...bill, writes: [...bill.writes, ...clockWrites] },
        charge,
        at,
        answer,
      });
    const pending = pendingPlan(bill, items);
    return payFirst(context, payments, { bill, plan: pending, charge, clockWrites, at, answer });
  }
  const held = change.holds ? [holdCustomer(gathered.customer)] : [];
  checkWaiting(plan);
  const waits = waitingRows(context, plan, gathered.now);
  const after = { ...plan.subscription, waiting_lines: plan.subscription.waiting_lines + waits.length };
  const saved = saveChange({ before: change.stored, after, events: change.events ?? [] });
  const due = saved.subscription.due_at?.getTime();
  return {
    ...answerWith(saved.subscription),
    writes: [...saved.writes, ...waits, ...held, ...writes, ...clockWrites],
    events: saved.events,
    ...(due === undefined ? {} : { due }),
  };
}

/** Refuses a change whose lines would be too many to wait. */
export function checkWaiting({ subscription, waits = [] }: Plan): void {
  if (waits.length === 0 || subscription.waiting_lines + waits.length <= waitingLinesMax) return;
  const reason = `${waitingLinesMax} lines wait for its next invoice, which takes no more; invoice_now bills them now, and none makes no lines`;
  throw apiError('subscription_not_updatable', { param: 'proration', reason });
}

function waitingRows({ tenant }: Context, { subscription, waits = [] }: Plan, now: number): Write[] {
  const ids = newIds('wl', now, waits.length); // they are billed in this order
  return waits.map((line, at) =>
    addWaitingLine({ tenant, id: ids[at]!, version: 1, subscription: subscription.id, line }),
  );
}

/** All lines of the invoice of a plan, waiting ones included. None when there is no invoice. */
export function invoiceLines({ waiting, items, at, now }: Gathered, { invoice, subscription }: Plan): Line[] {
  if (invoice === undefined) return [];
  const isWaitedFor = waiting.length > 0 || items.some((item) => item.subscription === subscription.id);
  const isWanted = invoice.lines.length > 0 || (isWaitedFor && !invoice.needsLines);
  if (!isWanted) return [];
  return [...invoice.lines, ...waiting.map(({ line }) => line), ...items.map((item) => itemLine(item, at, now))];
}

function billOf(context: Context, gathered: Gathered, plan: Plan, change: PlanTerms, lines: readonly Line[]): Bill {
  const { customer, waiting, items, invoice: id, coupon, dunning, at } = gathered;
  const { reason, period } = plan.invoice!;
  const { test_clock } = customer;
  const { subscription } = plan;
  const used = subscription.coupon_used || (coupon?.duration === 'once' && totalsOf(lines).discount > 0);
  const taken = subscription.items.map((item) => chargedOn(item, id));
  const credits = creditedOn(subscription.credits, id);
  const after = { ...subscription, items: taken, credits, coupon_used: used, waiting_lines: 0 };
  const draft = {
    ...{ tenant: context.tenant, id, customer: customer.id, subscription: subscription.id, test_clock, created: at },
    ...{ billing_reason: reason, currency: subscription.currency, period, lines },
  };
  return {
    invoice: newInvoice(draft),
    subscription: { before: change.stored, after, events: change.events ?? [] },
    customer,
    holds: change.holds ?? false,
    dunning,
    writes: [...waiting.map(takeWaitingLine), ...items.map((item) => takeItem(item, id)), ...(change.writes ?? [])],
    events: [],
  };
}

/** Lines that were credited while they waited are on this invoice now, with their credits. */
function creditedOn(credits: Subscription['credits'], invoice: InvoiceId): Subscription['credits'] {
  return credits?.map((credit) => (credit.invoice === null ? { ...credit, invoice } : credit)) ?? null;
}

/** The line that waited to charge for an item is on this invoice now. */
function chargedOn(item: Item, invoice: InvoiceId): Item {
  return item.charged?.invoice === null ? { ...item, charged: { ...item.charged, invoice } } : item;
}
