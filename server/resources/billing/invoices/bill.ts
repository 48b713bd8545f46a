import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import type { Advice } from '../../../connectors/contract.ts';
import type { Part } from '../../../operations/operation.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type ChangedCredit, changeCredit } from '../../payments/customers/credit.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { holdCustomer } from '../../payments/customers/operations.ts';
import { isFinal, type Payment } from '../../payments/payments/payment.ts';
import { dueAt } from '../../payments/test_clocks/time.ts';
import type { Dunning } from '../../people/accounts/account.ts';
import { noChange, type SubscriptionChange, saveChange } from '../subscription_state/change.ts';
import { applyInvoiceEvent, type InvoiceEvent } from '../subscription_state/invoice_event.ts';
import { isDunned, methodFor } from '../subscription_state/subscription.ts';
import { endOfDunning, nextAttempt } from './dunning.ts';
import {
  type Invoice,
  type InvoiceSignal,
  type invoiceEvents,
  type LastFailure,
  moveInvoice,
  notClosing,
  totalOf,
} from './invoice.ts';
import type { Parties } from './parties.ts';
import { invoiceEvent } from './schema.ts';
import { saveInvoice } from './store.ts';

/** An invoice together with all that changes with it in one commit. Immutable. */
export type Bill = {
  invoice: Invoice;
  /** Its subscription; undefined when it has none, or when others save it. */
  subscription: SubscriptionChange | undefined;
  /** Its customer, as stored; undefined where it is not needed. */
  customer: Customer | undefined;
  /** How the credit of the customer changes. */
  credit?: ChangedCredit;
  /** Whether the customer must not be deleted before the next commit. */
  holdsCustomer: boolean;
  dunning: Dunning;
  /** Where it may be finalized. */
  parties?: Parties;
  hostedUrl?: string;
  /** Further rows of the next commit, such as the items that the invoice takes. */
  writes: readonly Write[];
  events: readonly EventDraft[];
};

/** An invoice that changes alone. */
export function standaloneBill(invoice: Invoice): Bill {
  const dunning: Dunning = { days: [], end: 'canceled' };
  return {
    invoice,
    subscription: undefined,
    customer: undefined,
    holdsCustomer: false,
    dunning,
    writes: [],
    events: [],
  };
}

type InvoiceChange = Partial<Omit<Invoice, 'version' | 'id'>>;

function changeInvoice(bill: Bill, change: InvoiceChange, event?: keyof typeof invoiceEvents): Bill {
  const invoice = { ...bill.invoice, ...change };
  if (event === undefined) return { ...bill, invoice };
  // The version that the commit gives it.
  const draft = invoiceEvent(event, { ...invoice, version: invoice.version + 1 });
  return { ...bill, invoice, events: [...bill.events, draft] };
}

/** The bill after its subscription has changed by an event of the invoice. */
function changeSubscription(bill: Bill, type: InvoiceEvent['type'], at: number): Bill {
  const { invoice, subscription, dunning } = bill;
  if (subscription === undefined) return bill;
  const event = { type, invoice: invoice.id, at, dunningEnd: dunning.end };
  return { ...bill, subscription: { ...subscription, after: applyInvoiceEvent(subscription.after, event) } };
}

function statusAfter({ invoice }: Bill, signal: InvoiceSignal): Pick<Invoice, 'status'> {
  const status = moveInvoice(invoice.status, signal);
  assert(status, `an invoice that is ${invoice.status} cannot ${signal}`);
  return { status };
}

/** A new draft. */
export function draftBill(bill: Bill): Bill {
  return changeInvoice(bill, {}, 'invoice.created');
}

/** Gives it its number, and uses the customer's credit. An amount due of 0 is paid immediately. */
export function finalizeBill(bill: Bill, number: number, at: number, now: number): Bill {
  const total = totalOf(bill.invoice);
  const had = bill.customer?.credit_balance?.[bill.invoice.currency] ?? 0;
  const used = Math.min(had, Math.max(total, 0));
  const credit = used > 0 ? -used : Math.max(-total, 0);
  const change = {
    ...statusAfter(bill, 'finalize'),
    credit_applied: used,
    amount_due: Math.max(total - used, 0),
    number,
    finalized_at: at,
    ...bill.parties,
    hosted_url: bill.hostedUrl ?? null,
  };
  const after = changeInvoice(addCredit(bill, credit, at, now), change, 'invoice.finalized');
  const open = changeSubscription(after, 'opened', at);
  return open.invoice.amount_due === 0 ? payBill(open, null, at) : open;
}

/** Adds to the credit of the customer; below 0, uses it. */
function addCredit(bill: Bill, amount: number, at: number, now: number): Bill {
  if (amount === 0) return bill;
  const { currency, id: invoice, test_clock } = bill.invoice;
  // Under a test clock, credit moves at the clock's time.
  const created = test_clock === null ? null : new Date(at * 1_000);
  const credit = changeCredit(bill.credit ?? bill.customer!, { currency, amount, invoice, created }, now);
  return { ...bill, credit };
}

