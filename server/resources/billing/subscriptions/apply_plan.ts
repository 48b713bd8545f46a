import type { Write } from '../../../base/commit/index.ts';
import { newIds } from '../../../base/id.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { paymentOf, resumeAttempt } from '../../payments/attempts/perform.ts';
import { holdCustomer } from '../../payments/customers/operations.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { takeItem } from '../invoice_items/waiting.ts';
import { type Bill, draftBill, finalizeBill } from '../invoices/bill.ts';
import { type ChargeWish, collect, resumeBill } from '../invoices/collect.ts';
import { findInvoices } from '../invoices/descriptor.ts';
import { type Invoice, type InvoiceId, newInvoice } from '../invoices/invoice.ts';
import { itemLine } from '../invoices/item_line.ts';
import type { Line } from '../invoices/line.ts';
import { partiesOf } from '../invoices/parties.ts';
import { saveChange } from '../subscription_state/change.ts';
import { serializeSubscription } from '../subscription_state/schema.ts';
import type { Item, Subscription } from '../subscription_state/subscription.ts';
import { apiError } from './errors.ts';
import { changeTopic, payFirst } from './pay_first.ts';
import { pendingPlan } from './pending_plan.ts';
import type { Plan } from './plan.ts';
import { monthlyRevenue } from './revenue.ts';
import { type InvoiceSources, waitingLinesMax } from './sources.ts';
import { addWaitingLine, takeWaitingLine } from './store.ts';

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
  holdsCustomer?: boolean;
};

/** The part of the terms that a draft needs. */
type BillTerms = Pick<PlanTerms, 'stored' | 'events' | 'writes' | 'holdsCustomer'>;

/** Applies a plan: collects its invoice, or changes the subscription without one. */
export async function applyPlan(
  context: Context,
  payments: PaymentTopic,
  sources: InvoiceSources,
  plan: Plan,
  terms: PlanTerms,
): Promise<Outcome | RemoteCall | Sequenced> {
  // Items, coupon and period change by plans alone, and what it brings in a month follows from them.
  const planned = { ...plan, subscription: { ...plan.subscription, mrr: monthlyRevenue(plan.subscription, sources) } };
  const bill = billOf(sources, planned, terms);
  if (bill === undefined) return applyWithoutInvoice(sources, planned, terms);
  const { charge, paysFirst = false, clockWrites = [] } = terms;
  const { at, items } = sources;
  if (paysFirst)
    return payFirst(context, payments, { bill, plan: pendingPlan(bill, items), charge, clockWrites, at, answer });
  return collect(context, payments, {
    bill: { ...bill, writes: [...bill.writes, ...clockWrites] },
    charge,
    at,
    answer,
  });
}

/** Whether a plan has nothing to pay: no invoice, or one that needs no payment. */
export function isFree(sources: InvoiceSources, plan: Plan, terms: PlanTerms): boolean {
  const bill = billOf(sources, plan, terms);
  return bill === undefined || finalizeBill(bill, 1, sources.at, sources.now).invoice.status === 'paid';
}

/** The draft of the invoice of a plan, and the subscription that changes with it. Undefined when there is no invoice. */
export function billOf(
  sources: InvoiceSources,
  plan: Plan,
  terms: BillTerms = { stored: undefined },
): Bill | undefined {
  const invoice = draftInvoice(sources, plan);
  if (invoice === undefined) return undefined;
  const { customer, waiting, items, dunning, seller, hostedUrl } = sources;
  return draftBill({
    invoice,
    subscription: {
      before: terms.stored,
      after: putOnInvoice(plan.subscription, sources, invoice),
      events: terms.events ?? [],
    },
    customer,
    holdsCustomer: terms.holdsCustomer ?? false,
    dunning,
    parties: partiesOf(seller, customer),
    hostedUrl,
    writes: [
      ...waiting.map(takeWaitingLine),
      ...items.map((item) => takeItem(item, invoice.id)),
      ...(terms.writes ?? []),
    ],
    events: [],
  });
}

