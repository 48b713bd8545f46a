import type { BillingAction, ItemChange, RefusalModel } from './actions.ts';
import { billingCards } from './cards.ts';
import { daySeconds } from './days.ts';
import { InvoiceBook } from './invoices.ts';
import { boundaryAfter, chargeFor, chargesForPeriod, creditFor, discount } from './lines.ts';
import type { CustomerModel, Defect, DunningModel, InvoiceModel, LineModel, SubscriptionModel } from './state.ts';
import { applyTo, cardOf, changesInterval, openInvoices } from './subscriptions.ts';

const firstPaymentSeconds = 23 * 3_600;
const badDate = { status: 400, code: 'parameter_invalid' };
const notUpdatable = { status: 400, code: 'subscription_not_updatable' };

type Due = { at: number; rank: number; run: () => void };
type ActionOf<Kind extends BillingAction['kind']> = Extract<BillingAction, { kind: Kind }>;

/** Subscriptions as their guide describes them, computed in another way than the gateway does. */
export class BillingModel {
  readonly customers = new Map<string, CustomerModel>();
  readonly subscriptions = new Map<string, SubscriptionModel>();
  readonly dunning: DunningModel;
  readonly #clock: { now: number };
  readonly #book: InvoiceBook;
  readonly #defect: Defect | undefined;
  #target: number;
  #isShaken = false;

  constructor(now: number, dunning: DunningModel, defect?: Defect) {
    this.#clock = { now };
    this.#target = now;
    this.dunning = dunning;
    this.#defect = defect;
    this.#book = new InvoiceBook(this.#clock, dunning, defect);
  }

  get now(): number {
    return this.#clock.now;
  }

  addCustomer(key: string): void {
    this.customers.set(key, { key, items: [], invoices: [], movements: [] });
  }

  invoice(key: string): InvoiceModel {
    return this.customers.get(key.split('/')[0]!)!.invoices.find((one) => one.key === key)!;
  }

  /** A process dies. That must not show. */
  crash(): void {
    this.#isShaken = true;
  }

