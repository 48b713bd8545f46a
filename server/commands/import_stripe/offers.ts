import { couponMark, fitCoupon, fitPrice } from './fit.ts';
import type { Obstacle } from './reasons.ts';
import type { StripeCoupon, StripePrice } from './stripe_objects.ts';
import { countHere, type Imported, type ImportTools, importOne } from './tools.ts';

/** Prices and coupons: what is here, by the id at Stripe. */
export class Offers {
  readonly #tools: ImportTools;
  readonly #prices = new Map<string, Imported & { active: boolean }>();
  readonly #coupons = new Map<string, Imported>();
  readonly #pricesThere = new Map<string, StripePrice>();
  /** Subscriptions that are taken over at the same time wait for the same price or coupon. */
  readonly #underWay = new Map<string, Promise<Imported | Obstacle>>();

  constructor(tools: ImportTools) {
    this.#tools = tools;
  }

  /** What is here already. */
  async read(): Promise<void> {
    const { gateway } = this.#tools;
    for await (const { id, active, external_id } of gateway.all('/prices'))
      if (external_id !== undefined) this.#prices.set(external_id, { id, active });
    for await (const { id, metadata } of gateway.all('/coupons'))
      if (metadata?.[couponMark] !== undefined) this.#coupons.set(metadata[couponMark], { id });
  }

  async import(): Promise<void> {
    const { stripe, outcome } = this.#tools;
    for (const price of await stripe.prices()) {
      this.#pricesThere.set(price.id, price);
      // An inactive one is created if a subscription needs it.
      if (!price.active && !this.#prices.has(price.id)) continue;
      outcome.count('prices', 'read');
      const made = await this.#price(price);
      if ('reason' in made) outcome.leave('prices', price.id, made);
    }
    for (const coupon of await stripe.coupons()) {
      outcome.count('coupons', 'read');
      const isWanted = coupon.isValid || this.#coupons.has(coupon.id);
      const made: Imported | Obstacle = isWanted ? await this.coupon(coupon) : { reason: 'expired' };
      if ('reason' in made) outcome.leave('coupons', coupon.id, made);
    }
  }

  /** For a subscription: created unless it is here, and active. */
  async priceForSale(id: string): Promise<Imported | Obstacle> {
    const price = this.#pricesThere.get(id) ?? (await this.#tools.stripe.price(id));
    this.#pricesThere.set(id, price);
    const made = await this.#price(price);
    const here = this.#prices.get(id);
    if ('reason' in made || here === undefined || here.active) return made;
    if (price.active) return { reason: 'refused', detail: `the price ${here.id} is not active` };
    await this.#setActive(id, true);
    return made;
  }

  /** Prices that sell nothing new at Stripe: they are active here only while subscriptions are taken over. */
  async deactivate(): Promise<void> {
    for (const [id, { active }] of this.#prices)
      if (active && this.#pricesThere.get(id)?.active === false) await this.#setActive(id, false);
  }

  coupon(coupon: StripeCoupon): Promise<Imported | Obstacle> {
    return this.#once(coupon.id, async () => {
      const here = this.#coupons.get(coupon.id);
      if (here?.id !== undefined) countHere(this.#tools, 'coupons', coupon.id, here.id);
      if (here !== undefined) return here;
      const { gateway, processorAccount, mode } = this.#tools;
      const key = `import/${processorAccount}/coupon/${coupon.id}`;
      const made = await importOne(this.#tools, 'coupons', coupon.id, fitCoupon(coupon, mode), (parameters) =>
        gateway.createMarked('/coupons', parameters, key),
      );
      if ('id' in made) this.#coupons.set(coupon.id, made);
      return made;
    });
  }

  #price(price: StripePrice): Promise<Imported | Obstacle> {
    return this.#once(price.id, async () => {
      const here = this.#prices.get(price.id);
      if (here?.id !== undefined) countHere(this.#tools, 'prices', price.id, here.id);
      if (here !== undefined) return here;
      const { gateway, mode } = this.#tools;
      const made = await importOne(this.#tools, 'prices', price.id, fitPrice(price, mode), async (parameters) => {
        const { object, isNew } = await gateway.create('prices', parameters);
        return { id: object.id, isNew };
      });
      if ('id' in made) this.#prices.set(price.id, { ...made, active: true });
      return made;
    });
  }

  async #setActive(id: string, active: boolean): Promise<void> {
    const price = this.#prices.get(id)!;
    if (this.#tools.isApplied) await this.#tools.gateway.post(`/prices/${price.id}`, { active });
    price.active = active;
  }

  /** Everything is created, and counted, once in a run. */
  #once(id: string, work: () => Promise<Imported | Obstacle>): Promise<Imported | Obstacle> {
    const begun = this.#underWay.get(id) ?? work();
    this.#underWay.set(id, begun);
    return begun;
  }
}
