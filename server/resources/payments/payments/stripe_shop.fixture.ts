import { expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import { registrations } from '../../../connectors/index.ts';
import { checked } from '../../../connectors/stripe/world.fixture.ts';
import { type FakeStripe, startFakeStripe } from '../../../fakes/stripe/index.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { copyBooks } from '../../../test/stripe_books.ts';
import { reconcileDay } from '../reconciliations/reconcile.ts';
import { openShop, type Shop } from './payments.fixture.ts';

/** A shop whose cards are all charged through the connector of Stripe, at a fake. */
export type StripeShop = Shop & {
  clock: VirtualClock;
  stripe: FakeStripe;
  processor: string;
  /** The intent of a payment. */
  intentOf(payment: string): Promise<string>;
  /** Stripe is asked for its events, as if each had been sent immediately, and everything that is due is done. */
  reported(): Promise<void>;
  /** Time passes, and everything that is due is done. */
  pass(milliseconds: number): Promise<void>;
  post(path: string, body?: object): ReturnType<Shop['read']>;
  /** The ledger of the day on which the shop was opened, compared with the statement of the fake. */
  reconciled(): Promise<{ matched: number; differences: object[] }>;
  /** What breaks a rule about payments, by the books of the fake. */
  violations(): Promise<string[]>;
};

/** `hasFields`: pages of the gateway have the fields of Stripe. */
export async function openStripeShop({ hasFields = false } = {}): Promise<StripeShop> {
  const clock = virtualClock(Date.now());
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const openedOn = today();
  const stripe = await startFakeStripe({ port: 0, clock, rawCards: true });
  const shop = await openShop({
    clock,
    connectors: registrations.map((one) => (one.name === checked.name ? checked : one)),
  });
  const { test } = shop.account;
  const fields = hasFields ? { publishable_key: stripe.publishableKey } : {};
  const settings = { api_base: stripe.url, raw_cards: true, ...fields };
  const credentials = { secret_key: stripe.secretKey };
  const made = await test.post('/v1/processor_accounts', { connector: 'stripe', name: 'Fake', settings, credentials });
  expect(made.status).toBe(200);
  return {
    ...shop,
    clock,
    stripe,
    processor: made.json.id,
    intentOf: async (payment) => (await shop.read(payment)).json.processor.reference,
    async reported() {
      await shop.sql('update processor_accounts set due_at = $1, version = version + 1 where lease_until is null', [
        new Date(clock.now()),
      ]);
      await shop.server.settled();
    },
    async pass(milliseconds) {
      clock.advance(milliseconds);
      await shop.server.settled();
    },
    post: (path, body = {}) => test.post(path, body),
    async reconciled() {
      const tenant = await tenantOf(shop.server.sql, shop.account.id, 'test');
      const source = { connector: 'stripe', processor_account: made.json.id };
      const connector = await shop.server.gateway.services.connectors.of({ tenant, ...source });
      const statement = connector.statement!;
      const both = { matched: 0, differences: [] as object[] };
      // A test that is run about midnight has two days.
      for (const date of new Set([openedOn, today()])) {
        const day = { source, statement, date, account: shop.account.id };
        const { matched, differences } = await reconcileDay(oneConnection(shop.server.sql), day);
        both.matched += matched;
        both.differences.push(...differences);
      }
      return both;
    },
    async violations() {
      await copyBooks(shop.server.sql, stripe.books());
      return violationsOf(shop.server.sql, { rest: true });
    },
    async stop() {
      await shop.stop();
      await stripe.close();
    },
  };
}
