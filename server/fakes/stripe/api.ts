import { timingSafeEqual } from 'node:crypto';
import { accountEndpoints } from './account.ts';
import { balanceEndpoints } from './balance.ts';
import { chargeEndpoints } from './charges.ts';
import { customerEndpoints } from './customers.ts';
import { disputeEndpoints } from './disputes.ts';
import { eventEndpoints } from './events.ts';
import { checkExpand, expanded } from './expand.ts';
import { parseForm } from './form.ts';
import type { FakeAnswer } from './idempotency.ts';
import { paymentIntentEndpoints } from './payment_intents.ts';
import { paymentMethodEndpoints } from './payment_methods.ts';
import { payoutEndpoints } from './payouts.ts';
import { FakeParams } from './reading.ts';
import { refundEndpoints } from './refunds.ts';
import { FakeRefusal, invalid } from './refusal.ts';
import type { FakeEndpoint } from './route.ts';
import { webhookEndpoints } from './webhook_endpoints.ts';
import type { FakeWebhooks } from './webhooks.ts';
import type { FakeWorld } from './world.ts';

/** A request as it came. */
export type FakeRequest = {
  id: string;
  method: string;
  path: string;
  query: string;
  body: string;
  headers: Readonly<Record<string, string | undefined>>;
};

export type FakeKeys = { secretKey: string; publishableKey: string };

/** The endpoint of a request, ready to run. */
export type FakeTask = { run: () => FakeAnswer; parameters: string };

/** Finds the endpoint of a request, checks its key, and reads its parameters. */
export class FakeApi {
  readonly #world: FakeWorld;
  readonly #keys: FakeKeys;
  readonly #endpoints: readonly FakeEndpoint[];

  constructor(world: FakeWorld, webhooks: FakeWebhooks, keys: FakeKeys) {
    this.#world = world;
    this.#keys = keys;
    this.#endpoints = [
      ...accountEndpoints,
      ...customerEndpoints,
      ...paymentMethodEndpoints,
      ...paymentIntentEndpoints,
      ...chargeEndpoints,
      ...refundEndpoints,
      ...disputeEndpoints,
      ...eventEndpoints,
      ...balanceEndpoints,
      ...payoutEndpoints,
      ...webhookEndpoints(webhooks),
    ];
  }

  /** Refuses before anything has begun, or returns what is to be run. */
  prepare(request: FakeRequest): FakeTask {
    const isPublishable = this.#authenticate(request.headers.authorization);
    const { endpoint, id } = this.#find(request);
    if (isPublishable && !endpoint.isForBrowsers)
      throw new FakeRefusal(401, {
        type: 'invalid_request_error',
        message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
      });
    checkVersion(request.headers['stripe-version']);
    const text = textOf(request);
    const params = new FakeParams(parseForm(text));
    const world = this.#world;
    const key = request.headers['idempotency-key'] ?? null;
    const run = () => {
      world.catchUp();
      return world.within({ id: request.id, idempotency_key: key }, request.headers['stripe-version'], () =>
        answerOf(() => {
          const paths = params.list('expand');
          checkExpand(paths);
          return expanded(world, endpoint.run({ world, params, id, isPublishable }), paths);
        }),
      );
    };
    return { run, parameters: [...new URLSearchParams(text)].map(String).sort().join('&') };
  }

  /** Whether the key is the publishable one. Bearer, or Basic with the key as the user. */
  #authenticate(header = ''): boolean {
    const [scheme = '', value = ''] = header.split(' ');
    const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value;
    if (equal(key, this.#keys.secretKey)) return false;
    if (equal(key, this.#keys.publishableKey)) return true;
    const message = key === '' ? 'You did not provide an API key.' : `Invalid API Key provided: ****${key.slice(-4)}`;
    throw new FakeRefusal(401, { type: 'invalid_request_error', message });
  }

  #find({ method, path }: FakeRequest): { endpoint: FakeEndpoint; id: string } {
    for (const endpoint of this.#endpoints) {
      const id = endpoint.method === method ? match(endpoint.path, path) : undefined;
      if (id !== undefined) return { endpoint, id };
    }
    throw new FakeRefusal(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  }
}

/** The id in the path; empty where the route has none; undefined when the route does not fit. */
function match(route: string, path: string): string | undefined {
  const [wanted, given] = [route.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  if (wanted.some((word, at) => word !== ':id' && word !== given[at])) return undefined;
  return given[wanted.indexOf(':id')] ?? '';
}

function checkVersion(version = '2022-11-15'): void {
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version)) throw invalid(`Invalid Stripe API version: ${version}`);
}

function textOf({ method, query, body, headers }: FakeRequest): string {
  if (method === 'GET') return query;
  const type = headers['content-type'] ?? '';
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
    throw invalid('Invalid request (check that your POST content type is application/x-www-form-urlencoded).');
  return body;
}

/** Runs what may refuse. Anything else that is thrown is a defect of the fake, and must not look like an answer of Stripe's. */
export function answerOf(run: () => object): FakeAnswer & { isUnstored?: boolean } {
  try {
    return { status: 200, body: run() };
  } catch (error) {
    if (!(error instanceof FakeRefusal)) throw error;
    const answer = { status: error.status, body: { error: error.error } };
    return error.isStored ? answer : { ...answer, isUnstored: true };
  }
}

function equal(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
