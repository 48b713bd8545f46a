import type { Mode } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import type { CustomerCaller } from '../../../operations/caller.ts';
import { Executor, type Once } from '../../../operations/executor.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { findTenant } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import type { TestServer } from '../../../test/harness.ts';
import { executorHooks } from '../../hooks.ts';

/** Every operation that a customer may run. */
export const ofCustomers = catalog.operations.filter(({ callers }) => callers.includes('customer'));

export const operationNamed = (name: string): AnyOperation => ofCustomers.find((one) => one.name === name)!;

/** A customer with an object of each kind that belongs to customers, by the noun. */
export type Household = Readonly<Record<string, string>> & { customer: string };

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2060, cvc: '123' };

/** In live mode nothing can be charged without a processor: what is sold is for nothing, and its payment has failed. */
export async function household(client: Client, mode: Mode): Promise<Household> {
  const post = async (path: string, body: object = {}) => (await client.post(`/v1/${path}`, body)).json;
  const { id: customer } = await post('customers', { name: 'Ada', email: 'ada@example.com' });
  const { id: method } = await post('payment_methods', { type: 'card', card, customer });
  await post(`customers/${customer}`, { default_payment_method: method });
  const recurring = { interval: 'month' };
  const unit_amount = mode === 'test' ? 1_500 : 0;
  const price = await post('prices', { currency: 'eur', unit_amount, recurring, product_name: 'Gold' });
  const subscription = await post('subscriptions', { customer, items: [{ price: price.id }] });
  const paid = await post('payments', { amount: 700, currency: 'eur', payment_method: method, customer });
  const payment = mode === 'test' ? paid.id : paid.error.payment;
  const { id: unused } = await post('payment_methods', { type: 'card', card, customer });
  return {
    customer,
    'payment method': unused,
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    payment,
  };
}

const once: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** Runs operations as customers do, without the pages: what their forms leave out can be sent too. */
export class CustomerHand {
  readonly #server: TestServer;
  readonly #executor: Executor;

  constructor(server: TestServer) {
    this.#server = server;
    this.#executor = new Executor(server.gateway.services, executorHooks(catalog));
  }

  /** The error, or what it is answered. */
  async run(
    { account, mode, customer }: { account: string; mode: Mode; customer: string },
    operation: AnyOperation,
    { id = '', parameters = {} }: { id?: string; parameters?: Record<string, unknown> },
  ): Promise<{ code?: string; error?: object; result?: object }> {
    const tenant = (await findTenant(this.#server.gateway.services.reads, account, mode))!;
    const caller: CustomerCaller = { kind: 'customer', tenant, mode, account, customer, address: '127.0.0.1' };
    const call = { operation, caller, id, parameters, requestId: null };
    try {
      if (operation.method === 'GET') return { result: await this.#executor.read(call) };
      const { error, result } = await this.#executor.change(call, once);
      return error === undefined ? { result } : shown(error);
    } catch (error) {
      return shown(error as Refusal);
    }
  }
}

type Refusal = Error & { code: string; status: number; param?: string | undefined };

/** All that a caller could learn from. */
function shown({ code, status, message, param }: Refusal) {
  return { code, error: { code, status, message, param } };
}
