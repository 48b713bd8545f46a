import { isDeepStrictEqual } from 'node:util';
import { untilNextLook } from '../../eventually.ts';
import { newCall } from '../world.ts';
import type { BillingAction, RefusalModel } from './actions.ts';
import { couponsOffered, priceGroups } from './catalogue.ts';
import type { BillingShown, CustomerShown } from './expected.ts';
import { lineText, present } from './expected.ts';
import { callOf, couponCall, type Ids, methodCall, priceCall } from './requests.ts';
import type { TwoGateways } from './two_gateways.ts';
import type { Compared, Walk } from './walk.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of the API
type Shown = any;

/** A merchant's account at two gateways, whose customers live in the time of one clock. */
export class MerchantOfSubscriptions implements Compared {
  readonly #two: TwoGateways;
  readonly #customers: string[];
  readonly #ids = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #clock!: string;

  private constructor(two: TwoGateways, customers: string[]) {
    this.#two = two;
    this.#customers = customers;
  }

  static async open(two: TwoGateways, { start, customers, dunning }: Walk): Promise<MerchantOfSubscriptions> {
    const merchant = new MerchantOfSubscriptions(two, customers);
    await two.newAccount(dunning);
    merchant.#clock = await merchant.#create('clock', newCall('/v1/test_clocks', { frozen_time: start }));
    const customer = (key: string) => newCall('/v1/customers', { name: key, test_clock: merchant.#clock });
    await Promise.all([
      ...priceGroups.flat().map((price) => merchant.#create(price.key, priceCall(price))),
      ...couponsOffered.map((coupon) => merchant.#create(coupon.key, couponCall(coupon))),
      ...customers.map((key) => merchant.#create(key, customer(key))),
    ]);
    return merchant;
  }

  async #create(key: string, call: ReturnType<typeof newCall>): Promise<string> {
    const { status, text, json } = await this.#two.send(call);
    if (status !== 200) throw new Error(`${call.path}: ${text}`);
    this.#name(key, json.id);
    return json.id;
  }

  #name(key: string, id: string): void {
    this.#ids.set(key, id);
    this.#keys.set(id, key);
  }

  readonly #lookup: Ids = {
    of: (key) => this.#ids.get(key)!,
    method: async (card, customer) => {
      const { status, text, json } = await this.#two.send(methodCall(card, this.#ids.get(customer)!));
      if (status !== 200) throw new Error(`a payment method: ${text}`);
      return json.id;
    },
    payment: async (invoice) => (await this.#two.get(`/v1/invoices/${this.#ids.get(invoice)}`)).json.payment,
    item: async (subscription, price) => {
      const { items } = (await this.#two.get(`/v1/subscriptions/${this.#ids.get(subscription)}`)).json;
      return items.find((item: Shown) => item.price === this.#ids.get(price)).id;
    },
  };

  async act(action: BillingAction, isCrash: boolean): Promise<RefusalModel> {
    const call = await callOf(action, this.#lookup);
    const { status, json } = isCrash ? await this.#two.sendAndCrash(call) : await this.#two.send(call);
    if (status !== 200) return { status, code: json.error.code, message: json.error.message };
    if (action.kind === 'subscribe') this.#name(action.subscription, json.id);
    return undefined;
  }

  advance(to: number, isCrash: boolean): Promise<void> {
    return this.#two.advance(this.#clock, to, isCrash);
  }

  async shown(expected: BillingShown): Promise<BillingShown> {
    const since = performance.now();
    for (;;) {
      const entries = this.#customers.map(async (key) => [key, await this.#shownOf(key, expected[key]!)] as const);
      const shown = Object.fromEntries(await Promise.all(entries));
      if (isDeepStrictEqual(shown, expected) || performance.now() - since >= this.#two.patienceMs) return shown;
      await this.#two.settled();
      await untilNextLook(since);
    }
  }

  async #shownOf(key: string, expected: CustomerShown): Promise<CustomerShown> {
    const id = this.#ids.get(key)!;
    const [customer, movements, subscriptions, invoices, payments] = await Promise.all([
      this.#two.get(`/v1/customers/${id}`),
      this.#two.all(`/v1/customers/${id}/credit_transactions`),
      this.#two.all(`/v1/subscriptions?customer=${id}`),
      this.#two.all(`/v1/invoices?customer=${id}`),
      this.#two.all(`/v1/payments?customer=${id}`),
    ]);
    const inOrder = invoices.toSorted(byTime);
    for (const [index, invoice] of inOrder.entries()) this.#name(`${key}/${index + 1}`, invoice.id);
    const paid = Map.groupBy(payments.toSorted(byTime), ({ invoice }: Shown) => invoice as string);
    return {
      credit: customer.json.credit_balance ?? {},
      movements: movements.toSorted(byTime).map(({ amount, currency, invoice, created }) => ({
        amount,
        currency,
        invoice: this.#keys.get(invoice),
        created,
      })),
      subscriptions: subscriptions
        .toSorted(byTime)
        .map((sub, index) => this.#subscription(sub, expected.subscriptions[index])),
      invoices: inOrder.map((invoice) => this.#invoice(invoice, paid.get(invoice.id) ?? [])),
    };
  }

  #subscription(sub: Shown, expected: object | undefined): object {
    const isBilled = expected === undefined || 'current_period_start' in expected;
    return present({
      key: this.#keys.get(sub.id),
      status: sub.status,
      items: sub.items.map(({ price, quantity }: Shown) => `${quantity} × ${this.#keys.get(price)}`).sort(),
      current_period_start: isBilled ? sub.current_period_start : undefined,
      current_period_end: isBilled ? sub.current_period_end : undefined,
      billing_cycle_anchor: sub.billing_cycle_anchor,
      cancel_at_period_end: sub.cancel_at_period_end,
      created: sub.created,
      latest_invoice: sub.latest_invoice && this.#keys.get(sub.latest_invoice),
      trial_start: sub.trial_start,
      trial_end: sub.trial_end,
      canceled_at: sub.canceled_at,
      ended_at: sub.ended_at,
      paused_at: sub.paused_at,
    });
  }

  #invoice(invoice: Shown, payments: Shown[]): object {
    const { code, decline_code } = invoice.last_failure ?? {};
    return present({
      key: this.#keys.get(invoice.id),
      subscription: invoice.subscription && this.#keys.get(invoice.subscription),
      status: invoice.status,
      billing_reason: invoice.billing_reason,
      currency: invoice.currency,
      lines: invoice.lines.map((line: Shown) => this.#line(line)).sort(),
      subtotal: invoice.subtotal,
      discount: invoice.discount,
      total: invoice.total,
      credit_applied: invoice.credit_applied,
      amount_due: invoice.amount_due,
      amount_paid: invoice.amount_paid,
      amount_remaining: invoice.amount_remaining,
      attempt_count: invoice.attempt_count,
      period_start: invoice.period_start,
      period_end: invoice.period_end,
      created: invoice.created,
      next_payment_attempt: invoice.next_payment_attempt,
      last_failure: invoice.status === 'open' && code ? present({ code, decline_code }) : undefined,
      paid_at: invoice.paid_at,
      voided_at: payments.some(({ status }) => status === 'canceled') ? undefined : invoice.voided_at,
      payments: payments.map(({ status, amount, created }) => `${status} ${amount} at ${created}`),
    });
  }

  #line({ amount, discount, period, proration, price, quantity, invoice_item }: Shown): string {
    const isOneOff = invoice_item !== undefined;
    const [start, end] = isOneOff ? [0, 0] : [period.start, period.end];
    const what = isOneOff ? 'item' : `${quantity} × ${this.#keys.get(price)}`;
    return lineText({ amount, discount, start, end, isProration: proration, what });
  }

  /** The numbers of finalized invoices, which must have no gap. */
  async gaps(): Promise<string[]> {
    const numbered = (await this.#two.all('/v1/invoices')).filter(({ status }) => status !== 'draft');
    const numbers = numbered.map(({ number }) => number as string).sort();
    const should = numbers.map((_, index) => `INV-${String(index + 1).padStart(6, '0')}`);
    return isDeepStrictEqual(numbers, should) ? [] : [`the numbers have a gap: ${numbers.join(' ')}`];
  }
}

/** In the time of the clock: lists go by real time, and that of two instances may differ. */
const byTime = (a: { created: number }, b: { created: number }) => a.created - b.created;
