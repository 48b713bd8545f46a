import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { VirtualClock } from '../../../../base/clock.fixture.ts';
import { type Connection, connect } from '../../../../base/sql.ts';
import { startServer, type TestAccount, type TestServer } from '../../../../test/harness.ts';
import { delivererName } from './deliverer.ts';
import type { Delivery } from './delivery.ts';

export type Received = { headers: Record<string, string>; body: string; at: number };
export type Answer = (request: Received, response: ServerResponse) => void;
export type Receiver = { url: string; received: Received[]; most: () => number };

/** A program that takes webhooks and answers as configured, until the test is over. */
export async function receiver(answer: Answer): Promise<Receiver> {
  const received: Received[] = [];
  let running = 0;
  let most = 0;
  const take = (request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++running);
    response.on('close', () => running--);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { headers: request.headers as Record<string, string>, body, at: performance.now() };
      received.push(one);
      answer(one, response);
    });
  };
  const server = createServer(take);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, most: () => most };
}

export const ok: Answer = (_, response) => response.writeHead(200).end('thanks');
export const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end('no');

/** One that takes its time: what it was sent waits in `held` until the test answers it. It begins with `answer`. */
export async function stallingReceiver(answer: Answer) {
  const held: ServerResponse[] = [];
  let isStalled = false;
  const made = await receiver((one, response) => {
    if (isStalled) held.push(response);
    else answer(one, response);
  });
  const stall = () => {
    isStalled = true;
  };
  /** Answers what waits, and whatever comes from now on. */
  const goOn = (code: number) => {
    isStalled = false;
    for (const response of held.splice(0)) response.writeHead(code).end();
  };
  return { ...made, held, stall, goOn };
}

/** What a look at its row tells of a delivery. */
export type Row = Pick<Delivery, 'id' | 'version' | 'state' | 'attempts' | 'due_at' | 'lease_until'>;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = any;

/** A gateway whose webhooks may go to this machine, and an account on it. */
export class Webhooks<C extends VirtualClock | undefined = undefined> {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly clock: C;

  private constructor(server: TestServer, account: TestAccount, clock: C) {
    this.server = server;
    this.account = account;
    this.clock = clock;
  }

  static async start<C extends VirtualClock | undefined>(clock: C, settings = {}): Promise<Webhooks<C>> {
    const environment = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8', ...settings };
    // Alone, because each instance sends a receiver so many requests at a time.
    const server = await startServer({ isAlone: true, environment, ...(clock === undefined ? {} : { clock }) });
    return new Webhooks(server, await server.account(), clock);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async endpoint(url: string, enabled_events = ['customer.created']): Promise<{ id: string; secret: string }> {
    const made = await this.account.test.post('/v1/webhook_endpoints', { url, enabled_events });
    expect(made.json.error).toBeUndefined();
    return made.json;
  }

  async change(id: string, body: object): Promise<void> {
    expect((await this.account.test.post(`/v1/webhook_endpoints/${id}`, body)).status).toBe(200);
  }

  async customer(): Promise<string> {
    return (await this.account.test.post('/v1/customers', { name: 'Ada' })).json.id;
  }

  customers(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.customer()));
  }

  /** As the API lists them, newest first. */
  async deliveriesOf(id: string): Promise<Json[]> {
    return (await this.account.test.get(`/v1/webhook_endpoints/${id}/deliveries?limit=100`)).json.data;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.account.test.get(`/v1/webhook_endpoints/${id}`)).json.status;
  }

  async rowsOf(id: string): Promise<Row[]> {
    const { rows } = await this.server.sql.query<Row>(
      'select id, version, state, attempts, due_at, lease_until from deliveries where endpoint = $1 order by id',
      [id],
    );
    return rows;
  }

  async rowOf(id: string): Promise<Row> {
    return (await this.rowsOf(id))[0]!;
  }

  /** How many deliveries to it somebody holds at this moment. */
  async leased(id: string): Promise<number> {
    return (await this.rowsOf(id)).filter(({ lease_until }) => lease_until !== null).length;
  }

  async fails(id: string): Promise<boolean> {
    return (await this.server.sql.query('select from webhook_health where endpoint = $1', [id])).rowCount === 1;
  }

  wake(): void {
    this.server.gateway.worker.wake(delivererName);
  }

  /** Everything that is due was sent, even what a run of the deliverer beside the last one has leased. */
  async settled(): Promise<void> {
    const busy = 'select from deliveries where lease_until is not null limit 1';
    do await this.server.settled();
    while ((await this.server.sql.query(busy)).rowCount === 1);
  }

  /** To the next attempt; gives the seconds until then. */
  async toNext(this: Webhooks<VirtualClock>, id: string): Promise<number> {
    const wait = (await this.rowOf(id)).due_at!.getTime() - this.clock.now();
    this.clock.advance(wait);
    await this.settled();
    return wait / 1_000;
  }

  /** One more connection to its database. */
  async connection(): Promise<Connection> {
    const connection = await connect({ connectionString: this.server.databaseUrl }, 'test');
    onTestFinished(() => connection.end());
    return connection;
  }
}
