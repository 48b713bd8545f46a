import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { tester } from '../../base/embedded_postgres/superuser.fixture.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { registrations } from '../../connectors/index.ts';
import { moveByHand } from '../../connectors/simulator/by_hand.ts';
import { checked } from '../../connectors/stripe/world.fixture.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { Answer, Client } from '../client.ts';
import { createDatabase, type TestServer } from '../harness.ts';
import { violationsOf } from '../payment_invariants.ts';
import { copyBooks, doubled, unremembered } from '../stripe_books.ts';
import { type CardName, cards, challengingCards, type SetupCard } from './model.ts';
import { Mortals } from './mortal.ts';

export type Place = 'local' | 'remote' | 'stripe';

/** A request with its own idempotency key, so that it can be repeated. */
export type Call = { path: string; body: object; key: string };

/** The fee of each payment. */
export const feeFixed = 30;

const deadlineMs = 10_000; // of a call to the processor; a crash advances the clock beyond it
/** Long enough that what Stripe decides later comes later, and short enough for `passTime`. */
const stripeDecidesMs = 30_000;
const triesMax = 60;
const pauseMs = 20;

/** A gateway on a separate database that can be killed at any moment and started again. */
export class World {
  readonly clock: VirtualClock = virtualClock(Date.now() + 60_000);
  readonly place: Place;
  /** How long the worker may take until the API shows what the model says. */
  readonly patienceMs: number;
  sql!: Connection;
  crashes = 0;
  #database!: Awaited<ReturnType<typeof createDatabase>>;
  #server!: TestServer;
  #client!: Client;
  #key!: string;
  #account!: string;
  /** Work of gateways that were killed meanwhile. */
  readonly #lost: Promise<unknown>[] = [];
  /** What was done at Stripe itself: the ids of its effects. */
  readonly #byHand = new Set<string>();
  #stripe: FakeStripe | undefined;
  #mortals!: Mortals;

  private constructor(place: Place, patienceMs: number) {
    this.place = place;
    this.patienceMs = patienceMs;
  }

