import { systemClock } from '../../base/clock.ts';
import { Secret } from '../../base/secret.ts';
import { ApiClient } from '../../commands/api/client.ts';
import { GatewayApi } from '../../commands/import_stripe/gateway_api.ts';
import { importStripe } from '../../commands/import_stripe/index.ts';
import { ImportOutcome } from '../../commands/import_stripe/outcome.ts';
import { createHttp, type SendHttp } from '../../connectors/http.ts';
import { checking } from '../../connectors/stripe/stripe.fixture.ts';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeIntent, FakeSubscription } from '../../fakes/stripe/shapes.ts';
import type { StripeShop } from './stripe_shop.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Shown = any;

export type Subscribed = { customer: string; card: string; subscription: string };

/** A shop at Stripe that moves. Its objects are made through Stripe's API, as the shop made them. */
export class MovingShop {
  readonly fake: FakeStripe;
  /** What was wrong with requests to Stripe, according to Stripe's description. */
  readonly violations: string[] = [];

  constructor(fake: FakeStripe) {
    this.fake = fake;
  }

  async ask(path: string, form: Record<string, string | number> = {}): Promise<Shown> {
    const headers = { Authorization: `Bearer ${this.fake.secretKey}`, 'Stripe-Version': '2026-10-28.endive' };
    const body = new URLSearchParams(
      Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answer = await fetch(`${this.fake.url}/v1/${path}`, { method: 'POST', headers, body });
    const shown = (await answer.json()) as Shown;
    if (answer.status !== 200) throw new Error(JSON.stringify(shown));
    return shown;
  }

  async price(form: Record<string, string | number> = {}): Promise<string> {
    const facts = { currency: 'eur', unit_amount: 1_500, 'recurring[interval]': 'month', 'product_data[name]': 'Gold' };
    return (await this.ask('prices', { ...facts, ...form })).id;
  }

  async customer(
    form: Record<string, string | number> = {},
    token = 'pm_card_visa',
  ): Promise<{ id: string; card: string }> {
    const { id } = await this.ask('customers', form);
    const card = (await this.ask(`payment_methods/${token}/attach`, { customer: id })).id;
    await this.ask(`customers/${id}`, { 'invoice_settings[default_payment_method]': card });
    return { id, card };
  }

  async subscribed(price: string, form: Record<string, string | number> = {}, token?: string): Promise<Subscribed> {
    const { id: customer, card } = await this.customer({ email: 'ada@example.com' }, token);
    const made = await this.ask('subscriptions', { customer, 'items[0][price]': price, ...form });
    return { customer, card, subscription: made.id };
  }

  subscription(id: string): FakeSubscription {
    return this.fake.world.get<FakeSubscription>(id);
  }

  /** What a customer of Stripe's was charged: by Stripe's own subscriptions, and by the gateway. */
  charges(customer: string): { amount: number; by: 'Stripe' | 'Tollgate' }[] {
    return this.fake.books().flatMap(({ kind, amount, payment_intent, metadata }) => {
      const intent = payment_intent === null ? undefined : this.fake.world.get<FakeIntent>(payment_intent);
      if (kind !== 'charge' || intent?.customer !== customer) return [];
      return [{ amount, by: metadata.tollgate_attempt === undefined ? 'Stripe' : 'Tollgate' } as const];
    });
  }
}

type MoveWish = Omit<Parameters<typeof importStripe>[2], 'mode' | 'processorAccount'>;

type Dies = (request: string) => boolean | Promise<boolean>;

/** Runs the import as the command does. `dies` says after which request to either side, which is still carried out, it is killed. */
export async function move(
  { server, account }: StripeShop,
  { fake, violations }: MovingShop,
  processorAccount: string,
  wish: MoveWish,
  dies: Dies = () => false,
  outcome = new ImportOutcome(),
): Promise<ImportOutcome> {
  const client = new DyingClient({ base: server.baseUrl, ca: server.ca, key: account.testKey }, dies);
  const send = checking(createHttp(), violations);
  const dyingSend: SendHttp = async (request) => {
    client.live();
    const result = await send({ ...request, origin: fake.url }); // all accounts are at one address, as at Stripe
    await client.after(`Stripe: ${request.method} ${request.path}`);
    return result;
  };
  const rules = { allowedHosts: [], isDevelopment: true };
  const from = {
    key: new Secret(fake.secretKey),
    send: dyingSend,
    rules,
    clock: systemClock,
    requestsPerSecond: 1_000,
  };
  try {
    return await importStripe(new GatewayApi(client), from, { ...wish, mode: 'test', processorAccount }, outcome);
  } finally {
    client.close();
  }
}

export class Killed extends Error {}

/** A client of a process that is killed: no request follows, and no answer is read. */
class DyingClient extends ApiClient {
  readonly #dies: Dies;
  #isDead = false;

  constructor(access: ConstructorParameters<typeof ApiClient>[0], dies: Dies) {
    super(access);
    this.#dies = dies;
  }

  override async json(call: Parameters<ApiClient['json']>[0]): Promise<Shown> {
    this.live();
    try {
      return await super.json(call);
    } finally {
      await this.after(`${call.method} ${call.path}`);
    }
  }

  live(): void {
    if (this.#isDead) throw new Killed('killed');
  }

  async after(request: string): Promise<void> {
    this.#isDead ||= await this.#dies(request);
    this.live();
  }
}
