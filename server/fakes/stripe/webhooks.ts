import { createHmac } from 'node:crypto';
import { randomText } from '../books.ts';
import { FakeNotices, type FakeReceiver, isReachable } from '../notices.ts';
import { invalid } from './errors.ts';
import { isWanted } from './events.ts';
import type { FakeEndpoint } from './route.ts';
import type { FakeEvent, FakeWebhookEndpoint } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** Sends events to the registered addresses, signed as Stripe signs. */
export class FakeWebhooks extends FakeNotices<FakeEvent> {
  readonly #world: FakeWorld;
  readonly #secret: string;
  readonly #endpoints: { endpoint: FakeWebhookEndpoint; secret: string }[] = [];

  constructor(world: FakeWorld, secret: string) {
    super();
    this.#world = world;
    this.#secret = secret;
    world.onEvent = (event) => {
      event.pending_webhooks = this.receiversOf(event).length;
      this.take(event);
    };
  }

  register(url: string, events = ['*'], secret = this.#secret): FakeWebhookEndpoint {
    if (!isReachable(url))
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

  protected receiversOf({ type }: FakeEvent): FakeReceiver[] {
    return this.#endpoints
      .filter(({ endpoint }) => isWanted(endpoint.enabled_events, type))
      .map(({ endpoint: { url }, secret }) => ({ url, sign: (body) => this.#sign(secret, body) }));
  }

  protected onSent(event: FakeEvent): void {
    event.pending_webhooks -= 1;
  }

  /** By the clock of the machine: the receiver compares it with its own, whatever time it is in the fake. */
  #sign(secret: string, body: string): Record<string, string> {
    const seconds = Math.floor(this.#world.settings.clock.now() / 1_000);
    const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { 'stripe-signature': `t=${seconds},v1=${mac}` };
  }
}

/** An address is registered as at Stripe. The secret is in this answer alone. */
export function webhookEndpoints(webhooks: FakeWebhooks): readonly FakeEndpoint[] {
  return [
    {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      run: ({ params }) => {
        params.only('url', 'enabled_events', 'expand');
        const secret = `whsec_${randomText(32)}`;
        const events = params.has('enabled_events') ? params.list('enabled_events') : ['*'];
        return { ...webhooks.register(params.needed('url'), events, secret), secret };
      },
    },
  ];
}
