import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { registrations } from '../../connectors/index.ts';
import { checked } from '../../connectors/stripe/world.fixture.ts';
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from '../../fakes/stripe/index.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../harness.ts';

export type StripeShop = Awaited<ReturnType<typeof openStripeShop>>;

/** A gateway, and accounts at fakes of Stripe, over real sockets. Time stands still unless a test moves it. */
export async function openStripeShop(options: ServerOptions = {}) {
  const clock: VirtualClock = virtualClock(Date.now() + 60_000);
  const connectors = registrations.map((one) => (one.name === checked.name ? checked : one));
  const server: TestServer = await startServer({ clock, connectors, ...options });
  const account: TestAccount = await server.account();
  const fakes: FakeStripe[] = [];
  const shop = {
    clock,
    server,
    account,
    /** Another instance on the same database. */
    instance: () => startServer({ clock, connectors, ...options, databaseUrl: server.databaseUrl }),
    /** Another account at Stripe. */
    async stripe(given: Partial<FakeStripeOptions> = {}): Promise<FakeStripe> {
      const fake = await startFakeStripe({ port: 0, clock, rawCards: true, ...given });
      fakes.push(fake);
      return fake;
    },
    /** A processor account here for an account at Stripe. */
    async processor(fake: FakeStripe, more: object = {}): Promise<string> {
      const made = await account.test.post('/v1/processor_accounts', { ...accountAt(fake), ...more });
      if (made.status !== 200) throw new Error(made.text);
      return made.json.id;
    },
    /** A payment by a card number. */
    async pay(number = '4242424242424242', more: object = {}) {
      const card = { number, exp_month: 12, exp_year: 2040 };
      const method = await account.test.post('/v1/payment_methods', { type: 'card', card });
      const body = { amount: 4321, currency: 'usd', payment_method: method.json.id, ...more };
      return account.test.post('/v1/payments', body);
    },
    /** Time passes, and everything that is due then is done. */
    async later(seconds: number): Promise<void> {
      clock.advance(seconds * 1_000);
      await server.settled();
    },
    // biome-ignore lint/suspicious/noExplicitAny: rows of every table
    async rows(text: string, values: unknown[] = []): Promise<any[]> {
      return (await server.sql.query(text, values)).rows;
    },
    /** An owner of the account, who has signed in. */
    person: () => server.person(account.id, 'owner'),
    /** The lines of the log from a level on. */
    logged: (...levels: string[]) =>
      server.logged.map((line) => JSON.parse(line)).filter(({ level }) => levels.includes(level)),
    async stop(): Promise<void> {
      await server.stop();
      for (const fake of fakes) await fake.close();
    },
  };
  return shop;
}

export function accountAt({ url, secretKey, webhookSecret }: FakeStripe) {
  const credentials = { secret_key: secretKey, webhook_secret: webhookSecret };
  return { connector: 'stripe', name: 'Stripe', credentials, settings: { api_base: url, raw_cards: true } };
}
