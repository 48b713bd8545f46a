import { expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { Unavailable } from '../../../base/errors.ts';
import { Secret } from '../../../base/secret.ts';
import { catalog } from '../../../catalog.ts';
import { registrations } from '../../../connectors/index.ts';
import { checked } from '../../../connectors/stripe/world.fixture.ts';
import { type FakeStripe, startFakeStripe } from '../../../fakes/stripe/index.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { copyBooks } from '../../../test/stripe_books.ts';
import { shareOf } from '../../../test/torture.ts';
import { Checkout, cards, tokenOf } from '../checkout_sessions/checkout.fixture.ts';
import type { PayInput } from '../checkout_sessions/page_calls.ts';
import { type InvoiceCalls, invoiceCalls } from '../invoice_page/calls.ts';
import { type LinkCalls, linkCalls } from './link_calls.ts';

export type StormPlace = 'local' | 'remote' | 'stripe';
export type StormSession = { id: string; url: string };

const address = '203.0.113.7';
/** The answer is lost: the simulator has charged, or not. */
const lostCards = ['4000000000000408', '4000000000000416'];
const plainCards = [cards.good, cards.good, cards.declined, cards.challenged];
const stripeFaults = ['reset_before', 'reset_after', 'error_500_after', 'html', 'cut_json'] as const;

/** A shop over two instances, and everything that its customers, the shop itself and its processor can do at the same moment. */
export class Storm {
  readonly clock: VirtualClock = virtualClock(Date.now());
  readonly counts: Record<string, number> = {};
  readonly #place: StormPlace;
  readonly #random: (below: number) => number;
  #servers: TestServer[] = [];
  #account!: TestAccount;
  #checkout!: Checkout;
  #calls!: Checkout['calls'][];
  #links!: LinkCalls;
  #invoices!: InvoiceCalls[];
  #customer = '';
  #linkToken = '';
  #processor = '';
  #coupons: string[] = [];
  #monthly = '';
  #stripe: FakeStripe | undefined;

  constructor(place: StormPlace, random: (below: number) => number) {
    this.#place = place;
    this.#random = random;
  }

  get sql() {
    return this.#servers[0]!.sql;
  }

  async open(): Promise<void> {
    const { clock } = this;
    if (this.#place === 'stripe') this.#stripe = await startFakeStripe({ port: 0, clock, rawCards: true });
    const connectors = registrations.map((one) => (one.name === checked.name ? checked : one));
    const options = { clock, connectors, environment: { OWN_CARD_FIELDS: 'yes' } };
    const first = await startServer(options);
    this.#servers = [first, await startServer({ ...options, databaseUrl: first.databaseUrl })];
    this.#account = await first.account();
    this.#checkout = new Checkout(first, this.#account);
    this.#calls = this.#servers.map((server) => this.#checkout.callsOf(server));
    this.#processor = await this.#make('processor_accounts', this.#processorAccount());
    const percents = [25, 100].map((percent_off) => this.#make('coupons', { percent_off, duration: 'once' }));
    this.#coupons = await Promise.all(percents);
    const terms = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
    this.#monthly = await this.#make('prices', terms);
    const sold = { amount: 500, currency: 'eur', limit: shareOf(60, 6) };
    const { json: link } = await this.#account.test.post('/v1/payment_links', sold);
    this.#linkToken = link.url.split('/l/')[1];
    this.#links = linkCalls(this.#checkout.servicesOf(first), catalog);
    this.#invoices = this.#servers.map((server) => invoiceCalls(this.#checkout.servicesOf(server), catalog));
    const { customer, payment_method } = await this.#checkout.saved(cards.good);
    this.#customer = await this.#make(`customers/${customer}`, { default_payment_method: payment_method });
  }

  async close(): Promise<void> {
    for (const server of this.#servers.reverse()) await server.stop();
    await this.#stripe?.close();
  }

  #processorAccount(): object {
    if (this.#stripe === undefined)
      return { connector: 'simulator', name: 'Simulator', settings: { place: this.#place } };
    const { url: api_base, publishableKey: publishable_key, secretKey: secret_key } = this.#stripe;
    const settings = { api_base, raw_cards: true, publishable_key };
    return { connector: 'stripe', name: 'Fake', settings, credentials: { secret_key } };
  }

  async #make(path: string, body: object): Promise<string> {
    const { status, json, text } = await this.#account.test.post(`/v1/${path}`, body);
    expect(status, text).toBe(200);
    return json.id;
  }

  pick<One>(list: readonly One[]): One {
    return list[this.#random(list.length)]!;
  }

  async newSession(): Promise<StormSession> {
    const kind = this.#random(6);
    if (kind === 5) return this.#invoiceSession();
    const more = { expires_in: 1_800 + this.#random(3_600) };
    if (kind === 0) return this.#checkout.create({ capture_method: 'manual', ...more });
    if (kind === 1) {
      const lines = { amount: null, currency: null, line_items: [{ price: this.#monthly }] };
      return this.#checkout.create({ mode: 'subscription', ...lines, ...more });
    }
    if (kind > 2) return this.#checkout.create({ allow_coupons: true, ...more });
    // The link may be sold out by now.
    const begun = await this.#links.begin(this.#linkToken, { address });
    if (begun === undefined || !('goTo' in begun)) return this.#checkout.create(more);
    return { id: /cs_\w{22}/.exec(begun.goTo)![0], url: `https://localhost${begun.goTo}` };
  }

  async #invoiceSession(): Promise<StormSession> {
    const items = [{ amount: 700, description: 'Setup' }];
    const id = await this.#make('invoices', { customer: this.#customer, currency: 'eur', items });
    await this.#make(`invoices/${id}/finalize`, {});
    return (await this.#pressOn(id))!;
  }

  /** The button on the page of an invoice. Undefined: it cannot be paid now. */
  async #pressOn(id: string): Promise<StormSession | undefined> {
    const { hosted_url } = (await this.#account.test.get(`/v1/invoices/${id}`)).json;
    const calls = this.pick(this.#invoices);
    const view = await calls.find(hosted_url.split('/i/')[1]);
    const path = await calls.begin(view!, address);
    return path === undefined ? undefined : { id: /cs_\w{22}/.exec(path)![0], url: `https://localhost${path}` };
  }

  /** Requests about the invoice of a session, and another press on its page, which may lead to another session. */
  async #onInvoice({ id }: StormSession): Promise<void> {
    const { mode, invoice } = await this.#checkout.get(id);
    if (mode !== 'payment' || invoice === undefined) return;
    const verb = this.pick(['press', 'press', 'pay', 'pay', 'pay', 'void', 'mark_uncollectible']);
    if (verb !== 'press') return void (await this.#account.test.post(`/v1/invoices/${invoice}/${verb}`, {}));
    const session = await this.#pressOn(invoice);
    if (session !== undefined) await this.#acts.pay!(session);
  }

  async #instrument(): Promise<PayInput['instrument']> {
    const chance = this.#random(4);
    if (chance === 0) return { kind: 'page' };
    if (this.#stripe === undefined) return this.#checkout.card(this.pick([...plainCards, ...lostCards]));
    if (chance === 1) return this.#checkout.card(this.pick(plainCards));
    const payment_method = this.pick(['pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined']);
    const { url, secretKey } = this.#stripe;
    const headers = { Authorization: `Bearer ${secretKey}` };
    const body = new URLSearchParams({ payment_method });
    // A fault may hit this request too: then the browser has no token.
    const made = fetch(`${url}/v1/test_helpers/confirmation_tokens`, { method: 'POST', headers, body });
    const { id = 'ctoken_none' } = await made
      .then((answer) => answer.json() as { id?: string })
      .catch(() => ({}) as { id?: string });
    return { kind: 'confirmation', token: new Secret(id), processor_account: this.#processor };
  }

  /** The customer decides where the processor has sent him, maybe a while ago. */
  async decide({ url }: StormSession): Promise<void> {
    const goTo = (await this.pick(this.#calls).find(tokenOf(url), address))?.try.goTo;
    if (goTo === undefined) return;
    const isApproved = this.#random(3) > 0;
    const { pathname } = new URL(goTo);
    if (this.#stripe !== undefined) {
      const number = isApproved ? cards.good : cards.declined;
      const paid = { decision: 'pay', number, expiry: '12 / 40', cvc: '123', email: 'ada@example.com' };
      const decided = { decision: isApproved ? 'approve' : 'fail' };
      const body = new URLSearchParams(pathname.includes('/checkout/') ? paid : decided);
      await fetch(goTo, { method: 'POST', body, redirect: 'manual' }).catch(() => {});
      return;
    }
    const page = isApproved ? 'card=visa' : 'card=chargeDeclined';
    const body = pathname.includes('/pay/') ? page : `decision=${isApproved ? 'approve' : 'refuse'}`;
    await this.#servers[0]!.anonymous.form(pathname, body);
  }

  async #onPayment({ id }: StormSession, verb: 'cancel' | 'capture'): Promise<void> {
    const { payment } = await this.#checkout.get(id);
    if (payment !== undefined) await this.#account.test.post(`/v1/payments/${payment}/${verb}`, {});
  }

  readonly #acts: Record<string, (session: StormSession) => Promise<unknown>> = {
    pay: async ({ url }) =>
      this.pick(this.#calls).pay(tokenOf(url), { instrument: await this.#instrument(), details: {}, address }),
    decide: (session) => this.decide(session),
    close: ({ url }) => this.pick(this.#calls).closeTry(tokenOf(url), address),
    coupon: ({ url }) => this.pick(this.#calls).applyCoupon(tokenOf(url), this.pick(this.#coupons), address),
    noCoupon: ({ url }) => this.pick(this.#calls).applyCoupon(tokenOf(url), undefined, address),
    expire: ({ id }) => this.#account.test.post(`/v1/checkout_sessions/${id}/expire`, {}),
    update: ({ id }) => this.#account.test.post(`/v1/checkout_sessions/${id}`, { metadata: { n: this.#random(9) } }),
    invoice: (session) => this.#onInvoice(session),
    cancel: (session) => this.#onPayment(session, 'cancel'),
    capture: (session) => this.#onPayment(session, 'capture'),
  };

  async act(session: StormSession): Promise<void> {
    const often = ['pay', 'pay', 'pay', 'decide', 'decide', 'decide'];
    const name = this.pick([...often, ...Object.keys(this.#acts)]);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    // What finds other calls at the same rows for too long is refused, and so is what does not know whether it has happened.
    await this.#acts[name]!(session).catch((error: Error & { code?: string }) => {
      const code = error instanceof Unavailable ? 'unavailable' : error.code;
      if (code !== 'lock_timeout' && code !== 'unavailable') throw error;
      this.counts[code] = (this.counts[code] ?? 0) + 1;
    });
  }

  /** From now on some requests to Stripe fail, before or after they have taken effect. */
  trouble(): void {
    this.#stripe?.faults.clear();
    this.#stripe?.faults.add({ kind: this.pick(stripeFaults), probability: 0.08 });
  }

  calm(): void {
    this.#stripe?.faults.clear();
  }

  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    // Stripe is asked for its events, as if each had been sent immediately.
    if (this.#stripe !== undefined)
      await this.sql.query(
        'update processor_accounts set due_at = $1, version = version + 1 where lease_until is null',
        [new Date(this.clock.now())],
      );
    await this.#servers[0]!.settled();
  }

  async violations(rest: boolean): Promise<string[]> {
    if (this.#stripe !== undefined) await copyBooks(this.sql, this.#stripe.books());
    return violationsOf(this.sql, { rest });
  }
}
