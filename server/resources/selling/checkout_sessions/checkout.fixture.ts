import { Secret } from '../../../base/secret.ts';
import { catalog } from '../../../catalog.ts';
import { Executor } from '../../../operations/executor.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import { executorHooks } from '../../hooks.ts';
import { type CheckoutView, checkoutCalls, type OpenedSession, type PayInput, type TryAnswer } from './page_calls.ts';

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002500003155',
  /** The bank asks each time, not only until the card was set up. */
  asked: '4000000000003220',
  /** The answer of the processor is lost. */
  lost: '4000000000000408',
} as const;

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Shown = any;

/** What the page calls, each time as another request does. `address`: the IP address of the customer. */
export type CheckoutCalls = {
  find(token: string, address: string): Promise<CheckoutView | undefined>;
  pay(token: string, input: PayInput & { address: string }): Promise<TryAnswer | undefined>;
  closeTry(token: string, address: string): Promise<CheckoutView | undefined>;
  applyCoupon(token: string, code: string | undefined, address: string): Promise<TryAnswer | undefined>;
};

/** A shop that sells by checkout sessions, and what its page calls. */
export class Checkout {
  readonly calls: CheckoutCalls;
  readonly server: TestServer;
  readonly account: TestAccount;

  constructor(server: TestServer, account: TestAccount) {
    this.server = server;
    this.account = account;
    this.calls = this.callsOf(server);
  }

  /** What the page calls at another instance. */
  callsOf(server: TestServer): CheckoutCalls {
    const calls = checkoutCalls(this.servicesOf(server), catalog);
    const opened = async <Value>(
      token: string,
      address: string,
      act: (one: OpenedSession) => Value | Promise<Value>,
    ) => {
      const one = await calls.open(token, address);
      return one && (await act(one));
    };
    return {
      find: (token, address) => opened(token, address, ({ view }) => view),
      pay: (token, { address, ...input }) => opened(token, address, (one) => one.pay(input)),
      closeTry: (token, address) => opened(token, address, (one) => one.closeTry()),
      applyCoupon: (token, code, address) => opened(token, address, (one) => one.applyCoupon(code)),
    };
  }

  servicesOf({ gateway: { services } }: TestServer) {
    return { ...services, executor: new Executor(services, executorHooks(catalog)) };
  }

  async create(parameters: object = {}): Promise<Shown> {
    const { json } = await this.account.test.post('/v1/checkout_sessions', {
      ...{ amount: 2_000, currency: 'eur', customer_email: 'ada@example.com' },
      ...parameters,
    });
    if (json.error !== undefined) throw new Error(json.error.message);
    return json;
  }

  async get(id: string): Promise<Shown> {
    return (await this.account.test.get(`/v1/checkout_sessions/${id}`)).json;
  }

  pay({ url }: { url: string }, number: string = cards.good, more: Partial<PayInput & { address: string }> = {}) {
    return this.calls.pay(tokenOf(url), {
      instrument: this.card(number),
      details: {},
      address: '203.0.113.7',
      ...more,
    });
  }

  card(number: string): PayInput['instrument'] {
    return { kind: 'card', number: new Secret(number), exp_month: 12, exp_year: 2_040, cvc: new Secret('123') };
  }

  /** A customer with a card. */
  async saved(number: string): Promise<{ customer: string; payment_method: string }> {
    const customer = (await this.account.test.post('/v1/customers', { name: 'Ada' })).json.id;
    const card = { number, exp_month: 12, exp_year: 2_040 };
    const made = await this.account.test.post('/v1/payment_methods', { type: 'card', card, customer });
    return { customer, payment_method: made.json.id };
  }

  view({ url }: { url: string }) {
    return this.calls.find(tokenOf(url), '203.0.113.7');
  }

  /** The types of the events about a session, in their order. */
  async events(id: string): Promise<string[]> {
    const text = 'select type from events where object_id = $1 order by object_version, id';
    const { rows } = await this.server.sql.query<{ type: string }>(text, [id]);
    return rows.map(({ type }) => type.replace('checkout_session.', ''));
  }

  async setups(id: string): Promise<string[]> {
    const text = 'select status from setups where checkout_session = $1 order by id';
    const { rows } = await this.server.sql.query<{ status: string }>(text, [id]);
    return rows.map(({ status }) => status);
  }

  /** The card that the customer chooses on the page of the simulator, where the try has led. */
  async choose(goTo: string | undefined, card: string): Promise<void> {
    const { status } = await this.server.anonymous.form(new URL(goTo!).pathname, `card=${card}`);
    if (status !== 303) throw new Error(`the page of the simulator has answered ${status}`);
  }

  async payments(id: string): Promise<string[]> {
    const text = 'select status from payments where checkout_session = $1 order by id';
    const { rows } = await this.server.sql.query<{ status: string }>(text, [id]);
    return rows.map(({ status }) => status);
  }
}

export const tokenOf = (url: string) => url.split('/pay/')[1]!;
