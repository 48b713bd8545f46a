import type { ApiAnswer } from '../api/client.ts';
import { isoTime } from '../print.ts';
import type { Customers } from './customers.ts';
import { fitting, present } from './fit.ts';
import { hasEnded, isHandedOver, isMarkedBy, obstacleOf } from './fit_subscription.ts';
import type { Offers } from './offers.ts';
import type { Obstacle } from './reasons.ts';
import type { StripeSubscription } from './stripe_objects.ts';
import { countHere, eachOf, type ImportTools, importOne, warnOfRefusal } from './tools.ts';

const concurrency = 4;

/** The metadata of a subscription here whose take-over was undone: it was canceled for that reason alone. */
export const undoneMark = 'stripe_take_over';
export const undone = 'undone';

/** One that was billed here before it was canceled was not given back, whatever its metadata say. */
export function isUndone({ status, metadata, latest_invoice }: ApiAnswer): boolean {
  return status === 'canceled' && metadata?.[undoneMark] === undone && latest_invoice === undefined;
}

/**
 * Takes subscriptions over, so that each is billed by one side: Stripe lets it end with its period, and says so when asked again; only
 * then it is created here, and billed from that moment on. A run that is repeated goes on wherever the one before was interrupted.
 */
export class TakeOver {
  readonly #tools: ImportTools;
  readonly #customers: Customers;
  readonly #offers: Offers;
  /** What is here, by the id at Stripe, as it was when the run began. */
  readonly #here = new Map<string, ApiAnswer>();

  constructor(tools: ImportTools, customers: Customers, offers: Offers) {
    this.#tools = tools;
    this.#customers = customers;
    this.#offers = offers;
  }

  async run(): Promise<void> {
    const { stripe, gateway, outcome, progress } = this.#tools;
    for await (const one of gateway.all('/subscriptions'))
      if (one.external_id !== undefined) this.#here.set(one.external_id, one);
    for await (const page of stripe.subscriptions())
      await eachOf(page, concurrency, async (listed) => {
        outcome.count('subscriptions', 'read');
        await this.#one(listed).catch((error) => warnOfRefusal(outcome, listed.id, error));
        progress.add(1);
      });
    await this.#offers.deactivate();
  }

  async #one(listed: StripeSubscription): Promise<void> {
    const { outcome, processorAccount, stripe, isApplied } = this.#tools;
    const here = this.#here.get(listed.id);
    if (here !== undefined && !(await this.#isFreed(here, listed))) return this.#wasTakenOver(here, listed);
    // What stops it from the outset needs no further request. One that carries our mark was begun.
    const isBegun = isMarkedBy(listed, processorAccount);
    if (hasEnded(listed) && !isBegun) return outcome.count('subscriptions', 'ended');
    const obstacle = this.#obstacleOf(listed);
    if (obstacle !== undefined && !isBegun) return outcome.leave('subscriptions', listed.id, obstacle);
    await this.#begin(isApplied ? await stripe.subscription(listed.id) : listed);
  }

  #obstacleOf(subscription: StripeSubscription): Obstacle | undefined {
    const { stripe, processorAccount } = this.#tools;
    return obstacleOf(subscription, {
      now: stripe.now,
      processorAccount,
      customer: this.#customers.find(subscription.customer),
      hasCard: (id) => this.#customers.findCard(id) !== undefined,
    });
  }