/** The method by which an invoice is collected. */
export function methodOf(bill: Bill): string | undefined {
  return methodFor(bill.subscription?.after, bill.customer);
}

function payBill(bill: Bill, payment: Payment | null, at: number): Bill {
  const settled = {
    ...statusAfter(bill, 'pay'),
    paid_at: at,
    dunning_ended_at: null, // of one that was given up before, dunning ends anew
    was_given_up: bill.invoice.status === 'uncollectible',
    amount_paid: bill.invoice.amount_due,
    is_charging: false,
    next_payment_attempt: null,
    ...(payment === null ? {} : { payment: payment.id }),
  };
  const after = changeInvoice(clearDue(bill), settled, 'invoice.paid');
  // The subscription has not counted on an invoice that was given up.
  return bill.invoice.status === 'open' ? changeSubscription(after, 'paid', at) : after;
}

function clearDue(bill: Bill): Bill {
  return { ...bill, invoice: dueAt(bill.invoice, null) };
}

/**
 * A payment is being made for it. An attempt that is planned for later still is, until the payment is over; one that is due now is this
 * one, unless its customer pays on a page at that moment.
 */
export function beginCharge(bill: Bill, payment: Payment, at: number): Bill {
  const { attempt_count, next_payment_attempt: next } = bill.invoice;
  const isKept = next !== null && (next > at || isOnPage(payment));
  const change = {
    payment: payment.id,
    is_charging: true,
    attempt_count: attempt_count + 1,
    next_payment_attempt: isKept ? next : null,
  };
  return changeInvoice(clearDue(bill), change);
}

/** The invoice after its payment. Unless the payment is over, the invoice waits for it. */
export function settleCharge(bill: Bill, payment: Payment, at: number, now: number): Bill {
  if (!isFinal(payment.status)) {
    const isAction = payment.status === 'requires_action' && bill.invoice.closing === null;
    // The page tells the customer, who is there.
    return isAction && !isOnPage(payment) ? changeInvoice(bill, {}, 'invoice.payment_action_required') : bill;
  }
  const over = changeInvoice(bill, { is_charging: false });
  if (bill.invoice.closing === 'void') return finishClosing(over, payment, at, now);
  if (payment.status === 'succeeded') return payBill(over, payment, at);
  const isOther = payment.status === 'canceled' || isOnPage(payment);
  return recordFailure(over, failureOf(payment), isOther ? adviceBefore(over) : payment.advice, at);
}

/** Its customer has paid it by a checkout session, with a card of their choice. */
function isOnPage({ checkout_session }: Payment): boolean {
  return checkout_session !== null;
}

/**
 * A payment that was canceled, or whose card was typed into a page, brings no advice about the method by which the invoice is collected: that
 * of the decline before it stands.
 */
function adviceBefore({ invoice: { failed_at, next_payment_attempt } }: Bill): Advice | null {
  return failed_at !== null && next_payment_attempt === null ? 'another_method' : null;
}

function failureOf(payment: Payment): LastFailure {
  const { status, failure_code, failure_decline_code, failure_message } = payment;
  if (status === 'canceled') return { code: 'payment_canceled', message: 'The payment was canceled.' };
  return {
    code: failure_code ?? 'processing_error',
    ...(failure_decline_code === null ? {} : { decline_code: failure_decline_code }),
    message: failure_message ?? 'The payment failed.',
  };
}

/** Collecting it has failed. It is tried again while its days last, unless the advice is against it. */
export function recordFailure(bill: Bill, failure: LastFailure, advice: Advice | null, at: number): Bill {
  const failed_at = bill.invoice.failed_at ?? at;
  const isOpen = bill.invoice.status === 'open'; // or it was given up, and is not expected to be paid
  const isRetried = isOpen && bill.subscription !== undefined && isDunned(bill.subscription.after);
  const next = isRetried ? nextAttempt(bill.dunning, failed_at, at, advice) : null;
  const end = isRetried ? endOfDunning(bill.dunning, failed_at) : null;
  const change = { failed_at, last_failure: failure, next_payment_attempt: next };
  const scheduled = { ...bill, invoice: dueAt(bill.invoice, next ?? end) };
  const unpaid = changeInvoice(scheduled, change, 'invoice.payment_failed');
  const after = isOpen ? changeSubscription(unpaid, 'failed', at) : unpaid;
  const wantsCardholder =
    advice === 'authenticate' ? changeInvoice(after, {}, 'invoice.payment_action_required') : after;
  return end !== null && end <= at ? endDunning(wantsCardholder, at) : wantsCardholder;
}

/** Its retry days are over. Where that ends the subscription, the money is no longer expected. */
export function endDunning(bill: Bill, at: number): Bill {
  const after = changeSubscription(changeInvoice(clearDue(bill), { next_payment_attempt: null }), 'exhausted', at);
  return bill.dunning.end === 'canceled' ? giveUpBill(after, at) : after;
}

