import { createHmac } from 'node:crypto';
import { randomText } from '../books.ts';
import { FakeNotices, type FakeReceiver, isReachable } from '../notices.ts';
import { invalid, noSuch } from './errors.ts';
import { isWanted } from './events.ts';
import { listOf, listParams } from './lists.ts';
import type { FakeCall, FakeEndpoint } from './route.ts';
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

  register(url: string): FakeWebhookEndpoint {
    if (!isReachable(url))
      throw invalid('Invalid URL: this fake sends webhooks to loopback addresses alone.', { param: 'url' });
    return this.add({ url, enabled_events: ['*'] }, this.#secret);
  }

  add(given: Partial<FakeWebhookEndpoint> & { url: string }, secret: string): FakeWebhookEndpoint {
    const endpoint: FakeWebhookEndpoint = {
      id: this.#world.newId('we'),
      object: 'webhook_endpoint',
      api_version: null,
      application: null,
      created: this.#world.seconds(),
      description: null,
      enabled_events: [],
      livemode: this.#world.settings.livemode,
      metadata: {},
      status: 'enabled',
      ...given,
    };
    this.#endpoints.push({ endpoint: this.#world.add(endpoint), secret });
    return endpoint;
  }

  remove(id: string): void {
    this.#endpoints.splice(
      this.#endpoints.findIndex(({ endpoint }) => endpoint.id === id),
      1,
    );
  }

  /** Oldest first. */
  all(): FakeWebhookEndpoint[] {
    return this.#endpoints.map(({ endpoint }) => endpoint);
  }

  /** The headers that a notice to this endpoint has. */
  signature(id: string, body: string): Record<string, string> {
    return this.#sign(this.#endpoints.find(({ endpoint }) => endpoint.id === id)!.secret, body);
  }

  protected receiversOf({ type }: FakeEvent): FakeReceiver[] {
    return this.#endpoints
      .filter(({ endpoint: { url, enabled_events } }) => isReachable(url) && isWanted(enabled_events, type))
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

const path = '/v1/webhook_endpoints';
const endpointsMax = 16;

/** Addresses are registered as at Stripe: the secret is in the first answer alone. Those that are not on this machine get nothing. */
export function webhookEndpoints(webhooks: FakeWebhooks): readonly FakeEndpoint[] {
  const inPath = ({ id }: FakeCall): FakeWebhookEndpoint => {
    const found = webhooks.all().find((one) => one.id === id);
    if (found === undefined) throw noSuch('webhook_endpoint', id);
    return found;
  };
  return [
    { method: 'POST', path, run: (call) => create(webhooks, call) },
    {
      method: 'GET',
      path,
      run: ({ params }) => {
        params.only(...listParams.filter((name) => name !== 'created'));
        return listOf(path, params, webhooks.all());
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      run: (call) => {
        call.params.only('expand');
        return inPath(call);
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      run: (call) => {
        call.params.only();
        const { id } = inPath(call);
        webhooks.remove(id);
        return { id, object: 'webhook_endpoint', deleted: true };
      },
    },
  ];
}

function create(webhooks: FakeWebhooks, { params }: FakeCall): object {
  params.only('url', 'enabled_events', 'api_version', 'description', 'metadata', 'expand');
  const url = params.needed('url');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !(parsed.protocol === 'https:' || isReachable(url)))
    throw invalid('Invalid URL: URL must begin with https', { code: 'url_invalid', param: 'url' });
  const enabled_events = params.list('enabled_events');
  if (enabled_events.length === 0)
    throw invalid('Missing required param: enabled_events.', { code: 'parameter_missing', param: 'enabled_events' });
  if (webhooks.all().length >= endpointsMax)
    throw invalid(`You have reached the maximum of ${endpointsMax} test webhook endpoints.`);
  const secret = `whsec_${randomText(32)}`;
  const [description = null, api_version = null] = [params.text('description'), params.text('api_version')];
  return {
    ...webhooks.add({ url, enabled_events, description, api_version, metadata: params.metadata() }, secret),
    secret,
  };
}