  static async open(place: Place, patienceMs: number): Promise<World> {
    const world = new World(place, patienceMs);
    world.#database = await createDatabase();
    world.sql = await connect({ ...world.#database.address, ...tester }, 'simulation');
    world.#mortals = new Mortals(world.#database, world.sql);
    await world.#start();
    const account = await world.#server.account();
    world.#key = account.testKey;
    world.#account = account.id;
    await world.sql.query(`update accounts set fee_fixed = '{"usd": ${feeFixed}}'`);
    world.#client = world.#server.client(world.#key);
    if (place === 'stripe') await world.#openStripe();
    return world;
  }

  /** Every card number is charged through the connector of Stripe, at a fake. */
  async #openStripe(): Promise<void> {
    const { clock } = this;
    this.#stripe = await startFakeStripe({ port: 0, clock, rawCards: true, decisionMs: stripeDecidesMs });
    const { url, secretKey } = this.#stripe;
    const settings = { api_base: url, raw_cards: true };
    const account = { connector: 'stripe', name: 'Fake', settings, credentials: { secret_key: secretKey } };
    const made = await this.#client.post('/v1/processor_accounts', account);
    if (made.status !== 200) throw new Error(made.text);
  }

  /** The number of a card. Where the number alone does not bring it about, the next charge or setup meets the fault. */
  cardNumber(card: CardName | SetupCard): string {
    const kind = card === 'reply_lost' ? 'reset_after' : card === 'never_received' ? 'reset_before' : undefined;
    if (kind !== undefined) this.#stripe?.faults.add({ kind, method: 'POST', path: '/confirm' });
    return { ...cards, ...challengingCards }[card];
  }

  async violations(at: { rest: boolean }): Promise<string[]> {
    if (this.#stripe === undefined) return violationsOf(this.sql, at);
    const books = this.#stripe.books();
    await copyBooks(this.sql, books);
    const { rows } = await this.sql.query(`select id from attempts where connector <> 'stripe'`);
    const elsewhere = rows.map(({ id }) => `${id} was not made at Stripe`);
    return [
      ...(await violationsOf(this.sql, at)),
      ...doubled([books.filter((effect) => !this.#byHand.has(`${effect.kind} ${effect.id}`))]),
      ...elsewhere,
      ...(await unremembered(this.sql, [this.#stripe.world])),
    ];
  }

  async #start(): Promise<void> {
    this.#server = await this.#mortals.start({
      clock: this.clock,
      processorDeadlineMs: deadlineMs,
      environment: { SIMULATOR: this.place === 'remote' ? 'remote' : 'local' },
      connectors: registrations.map((one) => (one.name === checked.name ? checked : one)),
    });
    if (this.#key !== undefined) this.#client = this.#server.client(this.#key);
  }

  async #die(): Promise<void> {
    await this.#mortals.kill(this.#server);
    this.crashes++;
  }

  get(path: string): Promise<Answer> {
    return this.#client.get(path);
  }

  /** The merchant's balance, available or not, and the disputed amount. */
  async balance(): Promise<{ own: number; disputed: number }> {
    const { available, pending, disputed } = (await this.get('/v1/balance')).json;
    const sum = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
    return { own: sum(available) + sum(pending), disputed: sum(disputed) };
  }

  /** Repeats the request until the answer is conclusive. */
  async send(call: Call): Promise<Answer> {
    for (let tries = 0; tries < triesMax; tries++) {
      const answer = await this.#try(call).catch(() => undefined);
      if (answer !== undefined && answer.status !== 429 && answer.status !== 500) return answer;
      await sleep(pauseMs);
    }
    throw new Error(`${call.path} got no answer in ${triesMax} tries`);
  }

  #try({ path, body, key }: Call): Promise<Answer> {
    return this.#client.post(path, body, { 'Idempotency-Key': key });
  }

  /** Kills the gateway during the request, starts it again, and repeats the request. */
  async sendAndCrash(call: Call, afterMs: number): Promise<Answer> {
    const lost = this.#try(call).catch(() => undefined);
    await sleep(afterMs);
    await this.#die();
    await lost;
    this.clock.advance(deadlineMs + 1_000); // the call is past its deadline, and no inquiry has been made yet
    await this.#start();
    return this.send(call);
  }

  /** Kills the gateway while it does what is due, and starts it again. */
  async settleAndCrash(afterMs: number): Promise<void> {
    await this.#crashDuring(() => this.settled(), afterMs);
  }

  async #crashDuring(work: () => Promise<unknown>, afterMs: number): Promise<void> {
    this.#lost.push(work().catch(() => {}));
    await sleep(afterMs);
    await this.#die();
    this.clock.advance(deadlineMs + 1_000);
    // Leases are in real time: without this, each crash would take as long as a lease.
    for (const table of ['payments', 'setups', 'subscriptions', 'refunds', 'notices', 'processor_accounts'])
      await this.sql.query(`update ${table} set lease_until = now() where lease_until > now()`);
    await this.#start();
  }

  /** The cardholder decides on the page of the bank, and does not come back. */
  async decide(url: string, decision: 'approve' | 'refuse'): Promise<void> {
    if (this.#stripe === undefined) {
      await this.#server.anonymous.form(new URL(url).pathname, `decision=${decision}`);
      return;
    }
    const body = new URLSearchParams({ decision: decision === 'approve' ? 'approve' : 'fail' });
    await fetch(url, { method: 'POST', body, redirect: 'manual' });
  }

  /** Somebody moves the money of a payment at the processor itself. */
  async moveByHand(verb: 'capture' | 'refund' | 'cancel', payment: string, amount?: number): Promise<void> {
    const text = 'select tenant, authorization_attempt from payments where id = $1';
    const { tenant, authorization_attempt: authorization } = (await this.sql.query(text, [payment])).rows[0];
    if (this.#stripe === undefined) {
      const move = { tenant, account: null, verb, authorization, now: this.clock.now() };
      await moveByHand(this.#server.gateway.services.durable, amount === undefined ? move : { ...move, amount });
      return;
    }
    // Not by the reference that the payment shows: one that a person has settled may have none.
    const before = [...this.#stripe.books()];
    const taken = before.find(({ kind, metadata }) => kind !== 'decline' && metadata.tollgate_payment === payment);
    this.#stripe.byHand[verb](taken!.payment_intent!, amount);
    for (const { kind, id } of this.#stripe.books().slice(before.length)) this.#byHand.add(`${kind} ${id}`);
  }

  /** From now on the processor answers no inquiry, and reports nothing. */
  async silence(): Promise<void> {
    if (this.#stripe !== undefined)
      this.#stripe.faults.add({ kind: 'error_500_before', method: 'GET', probability: 1 });
    else await this.sql.query(`insert into simulator_faults (verb, kind, remaining) values ('find', 'down', 1000)`);
  }

  async endSilence(): Promise<void> {
    this.#stripe?.faults.clear();
    await this.sql.query('update simulator_faults set remaining = 0');
  }

  /** The operator enters the outcome of a payment, and repeats it if the gateway has died meanwhile. */
  async settleByHand(id: string, as: string, crash: number | undefined): Promise<void> {
    const settle = () =>
      this.#server.operator.run('payments.settle', { account: this.#account, id, parameters: { as } });
    if (crash !== undefined) await this.#crashDuring(settle, crash);
    if ((await this.get(`/v1/payments/${id}`)).json.status === 'processing') await settle();
  }

  /** Waits until something is found, while the worker works. */
  async until<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
    for (let waited = 0; waited < this.patienceMs; waited += pauseMs) {
      const found = await find();
      if (found !== undefined) return found;
      await sleep(pauseMs);
    }
    throw new Error(`${what}: not within ${this.patienceMs} ms`);
  }

  /** Runs everything that is due by now. */
  async settled(): Promise<void> {
    // Stripe is asked for its events, as if each had been sent immediately.
    if (this.#stripe !== undefined)
      await this.sql.query(
        'update processor_accounts set due_at = $1, version = version + 1 where lease_until is null',
        [new Date(this.clock.now())],
      );
    await this.#server.settled();
  }

  async later(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.settled();
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#mortals.ended();
    await Promise.all(this.#lost);
    await this.#stripe?.close();
    await this.sql.end();
    await this.#database.drop();
    const admin = await connect({ ...this.#database.address, ...tester, database: 'postgres' } as never, 'simulation');
    await this.#mortals.dropRoles(admin);
    await admin.end();
  }
}

export function newCall(path: string, body: object): Call {
  return { path, body, key: randomUUID() };
}