/**
 * A person had entered that its payment succeeded, and it did not. The days of dunning count from now. An invoice that was given up before
 * it was paid is given up again.
 */
export function reopenBill(bill: Bill, payment: Payment, at: number): Bill {
  const { was_given_up } = bill.invoice;
  const signal = was_given_up ? 'give_up_again' : 'reopen';
  const unpaid = changeInvoice(bill, { ...statusAfter(bill, signal), paid_at: null, amount_paid: 0, failed_at: null });
  const after = recordFailure(
    was_given_up ? unpaid : changeSubscription(unpaid, 'reopened', at),
    failureOf(payment),
    payment.advice,
    at,
  );
  return after.invoice.status === 'open' && after.subscription?.after.status === 'canceled'
    ? giveUpBill(after, at)
    : after;
}

/** Makes it due for another attempt now: by a job, or by an advance of its clock that begins before. */
export function retryNow(bill: Bill, at: number, now: number): Bill {
  const { clock_due_at } = dueAt(bill.invoice, at);
  return changeInvoice(makeDueNow(bill, now), { next_payment_attempt: at, clock_due_at });
}

/** Ends its retries. */
export function stopRetrying(bill: Bill): Bill {
  return changeInvoice(clearDue(bill), { next_payment_attempt: null });
}

export function giveUpBill(bill: Bill, at: number): Bill {
  const change = { ...statusAfter(bill, 'give_up'), next_payment_attempt: null };
  return changeSubscription(changeInvoice(clearDue(bill), change, 'invoice.marked_uncollectible'), 'given_up', at);
}

/** Credit that was used for it is given back. */
export function voidBill(bill: Bill, at: number, now: number): Bill {
  const { credit_applied, status } = bill.invoice;
  const credited = bill.customer === undefined ? bill : addCredit(bill, credit_applied, at, now);
  const change = { ...statusAfter(bill, 'void'), voided_at: at, next_payment_attempt: null, ...notClosing };
  const gone = changeInvoice(clearDue(credited), change, 'invoice.voided');
  return status === 'open' ? changeSubscription(gone, 'voided', at) : gone;
}

/** It is voided as soon as its payment is over, which a job cancels if it can: in real time, whatever the customer's clock. */
export function beginClosing(bill: Bill, now: number): Bill {
  const begun = { ...notClosing, closing: 'void', closing_since: new Date(now) } as const;
  return changeInvoice(makeDueNow(bill, now), { ...begun, next_payment_attempt: null });
}

/** The payment of an invoice that was to be voided is over. */
function finishClosing(bill: Bill, payment: Payment, at: number, now: number): Bill {
  const gone = voidBill(bill, at, now);
  return payment.status === 'succeeded' ? beginRefund(gone, payment, now) : gone;
}

/** The payment of an invoice that is void has succeeded after all. A job gives the money back. */
export function beginRefund(bill: Bill, { id }: Payment, now: number): Bill {
  const begun = { ...notClosing, closing: 'refund', closing_since: new Date(now) } as const;
  return changeInvoice(makeDueNow(bill, now), { ...begun, payment: id });
}

/** Due now, in real time. */
function makeDueNow(bill: Bill, now: number): Bill {
  const times = { due_at: new Date(now), clock_due_at: null, lease_until: null };
  return { ...bill, invoice: { ...bill.invoice, ...times } };
}

/** When its dunning ended, for statistics: it was paid after a failure, or is given up. */
function dunningEnd({ status, failed_at, dunning_ended_at }: Invoice, now: number): Date | null {
  const isEnded = status === 'uncollectible' || (status === 'paid' && failed_at !== null);
  return isEnded ? (dunning_ended_at ?? new Date(now)) : null;
}

/**
 * The rows and events of the next commit, and the bill as it is stored then. Under a test clock, events carry its time. `now` is real time,
 * epoch milliseconds.
 */
export function saveBill(bill: Bill, at: number, now: number): Part & { bill: Bill } {
  const dunning_ended_at = dunningEnd(bill.invoice, now);
  const invoice = { ...bill.invoice, version: bill.invoice.version + 1, dunning_ended_at };
  const subscription = bill.subscription && saveChange(bill.subscription, now);
  const customer = saveCustomer(bill);
  const events = [...bill.events, ...(subscription?.events ?? []), ...customer.events];
  const { credit: _, ...rest } = bill;
  return {
    writes: [saveInvoice(invoice), ...bill.writes, ...(subscription?.writes ?? []), ...customer.writes],
    events: invoice.test_clock === null ? events : events.map((event) => ({ ...event, created: at })),
    bill: {
      ...rest,
      invoice,
      subscription: subscription && noChange(subscription.subscription),
      customer: undefined,
      holdsCustomer: false,
      writes: [],
      events: [],
    },
  };
}

function saveCustomer({ customer, credit, holdsCustomer }: Bill): Part {
  if (credit !== undefined) return credit.part;
  return { writes: holdsCustomer && customer !== undefined ? [holdCustomer(customer)] : [], events: [] };
}
