import { type ApiAnswer, ApiFailure } from '../api/client.ts';
import { UsageError } from '../usage.ts';
import { fitCard, fitCustomer, methodMark } from './fit.ts';
import type { Obstacle } from './reasons.ts';
import { StripeRefusal } from './stripe_account.ts';
import type { StripeCustomer, StripeMethod } from './stripe_objects.ts';
import { countHere, eachOf, type Imported, type ImportTools, importOne } from './tools.ts';

/** Enough that the waits for both sides overlap. */
const concurrency = 8;

/** A customer that is here, or would be. */
type ImportedCustomer = Imported & { balance: number; hasDiscount: boolean; hasDefaultCard: boolean };

/** Customers and their cards: what is here, by the id at Stripe. */
export class Customers {
  readonly #tools: ImportTools;
  readonly #customers = new Map<string, ImportedCustomer>();
  /** Those that can be charged. */
  readonly #cards = new Map<string, Imported>();
  /** As they were when the run began. */
  readonly #customersBefore = new Map<string, ApiAnswer>();
  readonly #cardsBefore = new Map<string, { id: string; isAttached: boolean }>();
  #isCardAccepted = false;

  constructor(tools: ImportTools) {
    this.#tools = tools;
  }

  find(id: string): ImportedCustomer | undefined {
    return this.#customers.get(id);
  }

  findCard(id: string): Imported | undefined {
    return this.#cards.get(id);
  }

  async read(): Promise<void> {
    const { gateway, processorAccount } = this.#tools;
    for await (const customer of gateway.all('/customers'))
      if (customer.external_id !== undefined) this.#customersBefore.set(customer.external_id, customer);
    for await (const { id, metadata, customer, processor_token } of gateway.all('/payment_methods')) {
      const stripeId = metadata?.[methodMark];
      if (stripeId !== undefined && processor_token?.processor_account === processorAccount)
        this.#cardsBefore.set(stripeId, { id, isAttached: customer !== undefined });
    }
    this.#isCardAccepted = this.#cardsBefore.size > 0;
  }

  async import(): Promise<void> {
    const { stripe, outcome, progress } = this.#tools;
    for await (const page of stripe.customers())
      await eachOf(page, concurrency, async (customer) => {
        outcome.count('customers', 'read');
        const obstacle = await this.#customer(customer);
        if (obstacle !== undefined) outcome.leave('customers', customer.id, obstacle);
        progress.add(1);
      });
  }

  async #customer(customer: StripeCustomer): Promise<Obstacle | undefined> {
    const { stripe, outcome } = this.#tools;
    let methods: StripeMethod[];
    try {
      methods = await stripe.methodsOf(customer.id);
    } catch (error) {
      if (error instanceof StripeRefusal) return { reason: 'gone', detail: error.message };
      throw error;
    }
    const made = await this.#create(customer);
    if ('reason' in made) return made;
    for (const method of methods) {
      outcome.count('payment_methods', 'read');
      const obstacle = await this.#card(method, made.id);
      if (obstacle !== undefined) outcome.leave('payment_methods', method.id, obstacle);
    }
    const hasDefaultCard = await this.#setDefault(customer, made.id);
    const { balance, hasDiscount } = customer;
    if (balance !== 0) outcome.note('customers', customer.id, `its balance at Stripe (${balance}) stays there`);
    if (hasDiscount) outcome.note('customers', customer.id, 'its own discount at Stripe stays there');
    this.#customers.set(customer.id, { ...made, balance, hasDiscount, hasDefaultCard });
    return undefined;
  }

  async #create(customer: StripeCustomer): Promise<Imported | Obstacle> {
    const before = this.#customersBefore.get(customer.id);
    if (before !== undefined) {
      countHere(this.#tools, 'customers', customer.id, before.id);
      return { id: before.id };
    }
    const { gateway, mode } = this.#tools;
    return importOne(this.#tools, 'customers', customer.id, fitCustomer(customer, mode), async (parameters) => {
      const { object, isNew } = await gateway.create('customers', parameters);
      if (!isNew) this.#customersBefore.set(customer.id, object);
      return { id: object.id, isNew };
    });
  }

  /** `owner` is the customer here; undefined in a dry run. */
  async #card(method: StripeMethod, owner: string | undefined): Promise<Obstacle | undefined> {
    const before = this.#cardsBefore.get(method.id);
    if (before !== undefined) {
      countHere(this.#tools, 'payment_methods', method.id, before.id);
      if (before.isAttached) this.#cards.set(method.id, before);
      return undefined;
    }
    const { processorAccount, mode } = this.#tools;
    const fit = fitCard(method, { processorAccount, mode, customer: owner });
    const made = await importOne(this.#tools, 'payment_methods', method.id, fit, (parameters) =>
      this.#tokenize(parameters, `import/${owner}/${method.id}`),
    );
    if ('reason' in made) return made;
    this.#cards.set(method.id, made);
    return undefined;
  }

  async #tokenize(parameters: Record<string, unknown>, key: string): Promise<ApiAnswer> {
    try {
      const made = await this.#tools.gateway.createMarked('/payment_methods', parameters, key);
      this.#isCardAccepted = true;
      return made;
    } catch (error) {
      const isUnknown = error instanceof ApiFailure && error.error?.param === 'processor_token.token';
      // Stripe has just listed it. Where not one is known, everything that follows would be without cards.
      if (isUnknown && !this.#isCardAccepted)
        throw new UsageError(
          `${this.#tools.processorAccount} does not know a card that Stripe lists: --stripe-key is a key of another account at Stripe (${error.message})`,
        );
      throw error;
    }
  }

  /** Whether invoices can be charged to a card that is here. A default that was chosen here stays. */
  async #setDefault({ id, defaultMethod }: StripeCustomer, owner: string | undefined): Promise<boolean> {
    if (this.#customersBefore.get(id)?.default_payment_method !== undefined) return true;
    const card = defaultMethod === undefined ? undefined : this.#cards.get(defaultMethod);
    if (card === undefined) return false;
    if (owner !== undefined && card.id !== undefined)
      await this.#tools.gateway.post(`/customers/${owner}`, { default_payment_method: card.id });
    return true;
  }
}