  /** Everything due until then, in order of time. A retry comes before the end of its days, and both before a boundary. */
  advance(to: number): void {
    this.#target = to;
    for (;;) {
      const all = [...this.subscriptions.values()].flatMap((sub) => this.#dueOf(sub)).filter((due) => due.at <= to);
      const [next] = all.sort((a, b) => a.at - b.at || a.rank - b.rank);
      if (next === undefined) break;
      this.#clock.now = next.at;
      next.run();
    }
    this.#clock.now = to;
  }

  #dueOf(sub: SubscriptionModel): Due[] {
    const { status, periodEnd, created, endsWithPeriod } = sub;
    const boundary = (run: () => void): Due => ({ at: periodEnd, rank: 2, run });
    switch (status) {
      case 'incomplete':
        return [{ at: created + firstPaymentSeconds, rank: 0, run: () => this.#expire(sub) }];
      case 'trialing':
        return [boundary(() => this.#endTrial(sub, 'subscription_cycle'))];
      case 'active':
      case 'past_due':
        return [boundary(() => this.#renew(sub)), ...this.#dunningOf(sub)];
      case 'unpaid':
        return [boundary(() => (endsWithPeriod ? this.#end(sub, []) : this.#skipPeriod(sub))), ...this.#dunningOf(sub)];
      case 'paused':
        return endsWithPeriod ? [boundary(() => this.#end(sub, []))] : [];
      case 'canceled':
        return this.#defect === 'a canceled subscription is still retried' ? this.#dunningOf(sub) : [];
    }
  }

  #dunningOf(sub: SubscriptionModel): Due[] {
    const lastDay = this.dunning.days.at(-1)! * daySeconds;
    return openInvoices(sub).flatMap((invoice) => {
      const { nextAttempt, firstFailure, isGivenUp } = invoice;
      const due: Due[] = [];
      if (nextAttempt !== undefined) due.push({ at: nextAttempt, rank: 0, run: () => this.#collect(sub, invoice) });
      if (firstFailure !== undefined && !isGivenUp && sub.status === 'past_due')
        due.push({ at: firstFailure + lastDay, rank: 1, run: () => this.#giveUp(sub, invoice) });
      return due;
    });
  }

  #expire(sub: SubscriptionModel): void {
    for (const invoice of openInvoices(sub)) this.#book.void(invoice);
    this.#close(sub);
  }

  /** The status after an end; open invoices are no longer retried. */
  #close(sub: SubscriptionModel): void {
    sub.status = 'canceled';
    sub.canceledAt ??= this.now;
    sub.endedAt = this.now;
    if (this.#defect === 'a canceled subscription is still retried') return;
    for (const invoice of openInvoices(sub)) delete invoice.nextAttempt;
  }

  #endTrial(sub: SubscriptionModel, reason: InvoiceModel['reason']): void {
    if (sub.endsWithPeriod) {
      this.#end(sub, []);
      return;
    }
    sub.status = 'active';
    if (!sub.hasOwnAnchor) sub.anchor = this.now;
    this.#bill(sub, reason);
  }

  /** Begins a period now, and invoices it with the lines that end the one before. */
  #bill(sub: SubscriptionModel, reason: InvoiceModel['reason'], before?: LineModel[]): InvoiceModel {
    sub.periodStart = this.now;
    sub.periodEnd = boundaryAfter(sub, this.now);
    // Another interval takes the place of this period, and is paid with its credit.
    if (before === undefined) sub.creditedLines = sub.creditedLines.filter(({ invoice }) => invoice === undefined);
    const lines = [...(before ?? []), ...chargesForPeriod(sub, this.#defect)];
    sub.periodInvoice = this.#book.make({ subscription: sub, reason, lines });
    if (reason !== 'subscription_create') this.#collect(sub, sub.periodInvoice);
    return sub.periodInvoice;
  }

  #renew(sub: SubscriptionModel): void {
    if (this.#defect === 'the next boundary is computed from the previous one') sub.base = sub.periodEnd;
    const isMissed = boundaryAfter(sub, this.now) <= this.#target;
    if (sub.endsWithPeriod) this.#end(sub, []);
    else if (isMissed && this.#defect === 'only the last of several missed periods is invoiced') this.#skipPeriod(sub);
    else this.#bill(sub, 'subscription_cycle');
    if (this.#isShaken && this.#defect === 'a period is invoiced twice after a crash')
      this.#bill(sub, 'subscription_cycle');
    this.#isShaken = false;
  }

  #skipPeriod(sub: SubscriptionModel): void {
    sub.periodStart = this.now;
    sub.periodEnd = boundaryAfter(sub, this.now);
    delete sub.periodInvoice;
    for (const item of sub.items) delete item.cover;
  }

  /** Ends now. What waits, and the credit, make a last invoice. */
  #end(sub: SubscriptionModel, credit: LineModel[]): void {
    this.#close(sub);
    this.#invoiceRest(sub, credit);
  }

  /** An invoice only if something of this subscription waits for it. */
  #invoiceRest(sub: SubscriptionModel, lines: LineModel[]): void {
    const hasItems = sub.customer.items.some((item) => item.subscription === sub && item.currency === sub.currency);
    if (lines.length === 0 && sub.waiting.length === 0 && !hasItems) return;
    this.#collect(sub, this.#book.make({ subscription: sub, reason: 'subscription_update', lines }));
  }

  /** A charge without the cardholder. */
  #collect(sub: SubscriptionModel, invoice: InvoiceModel): void {
    const outcome = this.#book.charge(invoice, cardOf(sub), { isPresent: false });
    if (outcome === 'failed' && sub.status === 'active') sub.status = 'past_due';
    if (outcome === 'paid') this.#settled(invoice);
  }

  /** A subscription without open invoices is no longer behind. */
  #settled({ subscription: sub, status }: InvoiceModel): void {
    if (sub === undefined || openInvoices(sub).length > 0) return;
    if (sub.status === 'past_due') sub.status = 'active';
    if (sub.status === 'unpaid' && status === 'paid') sub.status = 'active';
    if (sub.status === 'incomplete' && status === 'paid') sub.status = 'active';
    else if (sub.status === 'incomplete') this.#close(sub);
  }

  #giveUp(sub: SubscriptionModel, invoice: InvoiceModel): void {
    invoice.isGivenUp = true;
    const open = openInvoices(sub);
    if (this.dunning.end === 'past_due') return;
    if (this.dunning.end === 'unpaid') {
      sub.status = 'unpaid'; // each open invoice keeps its own days
      return;
    }
    for (const one of open) this.#book.markUncollectible(one);
    this.#close(sub);
  }

  act(action: BillingAction): RefusalModel {
    switch (action.kind) {
      case 'subscribe':
        return this.#subscribe(action);
      case 'item':
        return this.#addItem(action);
      case 'draft':
        this.#book.draft(this.customers.get(action.customer)!, action.currency);
        return undefined;
      case 'card_of_customer':
        return this.#setCardOfCustomer(action);
      case 'refund': {
        const invoice = this.invoice(action.invoice);
        invoice.refunded = (invoice.refunded ?? 0) + action.amount;
        return undefined;
      }
      case 'pay':
      case 'finalize':
      case 'void':
      case 'mark_uncollectible':
        return this.#actOnInvoice(action, this.invoice(action.invoice));
      default:
        return this.#actOn(this.subscriptions.get(action.subscription)!, action);
    }
  }

  #subscribe(action: ActionOf<'subscribe'>): RefusalModel {
    const { now } = this;
    const { trialDays, card, coupon } = action;
    const customer = this.customers.get(action.customer)!;
    if (trialDays === undefined && (card ?? customer.card) === undefined)
      return { status: 400, code: 'parameter_missing' };
    const trialEnd = trialDays === undefined ? undefined : now + trialDays * daySeconds;
    const sub: SubscriptionModel = {
      key: action.subscription,
      customer,
      status: trialEnd === undefined ? 'incomplete' : 'trialing',
      currency: action.items[0]!.price.currency,
      items: action.items.map((item) => ({ ...item })),
      ...(card && { card }),
      anchor: action.anchor ?? trialEnd ?? now,
      hasOwnAnchor: action.anchor !== undefined,
      periodStart: now,
      periodEnd: trialEnd ?? now,
      waiting: [],
      creditedLines: [],
      ...(coupon && { coupon: { coupon, at: now, isUsedUp: false } }),
      endsWithPeriod: action.endsWithPeriod ?? false,
      ...(action.endsWithPeriod && { canceledAt: now }),
      created: now,
      ...(trialEnd !== undefined && { trialStart: now, trialEnd }),
    };
    this.subscriptions.set(sub.key, sub);
    if (trialEnd !== undefined) return undefined;
    const invoice = this.#bill(sub, 'subscription_create');
    if (this.#book.charge(invoice, cardOf(sub), { isPresent: true }) === 'paid') this.#settled(invoice);
    return undefined;
  }

  #addItem({ customer, amount, currency, subscription }: ActionOf<'item'>): undefined {
    const sub = subscription === undefined ? undefined : this.subscriptions.get(subscription)!;
    this.customers.get(customer)!.items.push({ amount, currency, ...(sub && { subscription: sub }) });
  }

  #setCardOfCustomer({ customer, card }: ActionOf<'card_of_customer'>): undefined {
    const one = this.customers.get(customer)!;
    one.card = card;
    const followers = [...this.subscriptions.values()].filter((sub) => sub.customer === one && sub.card === undefined);
    for (const sub of followers) this.#tryAgain(sub);
  }

  #tryAgain(sub: SubscriptionModel): void {
    if (sub.status !== 'past_due') return;
    for (const invoice of openInvoices(sub)) this.#collect(sub, invoice);
  }

  #actOnInvoice(
    action: ActionOf<'pay' | 'finalize' | 'void' | 'mark_uncollectible'>,
    invoice: InvoiceModel,
  ): RefusalModel {
    const { customer, subscription } = invoice;
    if (action.kind === 'finalize') this.#book.finalize(invoice);
    if (action.kind === 'void') this.#book.void(invoice);
    if (action.kind === 'mark_uncollectible') this.#book.markUncollectible(invoice);
    if (action.kind === 'pay') {
      const card = action.card ?? (subscription ? cardOf(subscription) : customer.card);
      const outcome = this.#book.charge(invoice, card, { isPresent: true });
      if (outcome === 'failed') return { status: 402, code: billingCards[card!].failure!.code };
    }
    if (action.kind !== 'finalize') this.#settled(invoice);
    return undefined;
  }

  #actOn(
    sub: SubscriptionModel,
    action: Exclude<BillingAction, { customer: string } | { invoice: string }>,
  ): RefusalModel {
    const { now } = this;
    switch (action.kind) {
      case 'change':
        return this.#change(sub, action);
      case 'card_of_subscription':
        sub.card = action.card;
        this.#tryAgain(sub);
        return undefined;
      case 'coupon':
        if (action.coupon === undefined) delete sub.coupon;
        else sub.coupon = { coupon: action.coupon, at: now, isUsedUp: false };
        return undefined;
      case 'trial_end':
        return this.#moveTrialEnd(sub, action.end);
      case 'cancel_later':
        sub.endsWithPeriod = !action.isUndone;
        if (action.isUndone) delete sub.canceledAt;
        else sub.canceledAt = now;
        return undefined;
      case 'cancel':
        if (sub.status === 'incomplete') this.#expire(sub);
        else this.#end(sub, action.isCredited ? this.#creditAll(sub) : []);
        return undefined;
      case 'pause':
        return this.#pause(sub);
      case 'resume':
        sub.status = 'active';
        delete sub.pausedAt;
        this.#bill(sub, 'subscription_update');
        return undefined;
    }
  }

  #creditAll(sub: SubscriptionModel): LineModel[] {
    return sub.items.flatMap((item) => creditFor(sub, item, this.now, this.#defect));
  }

  #pause(sub: SubscriptionModel): RefusalModel {
    if (sub.status !== 'active') return notUpdatable;
    sub.status = 'paused';
    sub.pausedAt = this.now;
    this.#invoiceRest(sub, this.#creditAll(sub));
    delete sub.periodInvoice;
    return undefined;
  }

  #moveTrialEnd(sub: SubscriptionModel, end?: number): RefusalModel {
    if (sub.status !== 'trialing') return notUpdatable;
    sub.trialEnd = end ?? this.now;
    sub.periodEnd = sub.trialEnd;
    if (!sub.hasOwnAnchor) sub.anchor = sub.trialEnd;
    if (end === undefined) this.#endTrial(sub, 'subscription_update');
    return undefined;
  }

  #change(sub: SubscriptionModel, { changes, proration, from = this.now }: ActionOf<'change'>): RefusalModel {
    const latest = Math.max(0, ...sub.items.map(({ cover }) => cover?.start ?? 0));
    if (proration !== 'none' && from < latest && !changesInterval(sub, changes)) return badDate;
    if (sub.periodInvoice?.status === 'open' && proration !== 'none') return notUpdatable;
    if (sub.status === 'trialing') {
      for (const change of changes) applyTo(sub, change);
      return undefined;
    }
    if (changesInterval(sub, changes)) return this.#changeInterval(sub, changes, proration !== 'none');
    const lines: LineModel[] = [];
    for (const change of changes) {
      const old = sub.items.find((item) => change.kind !== 'add' && item.price.key === change.item);
      if (old && proration !== 'none') lines.push(...creditFor(sub, old, from, this.#defect));
      const item = applyTo(sub, change);
      if (item === undefined || proration === 'none') continue;
      const charge = chargeFor(sub, item, from, this.#defect);
      charge.isProration = true;
      discount([charge], sub.coupon, this.#defect);
      lines.push(charge);
    }
    if (proration === 'create') sub.waiting.push(...lines);
    // Nothing is credited for a period that was not paid, so there may be nothing to invoice.
    if (proration === 'invoice_now' && lines.length > 0)
      this.#collect(sub, this.#book.make({ subscription: sub, reason: 'subscription_update', lines }));
    return undefined;
  }

  #changeInterval(sub: SubscriptionModel, changes: ItemChange[], isCredited: boolean): undefined {
    const credit = isCredited ? this.#creditAll(sub) : [];
    for (const change of changes) applyTo(sub, change);
    sub.anchor = this.now;
    delete sub.base;
    this.#bill(sub, 'subscription_update', credit);
  }
}
