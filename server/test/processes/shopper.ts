import { setTimeout as sleep } from 'node:timers/promises';
import { CheckoutTab } from '../checkout_tab.ts';
import { Client } from '../client.ts';
import { patienceMs } from './child.ts';

const cards = { good: '4242424242424242', declined: '4000000000000002' };

/** An address can ask for 300 pages a minute. */
const pauseMs = 250;

export type ShoppingEnd = 'paid' | 'expired';

/**
 * A customer who pays a checkout session while the server is killed again and again: opens the page, does what it offers, and presses the
 * button again wherever an answer is missing.
 */
export class Shopper {
  readonly #url: string;
  /** Undefined while no server runs. */
  readonly #client: () => Client | undefined;
  readonly #random: (below: number) => number;

  /** Of the certificates of fakes. */
  readonly #ca: string;

  constructor(client: () => Client | undefined, url: string, random: (below: number) => number, ca: string) {
    this.#ca = ca;
    this.#client = client;
    this.#url = url;
    this.#random = random;
  }

  async shop(): Promise<ShoppingEnd> {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const client = this.#client()?.as();
      const end = client && (await this.#goOn(client).catch(() => undefined));
      if (end !== undefined) return end;
      await sleep(pauseMs);
    }
    throw new Error(`the session at ${this.#url} was not paid within ${patienceMs} ms`);
  }

  async #goOn(client: Client): Promise<ShoppingEnd | undefined> {
    const tab = new CheckoutTab(client, this.#url);
    const { status, text } = await tab.open();
    if (status !== 200 || text.includes('<main class="result" data-poll>')) return undefined;
    if (text.includes('Payment confirmed')) return 'paid';
    if (text.includes('This page has expired')) return 'expired';
    const goTo = /id="go"[^>]* href="([^"]+)"/.exec(text)?.[1];
    if (goTo === undefined) await tab.pay({ number: this.#card() });
    else if (this.#random(4) === 0) await tab.send({ act: 'another_way' });
    else await this.#decide(client, new URL(goTo.replaceAll('&amp;', '&'), this.#url));
    return undefined;
  }

  #card(): string {
    return this.#random(4) === 0 ? cards.declined : cards.good;
  }

  /** On a page of the processor: one of the simulator's, which the gateway serves, or one of a fake. */
  async #decide(client: Client, page: URL): Promise<void> {
    const paid = { number: this.#card(), expiry: '12 / 40', cvc: '123', email: 'ada@example.com' };
    const body = new URLSearchParams({
      card: 'visa',
      decision: page.pathname.includes('/challenge/') ? 'approve' : 'pay',
      ...paid,
    });
    const isOurs = page.pathname.startsWith('/simulator/');
    const processor = isOurs ? client : new Client(page.origin, this.#ca);
    const { location } = (await processor.form(page.pathname, body.toString())).headers;
    if (!isOurs) processor.close();
    if (!location) return;
    const { pathname, search } = new URL(location, this.#url);
    await client.get(`${pathname}${search}`);
  }
}
