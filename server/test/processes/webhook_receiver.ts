import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** The requests for one event, by its webhook-id. */
export type Arrived = { count: number; object: string; digest: string; type: string };

/** A receiver of webhooks that verifies and counts every one. */
export class WebhookReceiver {
  readonly arrived = new Map<string, Arrived>();
  readonly violations: string[] = [];
  /** The time of the last request. */
  lastAt = 0;
  requests = 0;
  status = 200;
  /** Whether it refuses the first request for an event. */
  refuses: (() => boolean) | undefined;
  delayMs = 0;
  secret: string | undefined;
  readonly #server: Server;
  #held: Promise<void> | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('error', () => {});
      request.on('end', async () => {
        const count = this.#take(request.headers as Record<string, string>, Buffer.concat(chunks));
        if (this.delayMs > 0) await sleep(this.delayMs);
        await this.#held;
        response.writeHead(count === 1 && this.refuses?.() ? 500 : this.status).end('thanks');
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** How many events came more than once. */
  get repeated(): number {
    return [...this.arrived.values()].filter(({ count }) => count > 1).length;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }

  /** Holds all answers until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = undefined;
      resolve();
    };
  }

  /** How many connections are open: none once everything that a dead process had sent has been read. */
  async connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** How many requests have come for the event so far. */
  #take(headers: Record<string, string>, body: Buffer): number {
    this.requests += 1;
    this.lastAt = performance.now();
    const id = headers['webhook-id'] ?? 'none';
    const digest = createHash('sha256').update(body).digest('hex');
    try {
      if (this.secret !== undefined) new Webhook(this.secret).verify(body.toString(), headers);
      const event = JSON.parse(body.toString());
      if (event.id !== id) this.violations.push(`${id} brought ${event.id}`);
      const before = this.arrived.get(id);
      if (before !== undefined && before.digest !== digest) this.violations.push(`${id} came with other bytes`);
      const count = (before?.count ?? 0) + 1;
      this.arrived.set(id, { count, object: event.data.object.id, digest, type: event.type });
      return count;
    } catch (error) {
      this.violations.push(`${id}: ${(error as Error).message}`);
      return 0;
    }
  }
}