  /** One whose take-over was undone gives up Stripe's id, so that it can be taken over again. */
  async #isFreed(here: ApiAnswer, there: StripeSubscription): Promise<boolean> {
    const { gateway, isApplied, processorAccount } = this.#tools;
    if (!isUndone(here) || isMarkedBy(there, processorAccount) || hasEnded(there)) return false;
    if (isApplied) await gateway.post(`/subscriptions/${here.id}`, { external_id: '' });
    return true;
  }

  /** It exists here already: make sure that Stripe no longer bills it. */
  async #wasTakenOver(known: ApiAnswer, there: StripeSubscription): Promise<void> {
    const { outcome, processorAccount, stripe, gateway, isApplied } = this.#tools;
    const isSafe = hasEnded(there) || there.cancelsAtPeriodEnd;
    // Stripe may bill it because it was given back since it was read.
    const here = isSafe || !isApplied ? known : await gateway.get(`/subscriptions/${known.id}`);
    if (isUndone(here) && hasEnded(there)) return this.#ended(there);
    if (isUndone(here)) return outcome.warn('subscriptions', there.id, { reason: 'undo_unfinished' });
    if (!isSafe && here.status === 'canceled')
      return outcome.leave('subscriptions', there.id, { reason: 'canceled_here' });
    if (!isSafe && isApplied) {
      await stripe.mark(there.id, processorAccount);
      const after = await stripe.subscription(there.id);
      if (!isHandedOver(after, processorAccount) && !hasEnded(after))
        return outcome.warn('subscriptions', there.id, { reason: 'billed_twice' });
    }
    if (!isSafe)
      outcome.note(
        'subscriptions',
        there.id,
        `Stripe would have billed it as well: it ${isApplied ? 'is' : 'would be'} marked to end there again`,
      );
    countHere(this.#tools, 'subscriptions', there.id, here.id);
  }

  async #begin(there: StripeSubscription): Promise<void> {
    const { outcome, processorAccount, stripe, isApplied } = this.#tools;
    if (hasEnded(there)) return this.#ended(there);
    const obstacle = this.#obstacleOf(there) ?? (await this.#prepare(there));
    const isHalfWay = isHandedOver(there, processorAccount);
    if (obstacle !== undefined && isHalfWay) return this.#warnHalfWay(there, obstacle);
    if (obstacle !== undefined) return outcome.leave('subscriptions', there.id, obstacle);
    if (!isApplied) return this.#create(there);
    outcome.begun.add(there.id);
    if (!isHalfWay) await stripe.mark(there.id, processorAccount);
    await this.#finish(await stripe.subscription(there.id));
    outcome.begun.delete(there.id);
  }

  async #finish(marked: StripeSubscription): Promise<void> {
    const { outcome, processorAccount } = this.#tools;
    if (hasEnded(marked)) return this.#ended(marked);
    if (isHandedOver(marked, processorAccount)) return this.#create(marked);
    outcome.warn('subscriptions', marked.id, { reason: 'not_marked' });
  }

  /** One that has ended because of our mark, and is not here or was given back, is billed by nobody. */
  #ended(there: StripeSubscription): void {
    const { outcome, processorAccount } = this.#tools;
    if (isMarkedBy(there, processorAccount)) outcome.warn('subscriptions', there.id, { reason: 'lapsed' });
    else outcome.count('subscriptions', 'ended');
  }

  #warnHalfWay({ id }: StripeSubscription, { reason, detail = reason }: Obstacle): void {
    this.#tools.outcome.warn('subscriptions', id, { reason: 'half_way', detail });
  }

  /** Its prices and its coupon must exist here before it is marked at Stripe. */
  async #prepare({ items, coupons }: StripeSubscription): Promise<Obstacle | undefined> {
    for (const { price } of items) {
      const made = await this.#offers.priceForSale(price.id);
      if ('reason' in made) return { reason: made.reason, detail: made.detail ?? price.id };
    }
    for (const coupon of coupons) {
      const made = await this.#offers.coupon(coupon!);
      if ('reason' in made) return { reason: made.reason, detail: made.detail ?? coupon!.id };
    }
    return undefined;
  }

  async #create(marked: StripeSubscription): Promise<void> {
    const { outcome, gateway, isApplied, mode } = this.#tools;
    // What Stripe shows now may differ from what was decided on.
    const obstacle = this.#obstacleOf(marked) ?? (await this.#prepare(marked));
    const parameters = isApplied ? await this.#parametersOf(marked) : {};
    const fit = isApplied ? fitting('subscriptions.create', parameters, mode, ['metadata']) : { parameters, notes: [] };
    const made =
      obstacle ??
      (await importOne(this.#tools, 'subscriptions', marked.id, fit, (wanted) =>
        gateway.post('/subscriptions', wanted),
      ));
    if ('reason' in made) return this.#giveBack(marked, made);
    const day = shiftedDay(marked);
    if (day !== undefined) outcome.note('subscriptions', marked.id, day);
  }

  async #parametersOf(marked: StripeSubscription): Promise<Record<string, unknown>> {
    const { items, coupons, method, status, periodEnd, customer, metadata, id } = marked;
    const { tollgate_take_over: _, ...own } = metadata;
    const prices = await Promise.all(items.map(({ price }) => this.#offers.priceForSale(price.id)));
    const [coupon] = await Promise.all(coupons.map((one) => this.#offers.coupon(one!)));
    const idOf = (made: object | undefined) => (made !== undefined && 'id' in made ? made.id : undefined);
    return {
      customer: this.#customers.find(customer)!.id,
      items: items.map(({ quantity }, at) => ({ price: idOf(prices[at]), ...present({ quantity }) })),
      ...present({
        default_payment_method: method === undefined ? undefined : this.#customers.findCard(method)?.id,
        coupon: idOf(coupon),
      }),
      // A trial begins no period here: the first one begins when it ends, as at Stripe.
      ...(status === 'trialing' ? { trial_end: periodEnd } : { billing_cycle_anchor: periodEnd, proration: 'none' }),
      // Its cardholder has agreed at Stripe, and is not there now.
      off_session: true,
      metadata: own,
      external_id: id,
    };
  }

  /** The gateway has refused it: Stripe goes on, unless a run beside this one has created it meanwhile. */
  async #giveBack(marked: StripeSubscription, obstacle: Obstacle): Promise<void> {
    const { outcome, gateway, stripe, isApplied } = this.#tools;
    if (isApplied) {
      const find = () => gateway.findByExternalId('subscriptions', marked.id);
      const here = await find();
      if (here !== undefined) return this.#wasTakenOver(here, marked);
      await stripe.liftMark(marked.id);
      const after = await stripe.subscription(marked.id);
      const created = await find();
      if (created !== undefined) return this.#wasTakenOver(created, after);
      if (after.cancelsAtPeriodEnd || hasEnded(after)) return this.#warnHalfWay(after, obstacle);
    }
    outcome.leave('subscriptions', marked.id, obstacle);
  }
}

/** At Stripe a day that a month lacks comes back in the next long month. Here the end of the current period is the anchor. */
function shiftedDay({ anchor, periodEnd, items }: StripeSubscription): string | undefined {
  const isMonthly = ['month', 'year'].includes(items[0]?.price.recurring?.interval ?? '');
  if (!isMonthly || anchor === undefined || periodEnd === undefined) return undefined;
  const [before, after] = [anchor, periodEnd].map((time) => new Date(time * 1_000).getUTCDate());
  if (before === after) return undefined;
  return `it is billed on day ${after} of the month from ${isoTime(periodEnd).slice(0, 10)} on, at Stripe on day ${before}`;
}
