import { expect } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { TestAccount } from '../../../test/harness.ts';

/** Seconds of a date, such as 2026-01-31 or 2026-01-31T12:00. */
export const at = (when: string) => Date.parse(when.includes('T') ? `${when}Z` : `${when}T00:00Z`) / 1_000;

export const cards = {
  pays: '4242424242424242',
  declines: '4000000000009995',
  lost: '4000000000009987',
  challenges: '4000000000003220',
};

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
export type Shown = any;

/** A merchant that bills customers under a test clock. */
export class Billing {
  account: TestAccount;

  constructor(account: TestAccount) {
    this.account = account;
  }

  async post(path: string, body: object = {}): Promise<Shown> {
    const answer = await this.account.test.post(`/v1/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }

  async get(path: string): Promise<Shown> {
    const answer = await this.account.test.get(`/v1/${path}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }

  /** A refused request: its status and its error. */
  async refused(path: string, body: object = {}): Promise<Shown> {
    const answer = await this.account.test.post(`/v1/${path}`, body);
    expect(answer.status, answer.text).not.toBe(200);
    return { status: answer.status, ...answer.json.error };
  }

  clock(when: string): Promise<Shown> {
    return this.post('test_clocks', { frozen_time: at(when) });
  }

  price(unit_amount: number, recurring: object = { interval: 'month' }, currency = 'eur'): Promise<Shown> {
    return this.post('prices', { unit_amount, currency, recurring, product_name: 'Gold' });
  }

  method(number: string, customer: string): Promise<Shown> {
    return this.post('payment_methods', { type: 'card', card: { number, exp_month: 12, exp_year: 2060 }, customer });
  }

  /** A customer under a clock, with a card as its default. */
  async customer(clock: { id: string } | undefined, number: string | undefined = cards.pays): Promise<Shown> {
    const customer = await this.post('customers', clock === undefined ? {} : { test_clock: clock.id });
    return number === '' ? customer : this.pays(customer, number);
  }

  /** The customer pays with another card from now on. */
  async pays(customer: { id: string }, number: string): Promise<Shown> {
    const method = await this.method(number, customer.id);
    return this.post(`customers/${customer.id}`, { default_payment_method: method.id });
  }

  subscribe(customer: { id: string }, price: { id: string }, more: object = {}): Promise<Shown> {
    return this.post('subscriptions', { customer: customer.id, items: [{ price: price.id }], ...more });
  }

  /** Advances a clock, and waits until it is ready. */
  async advance(clock: { id: string }, when: string): Promise<void> {
    await this.post(`test_clocks/${clock.id}/advance`, { frozen_time: at(when) });
    await eventually(async () => expect((await this.get(`test_clocks/${clock.id}`)).status).toBe('ready'));
  }

  /** The invoices of a subscription, oldest first. */
  async invoices(subscription: { id: string }): Promise<Shown[]> {
    const { data } = await this.get(`invoices?subscription=${subscription.id}&limit=100`);
    return data.reverse();
  }

  subscription({ id }: { id: string }): Promise<Shown> {
    return this.get(`subscriptions/${id}`);
  }
}
