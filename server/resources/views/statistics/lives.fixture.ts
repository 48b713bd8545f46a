import fc from 'fast-check';
import { expect } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import type { Shown } from '../../billing/subscriptions/billing.fixture.ts';

const numbers = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  jcb: '3566002020360505',
  declined: '4000000000009995',
  stolen: '4000000000009979',
  disputed: '4000000000000259',
  bounces: '4000000000005126',
  failsLater: '4000000000000341',
} as const;
type CardName = keyof typeof numbers;
const cardNames = Object.keys(numbers) as CardName[];
const brands: Partial<Record<CardName, string>> = { mastercard: 'mastercard', jcb: 'jcb' };
const countries = ['DE', 'US', undefined] as const;

const recurring = [
  { currency: 'eur', unit_amount: 999, recurring: { interval: 'month' } },
  { currency: 'eur', unit_amount: 12_345, recurring: { interval: 'year' } },
  { currency: 'usd', unit_amount: 799, recurring: { interval: 'week' } },
  { currency: 'jpy', unit_amount: 33, recurring: { interval: 'day', interval_count: 3 } },
  { currency: 'usd', unit_amount: 10_001, recurring: { interval: 'month', interval_count: 5 } },
];
const discounts = [
  { percent_off: 33.33, duration: 'forever' },
  { amount_off: 250, currency: 'eur', duration: 'repeating', duration_in_months: 12 },
  { percent_off: 50, duration: 'repeating', duration_in_months: 1 },
  { percent_off: 10, duration: 'once' },
];

/** What a merchant and its customers do, and what the lists do not show of it. */
export class Life {
  readonly account: TestAccount;
  /** By the id of the method: what its payments are broken down by. */
  readonly methods = new Map<string, { brand: string; country: string | undefined }>();
  /** The subscriptions that were seen in a status after the first payment. */
  readonly begun = new Set<string>();
  readonly prices = new Map<string, Shown>();
  readonly coupons = new Map<string, Shown>();
  readonly #server: TestServer;
  #clock!: { id: string; frozen_time: number };

  constructor(server: TestServer, account: TestAccount) {
    this.#server = server;
    this.account = account;
  }

  async begin(): Promise<void> {
    const fees = { fee_ppm: 29_000, fee_fixed: { eur: 25, usd: 30 } };
    await this.#server.operator.run('accounts.update', { id: this.account.id, parameters: fees });
    this.#clock = await this.#post('test_clocks', { frozen_time: Date.UTC(2030, 0, 10) / 1_000 });
    for (const price of recurring) await this.#keep(this.prices, 'prices', { ...price, product_name: 'Gold' });
    for (const discount of discounts) await this.#keep(this.coupons, 'coupons', discount);
  }

