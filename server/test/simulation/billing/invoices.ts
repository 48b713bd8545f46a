import { billingCards } from './cards.ts';
import { daySeconds } from './days.ts';
import type {
  CardModel,
  ChargeModel,
  CustomerModel,
  Defect,
  DunningModel,
  FailureModel,
  InvoiceModel,
  LineModel,
  SubscriptionModel,
} from './state.ts';

export type Wish = {
  subscription: SubscriptionModel;
  reason: InvoiceModel['reason'];
  lines: LineModel[];
};
type Charged = 'paid' | 'failed' | 'waits';

export function sumsOf({ lines, creditApplied, amountPaid, status }: InvoiceModel) {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discount = lines.reduce((sum, line) => sum + line.discount, 0);
  const total = subtotal - discount;
  const due = Math.max(0, total - creditApplied);
  return { subtotal, discount, total, due, remaining: status === 'paid' ? 0 : due - amountPaid };
}

export function creditOf({ movements }: CustomerModel, currency: string): number {
  return movements.reduce((sum, one) => sum + (one.currency === currency ? one.amount : 0), 0);
}

/** Makes invoices and collects them. */
export class InvoiceBook {
  readonly #clock: { now: number };
  readonly #dunning: DunningModel;
  readonly #defect: Defect | undefined;

  constructor(clock: { now: number }, dunning: DunningModel, defect?: Defect) {
    this.#clock = clock;
    this.#dunning = dunning;
    this.#defect = defect;
  }

  /** A finalized invoice of a subscription: the new lines, the waiting lines, and the customer's items. It is not charged yet. */
  make({ subscription, reason, lines }: Wish): InvoiceModel {
    const { customer, currency, periodStart, periodEnd, coupon } = subscription;
    const isMine = (item: CustomerModel['items'][number]) =>
      item.currency === currency && (item.subscription === undefined || item.subscription === subscription);
    const invoice = this.#add(customer, {
      subscription,
      reason,
      currency,
      lines: [...lines, ...subscription.waiting, ...this.#takeItems(customer, isMine)],
      periodStart,
      periodEnd,
    });
    for (const line of invoice.lines) line.invoice = invoice;
    subscription.waiting = [];
    subscription.latestInvoice = invoice;
    const isKept = this.#defect === 'a coupon for one invoice discounts every invoice';
    if (coupon !== undefined && sumsOf(invoice).discount > 0 && !isKept) coupon.isUsedUp = true;
    this.finalize(invoice);
    return invoice;
  }

  /** A draft of the customer's waiting items. */
  draft(customer: CustomerModel, currency: string): InvoiceModel {
    const { now } = this.#clock;
    const lines = this.#takeItems(customer, (item) => item.currency === currency && item.subscription === undefined);
    return this.#add(customer, { reason: 'manual', currency, lines, periodStart: now, periodEnd: now });
  }

  #add(
    customer: CustomerModel,
    facts: Pick<InvoiceModel, 'reason' | 'currency' | 'lines' | 'periodStart' | 'periodEnd' | 'subscription'>,
  ): InvoiceModel {
    const invoice: InvoiceModel = {
      ...facts,
      key: `${customer.key}/${customer.invoices.length + 1}`,
      customer,
      status: 'draft',
      creditApplied: 0,
      amountPaid: 0,
      attemptCount: 0,
      charges: [],
      created: this.#clock.now,
    };
    customer.invoices.push(invoice);
    return invoice;
  }

  #takeItems(customer: CustomerModel, isTaken: (item: CustomerModel['items'][number]) => boolean): LineModel[] {
    const taken = customer.items.filter(isTaken);
    customer.items = customer.items.filter((item) => !isTaken(item));
    return taken.map(({ amount }) => ({ amount, discount: 0, start: 0, end: 0, isProration: false, isOneOff: true }));
  }

  /** Uses credit, or becomes credit. */
  finalize(invoice: InvoiceModel): void {
    const { customer, currency } = invoice;
    const { total } = sumsOf(invoice);
    invoice.status = 'open';
    if (total < 0) this.#move(invoice, -total);
    if (total > 0) invoice.creditApplied = Math.min(total, creditOf(customer, currency));
    if (invoice.creditApplied > 0) this.#move(invoice, -invoice.creditApplied);
    if (sumsOf(invoice).due === 0) this.#paid(invoice);
  }

  #move(invoice: InvoiceModel, amount: number): void {
    const { customer, currency } = invoice;
    customer.movements.push({ amount, currency, invoice, at: this.#clock.now });
  }

  #paid(invoice: InvoiceModel): void {
    invoice.status = 'paid';
    invoice.paidAt = this.#clock.now;
    delete invoice.nextAttempt;
  }

  charge(invoice: InvoiceModel, card: CardModel | undefined, { isPresent }: { isPresent: boolean }): Charged {
    if (invoice.status === 'paid') return 'paid';
    const { now } = this.#clock;
    const amount = sumsOf(invoice).due;
    const charged = (outcome: ChargeModel['outcome']) => invoice.charges.push({ at: now, amount, outcome });
    invoice.attemptCount++;
    if (card === undefined) return this.#failed(invoice, { code: 'payment_method_missing' }, true);
    const { failure, isTriedAgain = false } = billingCards[card];
    if (failure === undefined) {
      charged('succeeded');
      invoice.amountPaid = amount;
      this.#paid(invoice);
      return 'paid';
    }
    if (card === 'wants_cardholder' && isPresent) {
      charged('requires_action');
      return 'waits';
    }
    charged('failed');
    return this.#failed(invoice, failure, isTriedAgain);
  }

  #failed(invoice: InvoiceModel, failure: FailureModel, isTriedAgain: boolean): 'failed' {
    invoice.firstFailure ??= this.#clock.now;
    invoice.lastFailure = failure;
    const isRetried = isTriedAgain || this.#defect === 'a hard decline is tried again';
    const next = isRetried && isCollected(invoice, this.#defect) ? this.#nextDay(invoice) : undefined;
    if (next === undefined) delete invoice.nextAttempt;
    else invoice.nextAttempt = next;
    return 'failed';
  }

  #nextDay({ firstFailure, attemptCount }: InvoiceModel): number | undefined {
    const { now } = this.#clock;
    if (this.#defect === 'a retry is counted from the failure before it' && attemptCount > 1)
      return attemptCount > this.#dunning.days.length ? undefined : now + 2 * daySeconds + 1;
    return this.#dunning.days.map((days) => firstFailure! + days * daySeconds).find((time) => time > now);
  }

  void(invoice: InvoiceModel): void {
    invoice.status = 'void';
    invoice.voidedAt = this.#clock.now;
    delete invoice.nextAttempt;
    for (const charge of invoice.charges) if (charge.outcome === 'requires_action') charge.outcome = 'canceled';
    const { creditApplied } = invoice;
    if (creditApplied > 0 && this.#defect !== 'a void invoice keeps the credit') this.#move(invoice, creditApplied);
  }

  markUncollectible(invoice: InvoiceModel): void {
    invoice.status = 'uncollectible';
    delete invoice.nextAttempt;
    const isGiven = this.#defect === 'an uncollectible invoice gives the credit back';
    if (isGiven && invoice.creditApplied > 0) this.#move(invoice, invoice.creditApplied);
  }
}

/** Whether a failed charge is repeated by itself. */
function isCollected({ subscription }: InvoiceModel, defect?: Defect): boolean {
  if (subscription === undefined) return false;
  if (defect === 'a canceled subscription is still retried' && subscription.status === 'canceled') return true;
  return !['incomplete', 'canceled'].includes(subscription.status);
}
