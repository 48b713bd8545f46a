import { creditOf, sumsOf } from './invoices.ts';
import type { BillingModel } from './model.ts';
import type { CustomerModel, InvoiceModel, LineModel, SubscriptionModel } from './state.ts';

/**
 * What the API must show, in its own words, with keys of the model in place of ids. Both sides of the comparison have this shape, so that
 * a difference can be read.
 */
export type CustomerShown = {
  credit: Record<string, number>;
  movements: object[];
  subscriptions: object[];
  invoices: object[];
};
export type BillingShown = Record<string, CustomerShown>;

export function expectedOf(model: BillingModel): BillingShown {
  const all = [...model.subscriptions.values()];
  return Object.fromEntries(
    [...model.customers.values()].map((customer) => [
      customer.key,
      expectedCustomer(
        customer,
        all.filter((sub) => sub.customer === customer),
      ),
    ]),
  );
}

function expectedCustomer(customer: CustomerModel, subscriptions: SubscriptionModel[]): CustomerShown {
  const currencies = [...new Set(customer.movements.map(({ currency }) => currency))].sort();
  const credit = currencies.map((currency) => [currency, creditOf(customer, currency)] as const);
  return {
    credit: Object.fromEntries(credit.filter(([, amount]) => amount !== 0)),
    movements: customer.movements.map(({ amount, currency, invoice, at }) => ({
      amount,
      currency,
      invoice: invoice.key,
      created: at,
    })),
    subscriptions: subscriptions.map(expectedSubscription),
    invoices: customer.invoices.map(expectedInvoice),
  };
}

function expectedSubscription(sub: SubscriptionModel): object {
  // The period of a subscription that is not billed means nothing to anyone.
  const isBilled = sub.status !== 'unpaid' && !isUnbilled(sub);
  return present({
    key: sub.key,
    status: sub.status,
    items: sub.items.map(({ price, quantity }) => `${quantity} × ${price.key}`).sort(),
    current_period_start: isBilled ? sub.periodStart : undefined,
    current_period_end: isBilled ? sub.periodEnd : undefined,
    billing_cycle_anchor: sub.anchor,
    cancel_at_period_end: sub.endsWithPeriod,
    created: sub.created,
    latest_invoice: sub.latestInvoice?.key,
    trial_start: sub.trialStart,
    trial_end: sub.trialEnd,
    canceled_at: sub.canceledAt,
    ended_at: sub.endedAt,
    paused_at: sub.pausedAt,
  });
}

/** A subscription that was unpaid has a period without an invoice until the next boundary. */
export function isUnbilled(sub: SubscriptionModel): boolean {
  return ['active', 'past_due'].includes(sub.status) && sub.periodInvoice === undefined;
}

function expectedInvoice(invoice: InvoiceModel): object {
  const { subtotal, discount, total, due, remaining } = sumsOf(invoice);
  return present({
    key: invoice.key,
    subscription: invoice.subscription?.key,
    status: invoice.status,
    billing_reason: invoice.reason,
    currency: invoice.currency,
    lines: invoice.lines.map(expectedLine).sort(),
    subtotal,
    discount,
    total,
    credit_applied: invoice.creditApplied,
    amount_due: due,
    amount_paid: invoice.amountPaid,
    amount_remaining: remaining,
    attempt_count: invoice.attemptCount,
    period_start: invoice.periodStart,
    period_end: invoice.periodEnd,
    created: invoice.created,
    next_payment_attempt: invoice.nextAttempt,
    last_failure: invoice.status === 'open' ? invoice.lastFailure : undefined,
    paid_at: invoice.paidAt,
    // Voiding waits for the end of a payment that the cardholder has not decided on, and the clock goes on.
    voided_at: invoice.charges.some(({ outcome }) => outcome === 'canceled') ? undefined : invoice.voidedAt,
    payments: invoice.charges.map(({ at, amount, outcome }) => `${outcome} ${amount} at ${at}`),
  });
}

/**
 * One text a line, so that lines can be compared in any order. A credit goes by its amount and time: after a change without proration its
 * item is no longer what was charged, and which of the two it names is not promised.
 */
export function lineText(line: {
  amount: number;
  discount: number;
  start: number;
  end: number;
  isProration: boolean;
  what: string;
}): string {
  const { amount, discount, start, end, isProration, what } = line;
  const name = isProration && amount < 0 ? 'credit' : what;
  return `${name}: ${amount} - ${discount}, ${start} to ${end}${isProration ? ', prorated' : ''}`;
}

function expectedLine({ price, quantity, isOneOff, ...line }: LineModel): string {
  return lineText({ ...line, what: isOneOff ? 'item' : `${quantity} × ${price!.key}` });
}

export function present(facts: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
