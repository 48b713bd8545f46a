import type { AddressInfo } from 'node:net';
import { http } from '../../base/node_http.ts';
import { type ApiAnswer, type ApiClient, ApiFailure } from '../api/client.ts';
import { poll } from '../api/poll.ts';
import { payOnPage } from './customer.ts';

export type Tell = (line: string) => void;
/** What a card brings about later happens within seconds. */
const happensMs = 60_000;
type Body = Readonly<Record<string, string>>;

/** The test cards of docs/testing.md. */
export const cards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  declinesWhenCharged: '4000000000000341',
  challenges: '4000000000003220',
  disputed: '4000000000000259',
  refundPending: '4000000000007726',
  refundFails: '4000000000005126',
  replyLost: '4000000000000408',
} as const;

/** The requests that recipes are made of. Each is printed as it is done. */
export class Steps {
  readonly #client: ApiClient;
  readonly #tell: Tell;

  constructor(client: ApiClient, tell: Tell) {
    this.#client = client;
    this.#tell = tell;
  }

  async post(path: string, body: Body = {}): Promise<ApiAnswer> {
    const made = await this.#client.post(path, body);
    this.#told('POST', path, made);
    return made;
  }

  async delete(path: string): Promise<ApiAnswer> {
    const gone = await this.#client.delete(path);
    this.#told('DELETE', path, gone);
    return gone;
  }

  /** A request that is declined, which is what it is for. */
  async declined(path: string, body: Body = {}): Promise<string> {
    try {
      return (await this.post(path, body)).id;
    } catch (error) {
      const failed = error instanceof ApiFailure ? error.error : undefined;
      const id = failed?.payment ?? failed?.setup;
      if (id === undefined) throw error;
      this.#tell(`POST /v1${path}  ${id}  ${failed!.code}`);
      return id;
    }
  }

  #told(method: string, path: string, { id, status }: ApiAnswer): void {
    this.#tell([`${method} /v1${path}`, id, status].filter((fact) => typeof fact === 'string').join('  '));
  }

  find<T>(path: string, query: Record<string, string>, look: (answer: ApiAnswer) => T | undefined): Promise<T> {
    return poll(this.#client, { path, query, look, limitMs: happensMs });
  }

  customer(): Promise<ApiAnswer> {
    return this.post('/customers', { name: 'Triggered' });
  }

  method(number: string, more: Body = {}): Promise<ApiAnswer> {
    const card = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2040' };
    return this.post('/payment_methods', { type: 'card', ...card, ...more });
  }

  /** A customer whose invoices are charged to this card. */
  async payer(number: string = cards.pays): Promise<string> {
    const { id } = await this.customer();
    const method = await this.method(number, { customer: id });
    await this.post(`/customers/${id}`, { default_payment_method: method.id });
    return id;
  }

  async payment(number: string, more: Body = {}): Promise<string> {
    const { id } = await this.method(number);
    return this.declined('/payments', { amount: '2000', currency: 'eur', payment_method: id, ...more });
  }

  price(): Promise<ApiAnswer> {
    const recurring = { 'recurring[interval]': 'month', product_name: 'Triggered' };
    return this.post('/prices', { currency: 'eur', unit_amount: '1900', ...recurring });
  }

  async subscription(more: Body = {}): Promise<string> {
    const customer = await this.payer();
    const price = await this.price();
    return (await this.post('/subscriptions', { customer, 'items[0][price]': price.id, ...more })).id;
  }

  /** A draft with one line. */
  async draft(number: string = cards.pays, amount = '700'): Promise<string> {
    const customer = await this.payer(number);
    await this.post('/invoice_items', { customer, amount, currency: 'eur', description: 'Triggered' });
    return (await this.post('/invoices', { customer })).id;
  }

  async openInvoice(number: string = cards.pays): Promise<string> {
    const id = await this.draft(number);
    await this.post(`/invoices/${id}/finalize`);
    return id;
  }

  /** A checkout session that a customer tries to pay, with a card that is saved. */
  async checkout(number: string): Promise<string> {
    const { id: customer } = await this.customer();
    const method = await this.method(number, { customer });
    const sold = { amount: '2000', currency: 'eur', description: 'Triggered' };
    const { id, url } = await this.post('/checkout_sessions', { ...sold, customer });
    await payOnPage(this.#client, url, method.id);
    const { status } = await this.#client.get(`/checkout_sessions/${id}`);
    this.#tell(`POST /pay/…  ${id}  ${status}`);
    return id;
  }

  /** The dispute that the card brings about. */
  async dispute(): Promise<string> {
    const payment = await this.payment(cards.disputed);
    return this.find('/disputes', { payment }, ({ data }) => data[0]?.id);
  }

  /** Sends the test event to an endpoint on this machine, which answers with the status; then deletes it again. */
  async endpoint(status: number, work: (id: string) => Promise<void>): Promise<string> {
    const server = http.createServer((_request, response) => void response.writeHead(status).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      const { id } = await this.post('/webhook_endpoints', { url, 'enabled_events[]': 'webhook_endpoint.disabled' });
      try {
        await this.post(`/webhook_endpoints/${id}/test`);
        await work(id);
      } finally {
        await this.delete(`/webhook_endpoints/${id}`);
      }
      return id;
    } finally {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  }
}
