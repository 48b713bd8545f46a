import { expect } from 'vitest';
import type { VirtualClock } from '../../base/clock.fixture.ts';
import { catalog, requestable } from '../../catalog.ts';
import type { Example } from '../../http/pages/openapi/examples.ts';
import { dayOf } from '../../ledger/posting.ts';
import { addComparison } from '../../resources/payments/reconciliations/reconciliations.fixture.ts';
import type { Client } from '../client.ts';
import type { TestServer } from '../harness.ts';
import { cookieOf } from '../person.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
export type Shown = any;

/** In seconds. */
export const day = 86_400;

const operations = requestable(catalog);

type Wish = { id?: string; query?: NonNullable<Example['query']>; request?: object };

/** Calls operations by their names, and keeps the first answer to each. */
export class Recorder {
  readonly examples: Record<string, Example> = {};
  readonly client: Client;
  /** What only people may do is done by this person. */
  person: Client;
  /** That was set last. */
  cookie = '';
  readonly #server: TestServer;
  readonly #clock: VirtualClock;

  /** The texts of all mails so far. */
  readonly #mailed: readonly string[];

  constructor(
    server: TestServer,
    client: Client,
    { clock, mailed }: { clock: VirtualClock; mailed: readonly string[] },
  ) {
    this.#mailed = mailed;
    this.#server = server;
    this.client = client;
    this.person = server.anonymous.with({ Origin: server.config.publicUrl ?? '' });
    this.#clock = clock;
  }

  /** What the operator sends to somebody who has lost the password: the token of the link. */
  async resetToken(email: string): Promise<string> {
    const parameters = { link: true };
    const { url } = await this.#server.operator.run<{ url: string }>('me.create_reset_link', { id: email, parameters });
    return url.split('=')[1]!;
  }

  /** The code in the last mail. */
  get mailedCode(): string {
    return /^\s*([2-9A-HJKMNP-Z]{6})\s*$/m.exec(this.#mailed.at(-1)!)![1]!;
  }

  /** The payment of a session has come after its expiry. */
  async cameLate(session: string): Promise<void> {
    const text = `update checkout_sessions set late = true, expired_reason = 'time' where id = $1`;
    await this.#server.sql.query(text, [session]);
  }

  /** The operator has compared the day before with a processor, which has a payment that the ledger lacks. */
  async compared(processor_account: string): Promise<void> {
    const [{ tenant }] = (
      await this.#server.sql.query('select tenant from processor_accounts where id = $1', [processor_account])
    ).rows;
    const now = this.#clock.now();
    await addComparison(this.#server.sql, tenant, {
      now,
      date: dayOf(now, -1),
      connector: 'simulator',
      processor_account: processor_account as `pa_${string}`,
      matched: 41,
      matchedOnAnotherDay: 1,
      totals: [{ currency: 'eur', fee: 1_845n, net: 118_655n, payouts: 96_210n }],
      missing: [{ reference: 'ch_3Pq8', amount: 4_500 }],
    });
  }

  get now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }

  async call(name: string, wish: Wish = {}): Promise<Shown> {
    const { status, text } = await this.#send(name, wish);
    expect(status, `${name}: ${text}`).toBe(200);
    const answer = JSON.parse(text);
    this.examples[name] ??= { ...wish, answer };
    return answer;
  }

  /** Follows what happens, and keeps the message of its event. Attempts to deliver others may come before. */
  async follow(name: string, happening: () => Promise<Shown>): Promise<void> {
    const stream = (await this.person.open('/v1/changes')).setEncoding('utf8');
    expect(stream.statusCode).toBe(200);
    const { id } = await happening();
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      const messages = [...text.matchAll(/^data: (.*)\n/gm)].map(([, data]) => JSON.parse(data!));
      const answer = messages.find(({ subject, webhook_endpoint }) => subject === id && webhook_endpoint === undefined);
      if (answer === undefined) continue;
      this.examples[name] = { answer };
      return;
    }
  }

  /** A charge that is declined: what is left of it are events. */
  async declined(name: string, wish: Wish): Promise<void> {
    const { status, text } = await this.#send(name, wish);
    expect(status, `${name}: ${text}`).toBe(402);
  }

  /** The cardholder decides on the page of the simulator. */
  async authenticate({ next_action }: Shown): Promise<void> {
    const { pathname } = new URL(next_action.redirect_to_url.url);
    expect((await this.#server.anonymous.form(pathname, 'decision=approve')).status).toBe(303);
    await this.pass(1);
  }

  /** Lets time pass, with everything that is due by then. */
  async pass(seconds: number): Promise<void> {
    this.#clock.advance(seconds * 1_000);
    await this.#server.settled();
  }

  /** Every request has its own second: what it makes is then older than what the next one makes. */
  async #send(name: string, { id, query = {}, request }: Wish) {
    const { method, route, callers } = operations.find((operation) => operation.name === name)!;
    const client = callers.includes('key') ? this.client : this.person;
    const search = new URLSearchParams(query as Record<string, string>);
    const path = `/v1${route.replace(':id', id!)}${search.size === 0 ? '' : `?${search}`}`;
    this.#clock.advance(1_000);
    const answer = await client.request(method, path, request === undefined ? {} : { body: request });
    if (answer.headers['set-cookie'] !== undefined) this.cookie = cookieOf(answer);
    if (method !== 'GET') await this.#server.settled();
    return answer;
  }
}
