import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { pause } from '../../base/timers.ts';
import { isWanted } from './events.ts';
import { invalid } from './refusal.ts';
import type { FakeEvent, FakeWebhookEndpoint } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** How events reach the endpoints. Whatever is said here, the list of events is complete. */
export type FakeDelivering = {
  /** How often each event is sent. */
  copies: number;
  delayMs: number;
  /** Kept back until it is false again. */
  isHeld: boolean;
  /** Of those that were held. */
  order: 'as_made' | 'reversed';
  /** Never sent. */
  isDropped: boolean;
};

const attemptsMax = 5;
const firstRetryMs = 100;
const answerMs = 10_000;

/** Sends events to the registered addresses, signed as Stripe signs. */
export class FakeWebhooks {
  readonly #world: FakeWorld;
  readonly #secret: string;
  readonly #endpoints: { endpoint: FakeWebhookEndpoint; secret: string }[] = [];
  /** Only loopback is reached, where the certificate may be anybody's. */
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });
  readonly #stop = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #held: FakeEvent[] = [];
  #delivering: FakeDelivering = { copies: 1, delayMs: 0, isHeld: false, order: 'as_made', isDropped: false };

  constructor(world: FakeWorld, secret: string) {
    this.#world = world;
    this.#secret = secret;
    world.onEvent = (event) => this.#take(event);
  }

  /** Sends events to this address from now on. */
  register(url: string, events = ['*'], secret = this.#secret): FakeWebhookEndpoint {
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(host))
      throw invalid('Invalid URL: this fake sends webhooks to loopback addresses alone.', { param: 'url' });
    const endpoint: FakeWebhookEndpoint = {
      id: this.#world.newId('we'),
      object: 'webhook_endpoint',
      api_version: null,
      application: null,
      created: this.#world.seconds(),
      description: null,
      enabled_events: events,
      livemode: this.#world.settings.livemode,
      metadata: {},
      status: 'enabled',
      url,
    };
    this.#endpoints.push({ endpoint: this.#world.add(endpoint), secret });
    return endpoint;
  }

  /** Changes how events are delivered from now on. Those that were held are sent when nothing is held any more. */
  deliver(change: Partial<FakeDelivering>): void {
    this.#delivering = { ...this.#delivering, ...change };
    if (this.#delivering.isHeld) return;
    const events = this.#held.splice(0);
    if (this.#delivering.order === 'reversed') events.reverse();
    // One after the other, so that the order is what was asked for.
    if (events.length > 0) this.#track(this.#sendInTurn(events));
  }

  /** Resolves when nothing is being sent, retries included. What is held does not count. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#agent.destroy();
  }

  #take(event: FakeEvent): void {
    event.pending_webhooks = this.#targetsOf(event).length;
    if (this.#delivering.isDropped) return;
    if (this.#delivering.isHeld) this.#held.push(event);
    else this.#track(this.#send(event));
  }

  #track(work: Promise<void>): void {
    this.#sending.add(work);
    void work.finally(() => this.#sending.delete(work));
  }

  async #sendInTurn(events: readonly FakeEvent[]): Promise<void> {
    for (const event of events) await this.#send(event);
  }

  async #send(event: FakeEvent): Promise<void> {
    const { copies, delayMs } = this.#delivering;
    if (delayMs > 0) await pause(delayMs);
    const targets = this.#targetsOf(event);
    await Promise.all(
      targets.map(async ({ endpoint, secret }) => {
        for (let copy = 0; copy < copies; copy += 1) await this.#sendTo(endpoint.url, secret, event);
        event.pending_webhooks -= 1;
      }),
    );
  }

  #targetsOf({ type }: FakeEvent) {
    return this.#endpoints.filter(({ endpoint }) => isWanted(endpoint.enabled_events, type));
  }

  async #sendTo(url: string, secret: string, event: FakeEvent): Promise<void> {
    const body = JSON.stringify(event, null, 2);
    for (let attempt = 0; attempt < attemptsMax && !this.#stop.signal.aborted; attempt += 1) {
      if (attempt > 0) await pause(firstRetryMs * 2 ** (attempt - 1));
      if (await this.#post(url, body, this.#signature(secret, body))) return;
    }
  }

  /** By the clock of the machine: the receiver compares it with its own, whatever time it is in the fake. */
  #signature(secret: string, body: string): string {
    const seconds = Math.floor(this.#world.settings.clock.now() / 1_000);
    const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return `t=${seconds},v1=${mac}`;
  }

  async #post(url: string, body: string, signature: string): Promise<boolean> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body,
        dispatcher: this.#agent,
        headersTimeout: answerMs,
        bodyTimeout: answerMs,
        signal: this.#stop.signal,
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false; // nobody there, or too slow: retried
    }
  }
}