  async #keep(into: Map<string, Shown>, path: string, body: object): Promise<void> {
    const made = await this.#post(path, body);
    into.set(made.id, made);
  }

  /** A request may be declined or refused, and never fails. */
  async #post(path: string, body: object = {}): Promise<Shown> {
    const { status, json, text } = await this.account.test.post(`/v1/${path}`, body);
    expect([200, 400, 402], `${path} ${text}`).toContain(status);
    return json;
  }

  async #some(path: string, at: number): Promise<Shown | undefined> {
    const { data } = (await this.account.test.get(`/v1/${path}limit=100`)).json;
    return data.length === 0 ? undefined : data[at % data.length];
  }

  async #method(card: CardName, at: number, customer?: string): Promise<string> {
    const country = countries[at % countries.length];
    const { id } = await this.#post('payment_methods', {
      type: 'card',
      card: { number: numbers[card], exp_month: 12, exp_year: 2060 },
      ...(country === undefined ? {} : { billing_details: { address: { country } } }),
      ...(customer === undefined ? {} : { customer }),
    });
    this.methods.set(id, { brand: brands[card] ?? 'visa', country });
    return id;
  }

  async pay(card: CardName, amount: number, currency: string, isManual: boolean): Promise<void> {
    const payment_method = await this.#method(card, amount);
    await this.#post('payments', {
      amount,
      currency,
      payment_method,
      ...(isManual ? { capture_method: 'manual' } : {}),
    });
  }

  async capture(at: number): Promise<void> {
    const payment = await this.#some('payments?status=requires_capture&', at);
    if (payment !== undefined) await this.#post(`payments/${payment.id}/capture`);
  }

  async refund(at: number, amount: number): Promise<void> {
    const payment = await this.#some('payments?status=succeeded&', at);
    if (payment !== undefined) await this.#post('refunds', { payment: payment.id, amount });
  }

  async answer(at: number, evidence: string): Promise<void> {
    const dispute = await this.#some('disputes?', at);
    if (dispute !== undefined)
      await this.#post(`disputes/${dispute.id}`, { evidence: { uncategorized_text: evidence }, submit: true });
  }

  async subscribe(card: CardName, at: number, quantity: number, coupon: number, isClocked: boolean): Promise<void> {
    const customer = await this.#post('customers', isClocked ? { test_clock: this.#clock.id } : {});
    const default_payment_method = await this.#method(card, at, customer.id);
    const [price, discount] = [[...this.prices.keys()][at % recurring.length], [...this.coupons.keys()][coupon]];
    await this.#post('subscriptions', {
      ...{ customer: customer.id, items: [{ price, quantity }], default_payment_method },
      ...(discount === undefined ? {} : { coupon: discount }),
      ...(card === 'failsLater' ? { trial_days: 1 } : {}), // its first invoice, and dunning, begin with the period
    });
  }

  async change(at: number, quantity: number): Promise<void> {
    const subscription = await this.#some('subscriptions?status=active&', at);
    if (subscription === undefined) return;
    const [{ id }] = subscription.items;
    await this.#post(`subscriptions/${subscription.id}`, { items: [{ id, quantity }] });
  }

  /** To a price of the same currency, which may have another interval. */
  async changePrice(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?status=active&', at);
    if (subscription === undefined) return;
    const prices = [...this.prices.values()].filter(({ currency }) => currency === subscription.currency);
    const [{ id }] = subscription.items;
    await this.#post(`subscriptions/${subscription.id}`, { items: [{ id, price: prices[at % prices.length].id }] });
  }

  async removeCoupon(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?', at);
    if (subscription !== undefined) await this.#post(`subscriptions/${subscription.id}`, { coupon: '' });
  }

  async pause(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?status=active&', at);
    if (subscription !== undefined) await this.#post(`subscriptions/${subscription.id}/pause`);
  }

  async resume(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?status=paused&', at);
    if (subscription !== undefined) await this.#post(`subscriptions/${subscription.id}/resume`);
  }

  async cancel(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?', at);
    if (subscription !== undefined) await this.#post(`subscriptions/${subscription.id}/cancel`);
  }

  /** A customer whose payments fail pays with a card that does not. */
  async recover(at: number): Promise<void> {
    const subscription = await this.#some('subscriptions?status=past_due&', at);
    if (subscription === undefined) return;
    const default_payment_method = await this.#method('mastercard', at, subscription.customer);
    await this.#post(`subscriptions/${subscription.id}`, { default_payment_method });
  }

  async passTime(days: number): Promise<void> {
    const { id } = this.#clock;
    this.#clock.frozen_time += days * 86_400;
    await this.#post(`test_clocks/${id}/advance`, { frozen_time: this.#clock.frozen_time });
    await eventually(async () =>
      expect((await this.account.test.get(`/v1/test_clocks/${id}`)).json.status).toBe('ready'),
    );
  }

  /** Everything that follows has happened. */
  async rest(): Promise<void> {
    await this.#server.settled();
    const { data } = (await this.account.test.get('/v1/subscriptions?limit=100')).json;
    for (const { id, status } of data) if (!['incomplete', 'canceled'].includes(status)) this.begun.add(id);
  }
}

type Step = (life: Life) => Promise<void>;

export function randomSteps(maxLength: number): fc.Arbitrary<Step[]> {
  const at = fc.nat(50);
  const card = fc.constantFrom(...cardNames);
  const currency = fc.constantFrom('eur', 'usd', 'jpy');
  const quantity = fc.constantFrom(0, 1, 3, 7);
  const coupon = fc.nat(discounts.length); // the last one is none
  const evidence = fc.constantFrom('winning_evidence', 'losing_evidence', 'a letter');
  const pay = fc.tuple(card, fc.integer({ min: 50, max: 90_000 }), currency, fc.boolean());
  const subscribe = fc.tuple(card, at, quantity, coupon, fc.boolean());
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: pay.map((facts) => (life: Life) => life.pay(...facts)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.capture(one)) },
    {
      weight: 2,
      arbitrary: fc.tuple(at, fc.integer({ min: 1, max: 900 })).map((facts) => (life: Life) => life.refund(...facts)),
    },
    { weight: 2, arbitrary: fc.tuple(at, evidence).map((facts) => (life: Life) => life.answer(...facts)) },
    { weight: 4, arbitrary: subscribe.map((facts) => (life: Life) => life.subscribe(...facts)) },
    { weight: 1, arbitrary: fc.tuple(at, quantity).map((facts) => (life: Life) => life.change(...facts)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.changePrice(one)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.removeCoupon(one)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.pause(one)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.resume(one)) },
    { weight: 1, arbitrary: at.map((one) => (life: Life) => life.cancel(one)) },
    { weight: 2, arbitrary: at.map((one) => (life: Life) => life.recover(one)) },
    { weight: 2, arbitrary: fc.constantFrom(2, 12, 40).map((days) => (life: Life) => life.passTime(days)) },
  );
  return fc.array(step, { minLength: Math.ceil(maxLength / 2), maxLength });
}
