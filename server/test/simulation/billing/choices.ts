import type { BillingAction, ItemChange } from './actions.ts';
import { cardKinds } from './cards.ts';
import { couponsOffered, priceGroups } from './catalogue.ts';
import { daySeconds } from './days.ts';
import { isUnbilled } from './expected.ts';
import { creditOf } from './invoices.ts';
import type { BillingModel } from './model.ts';
import type {
  CardModel,
  CouponModel,
  CustomerModel,
  InvoiceModel,
  PriceModel,
  Proration,
  SubscriptionModel,
} from './state.ts';
import { cardOf, openInvoices } from './subscriptions.ts';

type Numbers = (below: number) => number;
/** An action that the state allows, and how often it is chosen. */
type Choice = { weight: number; make: () => BillingAction };

const hour = 3_600;
const liveMax = 2;

/**
 * Random actions of a merchant, each of which the interface gives a definite answer to. All follow from the numbers of one seed and the
 * state of the model.
 */
export class Chooser {
  readonly #numbers: Numbers;
  readonly #secondsTaken = new Set<number>();
  #made = 0;

  constructor(numbers: Numbers) {
    this.#numbers = numbers;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#numbers(list.length)]!;
  }

  #oneIn(count: number): boolean {
    return this.#numbers(count) === 0;
  }

  isCrash(): boolean {
    return this.#oneIn(6);
  }

  /** A boundary that is reached to the second, at times: what is due at that second must have happened. */
  boundary({ subscriptions, now }: BillingModel): number | undefined {
    const ends = [...subscriptions.values()].map(({ periodEnd }) => periodEnd).filter((end) => end > now);
    return ends.length > 0 && this.#oneIn(5) ? this.#pick(ends) : undefined;
  }

  /** From hours to months. No two actions fall on the same second of a day: no two things are due at the same time then. */
  later({ now, subscriptions }: BillingModel): number {
    // Retries take seven days, and a first payment has 23 hours: without short steps nothing would happen in between.
    const isBehind = [...subscriptions.values()].some(({ status }) => ['past_due', 'incomplete'].includes(status));
    const steps = [
      [hour, 20 * hour],
      [daySeconds, 3 * daySeconds],
      [5 * daySeconds, 40 * daySeconds],
      [30 * daySeconds, 100 * daySeconds],
    ] as const;
    const [least, range] = this.#pick(isBehind && !this.#oneIn(4) ? steps.slice(0, 2) : steps);
    return this.#unusedSecond(now + least + this.#numbers(range));
  }

  #unusedSecond(from: number): number {
    let time = from;
    const seconds = () => [time % daySeconds, (time + 23 * hour) % daySeconds];
    while (seconds().some((second) => this.#secondsTaken.has(second))) time++;
    for (const second of seconds()) this.#secondsTaken.add(second);
    return time;
  }

  next(model: BillingModel, customer: CustomerModel): BillingAction | undefined {
    const subs = [...model.subscriptions.values()].filter((sub) => sub.customer === customer);
    const live = subs.filter(({ status }) => status !== 'canceled');
    const choices = [
      ...this.#onCustomer(customer, live),
      ...(live.length < liveMax ? this.#subscribing(model, customer) : []),
      ...live.flatMap((sub) => this.#onSubscription(model, sub)),
      ...customer.invoices.flatMap((invoice) => this.#onInvoice(invoice)),
    ];
    const all = choices.reduce((sum, { weight }) => sum + weight, 0);
    if (all === 0) return undefined;
    let left = this.#numbers(all);
    return choices
      .find(({ weight }) => {
        left -= weight;
        return left < 0;
      })!
      .make();
  }

  #card(): CardModel {
    return this.#oneIn(2) ? this.#pick(cardKinds) : 'pays';
  }

  #onCustomer(customer: CustomerModel, live: SubscriptionModel[]): Choice[] {
    const { key, items, invoices, card } = customer;
    const choices: Choice[] = [];
    const amount = () => (this.#numbers(40) + 1) * 37 * (this.#oneIn(3) ? -1 : 1);
    const sub = live.find(({ status }) => status !== 'incomplete');
    choices.push({
      weight: 2,
      make: () => ({
        kind: 'item',
        customer: key,
        amount: amount(),
        ...(sub && this.#oneIn(2)
          ? { currency: sub.currency, subscription: sub.key }
          : { currency: this.#pick(['eur', 'usd']) }),
      }),
    });
    // What a new card means to an unpaid or an incomplete subscription is not promised.
    const isClear = live.every(({ status, ...own }) => own.card || !['incomplete', 'unpaid'].includes(status));
    if (isClear)
      choices.push({
        weight: card === undefined ? 12 : 2,
        make: () => ({ kind: 'card_of_customer', customer: key, card: this.#card() }),
      });
    const waiting = items.find(({ subscription }) => subscription === undefined);
    if (waiting !== undefined && !invoices.some(({ status }) => status === 'draft'))
      choices.push({ weight: 1, make: () => ({ kind: 'draft', customer: key, currency: waiting.currency }) });
    return choices;
  }

  #subscribing({ now }: BillingModel, customer: CustomerModel): Choice[] {
    const make = (): BillingAction => {
      const group = this.#pick(this.#oneIn(2) ? priceGroups : [priceGroups[0]!]);
      const count = 1 + this.#numbers(Math.min(3, group.length));
      const items = this.#some(group, count).map((price) => ({ price, quantity: this.#quantity() }));
      const trialDays = this.#oneIn(4) ? 2 + this.#numbers(40) : undefined;
      const wish = customer.card === undefined || this.#oneIn(4) ? this.#card() : undefined;
      // Such an invoice is void later than it expires, and gives its credit back later.
      const isLate = (wish ?? customer.card) === 'wants_cardholder' && creditOf(customer, group[0]!.currency) > 0;
      const card = isLate ? 'pays' : wish;
      const begins = now + (trialDays ?? 0) * daySeconds;
      const anchor = this.#oneIn(4) ? this.#anchor(begins, group[0]!) : undefined;
      const coupon = this.#oneIn(2) ? this.#coupon(group[0]!.currency) : undefined;
      return {
        kind: 'subscribe',
        customer: customer.key,
        subscription: `${customer.key} ${++this.#made}`,
        items,
        ...(card && { card }),
        ...(trialDays && { trialDays }),
        ...(anchor && { anchor }),
        ...(coupon && { coupon }),
        ...(this.#oneIn(12) && { endsWithPeriod: true }),
      };
    };
    return [{ weight: 8, make }];
  }

  #some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    return Array.from({ length: count }, () => rest.splice(this.#numbers(rest.length), 1)[0]!);
  }

  #quantity(): number {
    return this.#oneIn(10) ? 0 : 1 + this.#numbers(7);
  }

  /** Another one than before: whether the same coupon can be applied again is not promised. */
  #coupon(currency: string, before?: CouponModel): CouponModel {
    const fits = ({ off }: CouponModel) => !('currency' in off) || off.currency === currency;
    return this.#pick(couponsOffered.filter((coupon) => coupon !== before && fits(coupon)));
  }

  /** Two days after the start at least: a first payment has 23 hours. */
  #anchor(begins: number, { interval: { unit, count } }: PriceModel): number {
    const days = { day: 1, week: 7, month: 28, year: 365 }[unit] * count;
    return this.#unusedSecond(begins + 2 * daySeconds + this.#numbers((days - 4) * daySeconds));
  }

  #onSubscription(model: BillingModel, sub: SubscriptionModel): Choice[] {
    const subscription = sub.key;
    const simple = (weight: number, kind: 'pause' | 'resume'): Choice => ({
      weight,
      make: () => ({ kind, subscription }),
    });
    const { status, endsWithPeriod } = sub;
    const isLeaving = this.#leaving(sub, 1);
    switch (status) {
      case 'trialing':
        return [...isLeaving, ...this.#changes(sub), ...this.#trial(model, sub)];
      case 'active':
        return [
          ...isLeaving,
          ...this.#changes(sub),
          ...this.#newTerms(sub),
          ...(endsWithPeriod || !isPausable(sub) ? [] : [simple(2, 'pause')]),
        ];
      case 'past_due':
        return [...isLeaving, ...this.#changes(sub), ...this.#newTerms(sub)];
      case 'paused':
        return [...this.#leaving(sub, 1, model.now < sub.periodEnd), simple(4, 'resume')];
      case 'incomplete':
        return [{ weight: 2, make: () => ({ kind: 'cancel', subscription, isCredited: this.#oneIn(2) }) }];
      default:
        return [];
    }
  }

  #leaving(sub: SubscriptionModel, weight: number, canEndLater = true): Choice[] {
    const { key: subscription, endsWithPeriod: isUndone } = sub;
    const now = (): BillingAction => ({ kind: 'cancel', subscription, isCredited: this.#oneIn(2) });
    const later = (): BillingAction => ({ kind: 'cancel_later', subscription, ...(isUndone && { isUndone }) });
    // A second request to end: which of the two `canceled_at` shows is not promised.
    return [...(isUndone ? [] : [{ weight, make: now }]), ...(canEndLater ? [{ weight, make: later }] : [])];
  }

  #newTerms(sub: SubscriptionModel): Choice[] {
    const { key: subscription, currency, waiting } = sub;
    const card = (): BillingAction => ({ kind: 'card_of_subscription', subscription, card: this.#card() });
    const coupon = (): BillingAction => ({
      kind: 'coupon',
      subscription,
      ...(this.#oneIn(3) ? {} : { coupon: this.#coupon(currency, sub.coupon?.coupon) }),
    });
    return [{ weight: 3, make: card }, ...(waiting.length === 0 ? [{ weight: 2, make: coupon }] : [])];
  }

  #trial({ now }: BillingModel, { key: subscription, hasOwnAnchor }: SubscriptionModel): Choice[] {
    if (hasOwnAnchor) return [];
    const end = () => this.#unusedSecond(now + daySeconds + this.#numbers(20 * daySeconds));
    return [
      { weight: 1, make: () => ({ kind: 'trial_end', subscription }) },
      { weight: 1, make: () => ({ kind: 'trial_end', subscription, end: end() }) },
    ];
  }

  #changes(sub: SubscriptionModel): Choice[] {
    const isOpen = sub.periodInvoice?.status === 'open';
    // Whether an open invoice for a change is one of the period, and what a time that was never billed costs, is not promised.
    const isVague = isUnbilled(sub) || (openInvoices(sub).length > 0 && !isOpen);
    const proration = (): Proration => (isVague ? 'none' : this.#pick(['create', 'invoice_now', 'create', 'none']));
    const paysFirst = () => (cardOf(sub) === 'pays' && this.#oneIn(2) ? { paysFirst: true } : {});
    const make = (): BillingAction => ({
      kind: 'change',
      subscription: sub.key,
      changes: this.#itemChanges(sub),
      proration: proration(),
      ...this.#from(sub),
      ...paysFirst(),
    });
    const interval = (): BillingAction => ({
      kind: 'change',
      subscription: sub.key,
      changes: this.#otherInterval(sub),
      proration: 'create',
      ...paysFirst(),
    });
    const canMove = sub.status === 'active' && !isVague && sub.currency === 'eur' && !sub.endsWithPeriod;
    return [{ weight: 6, make }, ...(canMove ? [{ weight: 1, make: interval }] : [])];
  }

  /** Sometimes from an earlier time, and now and then from before another change, which is refused. */
  #from(sub: SubscriptionModel): { from?: number } {
    const since = Math.max(sub.periodStart, ...sub.items.map(({ cover }) => cover?.start ?? 0));
    const last = sub.items.find(({ cover }) => cover?.invoice === undefined && cover !== undefined);
    if (sub.status !== 'active' || last !== undefined || !this.#oneIn(5)) return {};
    // From the same second as the last change, it could undo that one.
    const isRefused = since > sub.periodStart && this.#oneIn(3);
    return { from: isRefused ? since - 1 : since + 1 + this.#numbers(3) };
  }

  #itemChanges({ items }: SubscriptionModel): ItemChange[] {
    const item = this.#pick(items);
    const taken = new Set(items.map(({ price }) => price.key));
    const group = priceGroups.find((prices) => prices.some(({ key }) => key === item.price.key))!;
    const free = group.filter(({ key }) => !taken.has(key));
    const count = (item.quantity + 1 + this.#numbers(6)) % 8;
    const set: ItemChange = { kind: 'set', item: item.price.key, quantity: count };
    const kind = this.#pick(['set', 'add', 'swap', 'remove', 'both'] as const);
    if (kind === 'remove' && items.length > 1) return [{ kind: 'remove', item: item.price.key }];
    if (free.length === 0) return [set];
    const price = this.#pick(free);
    if (kind === 'add') return [{ kind: 'add', price, quantity: this.#quantity() }];
    if (kind === 'swap') return [{ kind: 'set', item: item.price.key, price }];
    if (kind === 'both') return [set, { kind: 'add', price, quantity: this.#quantity() }];
    return [set];
  }

  /** All items but one go, and that one has a price with another interval. */
  #otherInterval({ items }: SubscriptionModel): ItemChange[] {
    const others = priceGroups.filter(
      (prices) => prices[0]!.currency === 'eur' && !prices.some(({ key }) => key === items[0]!.price.key),
    );
    const [first, ...rest] = items;
    const price = this.#pick(this.#pick(others));
    return [
      ...rest.map((item): ItemChange => ({ kind: 'remove', item: item.price.key })),
      { kind: 'set', item: first!.price.key, price },
    ];
  }

  /** Payments of the present period, in full or in part. */
  #refunding({ key: invoice, amountPaid, refunded = 0, subscription }: InvoiceModel): Choice[] {
    const left = amountPaid - refunded;
    const isPresent = subscription?.items.some(({ cover }) => cover?.invoice?.key === invoice) ?? false;
    const isCredited = subscription?.creditedLines.some((line) => line.invoice?.key === invoice) ?? false;
    if (left === 0 || !(isPresent || isCredited)) return [];
    const amount = () => (this.#oneIn(2) ? left : 1 + this.#numbers(left));
    return [{ weight: 1, make: () => ({ kind: 'refund', invoice, amount: amount() }) }];
  }

  #onInvoice(one: InvoiceModel): Choice[] {
    const { key: invoice, status, subscription, charges } = one;
    if (status === 'paid') return this.#refunding(one);
    if (status === 'draft') return [{ weight: 4, make: () => ({ kind: 'finalize', invoice }) }];
    const pay = (weight: number): Choice => ({ weight, make: () => ({ kind: 'pay', invoice, card: 'pays' }) });
    if (status === 'uncollectible') return this.#oneIn(10) ? [pay(1)] : [];
    if (status !== 'open' || charges.some(({ outcome }) => outcome === 'requires_action')) return [];
    if (subscription?.status === 'unpaid') return [pay(4)];
    const card = subscription && cardOf(subscription);
    const again =
      ['past_due', 'incomplete'].includes(subscription?.status ?? '') && card && card !== 'wants_cardholder';
    return [
      pay(2),
      ...(again ? [{ weight: 2, make: (): BillingAction => ({ kind: 'pay', invoice }) }] : []),
      { weight: 1, make: () => ({ kind: 'void', invoice }) },
      { weight: 1, make: () => ({ kind: 'mark_uncollectible', invoice }) },
    ];
  }
}

/** What becomes of a paused subscription whose last invoice is declined is not promised, so that invoice has to be a credit. */
function isPausable(sub: SubscriptionModel): boolean {
  const isDue = sub.customer.items.some(({ amount, currency }) => amount > 0 && currency === sub.currency);
  return !isUnbilled(sub) && sub.waiting.length === 0 && !isDue;
}