/** The invoice of a plan, with waiting lines. Undefined when there is none. */
export function draftInvoice(sources: InvoiceSources, plan: Plan): Invoice | undefined {
  const lines = invoiceLines(sources, plan);
  if (lines.length === 0) return undefined;
  const { reason, period } = plan.invoice!;
  const { tenant, id: subscription, currency } = plan.subscription;
  const { customer, invoice: id, at } = sources;
  return newInvoice({
    tenant,
    id,
    customer: customer.id,
    subscription,
    test_clock: customer.test_clock,
    created: at,
    billing_reason: reason,
    currency,
    period,
    lines,
  });
}

function invoiceLines({ waiting, items, at, now }: InvoiceSources, { invoice, subscription }: Plan): Line[] {
  if (invoice === undefined) return [];
  const isWaitedFor = waiting.length > 0 || items.some((item) => item.subscription === subscription.id);
  const isWanted = invoice.lines.length > 0 || (isWaitedFor && !invoice.needsLines);
  if (!isWanted) return [];
  return [...invoice.lines, ...waiting.map(({ line }) => line), ...items.map((item) => itemLine(item, at, now))];
}

/** The subscription once an invoice has taken the lines that waited, with what they charge and credit. */
function putOnInvoice(subscription: Subscription, { coupon }: InvoiceSources, { id, discount }: Invoice): Subscription {
  return {
    ...subscription,
    items: subscription.items.map((item) => chargeOn(item, id)),
    credits: creditOn(subscription.credits, id),
    coupon_used: subscription.coupon_used || (coupon?.duration === 'once' && discount > 0),
    waiting_lines: 0,
  };
}

/** The line that waited to charge for an item is on this invoice now. */
function chargeOn(item: Item, invoice: InvoiceId): Item {
  return item.charged?.invoice === null ? { ...item, charged: { ...item.charged, invoice } } : item;
}

/** Lines that were credited while they waited are on this invoice now, with their credits. */
function creditOn(credits: Subscription['credits'], invoice: InvoiceId): Subscription['credits'] {
  return credits?.map((credit) => (credit.invoice === null ? { ...credit, invoice } : credit)) ?? null;
}

/** The rows and events of a plan without an invoice. Its lines wait for the next one. */
function applyWithoutInvoice({ customer, now }: InvoiceSources, plan: Plan, terms: PlanTerms): Outcome {
  checkWaiting(plan);
  const waiting = waitingRows(plan, now);
  const after = { ...plan.subscription, waiting_lines: plan.subscription.waiting_lines + waiting.length };
  const { stored, events = [], holdsCustomer = false, writes = [], clockWrites = [] } = terms;
  const saved = saveChange({ before: stored, after, events }, now);
  const due = saved.subscription.due_at?.getTime();
  return {
    ...answerWith(saved.subscription),
    writes: [
      ...saved.writes,
      ...waiting,
      ...(holdsCustomer ? [holdCustomer(customer)] : []),
      ...writes,
      ...clockWrites,
    ],
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

function waitingRows({ subscription: { tenant, id }, waits = [] }: Plan, now: number): Write[] {
  const ids = newIds('wl', now, waits.length); // they are billed in this order
  return waits.map((line, at) => addWaitingLine({ tenant, id: ids[at]!, version: 1, subscription: id, line }));
}

/** The subscription is the answer. A charge that fails shows in its status. */
const answer = ({ subscription }: Bill): Outcome => answerWith(subscription!.after);

export function answerWith(subscription: Subscription): Outcome {
  return { result: serializeSubscription(subscription), objectId: subscription.id };
}

/** Answers a retry of a request whose process died while a processor was asked. */
export function resumeSubscription(payments: PaymentTopic) {
  return async (context: Context, attempt: string): Promise<Outcome | Sequenced | undefined> => {
    if (await paysFirst(context, attempt))
      return resumeAttempt(changeTopic(context, payments, answer))(context, attempt);
    return resumeBill(payments, answer)(context, attempt);
  };
}

/** Whether an attempt is for a change that waits for its payment, or has waited: until it is carried out, no invoice has a number. */
async function paysFirst(context: Context, attempt: string): Promise<boolean> {
  const id = await paymentOf(context, attempt);
  const invoice = (await findPayments(context, [id])).get(id)?.invoice;
  return invoice == null || (await findInvoices(context, [invoice])).get(invoice)?.number == null;
}
