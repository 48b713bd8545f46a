import { timingSafeEqual } from 'node:crypto';
import { pause } from '../../base/timers.ts';
import { randomText } from '../books.ts';
import type { FakeFault } from '../faults.ts';
import type { FakeAnswer, FakeRequest } from '../server.ts';
import { accountEndpoints } from './account.ts';
import { balanceEndpoints } from './balance.ts';
import { chargeEndpoints } from './charges.ts';
import { checkoutSessionEndpoints } from './checkout_sessions.ts';
import { confirmationTokenEndpoints } from './confirmation_tokens.ts';
import { couponEndpoints } from './coupons.ts';
import { customerEndpoints } from './customers.ts';
import { disputeEndpoints } from './disputes.ts';
import { FakeStripeError, invalid } from './errors.ts';
import { eventEndpoints } from './events.ts';
import { checkExpand, expanded } from './expand.ts';
import { parseForm } from './form.ts';
import { FakeIdempotency } from './idempotency.ts';
import { paymentIntentEndpoints } from './payment_intents.ts';
import { paymentMethodDomainEndpoints } from './payment_method_domains.ts';
import { paymentMethodEndpoints } from './payment_methods.ts';
import { payoutEndpoints } from './payouts.ts';
import { priceEndpoints } from './prices.ts';
import { productEndpoints } from './products.ts';
import { FakeRateLimit } from './rate_limit.ts';
import { FakeParams } from './reading.ts';
import { refundEndpoints } from './refunds.ts';
import type { FakeEndpoint } from './route.ts';
import { setupIntentEndpoints } from './setup_intents.ts';
import { subscriptionEndpoints } from './subscriptions.ts';
import { shapedFor } from './versions.ts';
import { type FakeWebhooks, webhookEndpoints } from './webhooks.ts';
import { defaultVersion, type FakeWorld } from './world.ts';

export type FakeKeys = { secretKey: string; publishableKey: string };

/** The endpoint of a request, ready to run. */
type FakeTask = { run: () => FakeAnswer; parameters: string };

/** Stripe's API. */
export class FakeApi {
  readonly #world: FakeWorld;
  readonly #keys: FakeKeys;
  readonly #idempotency: FakeIdempotency;
  readonly #endpoints: readonly FakeEndpoint[];
  readonly #rateLimit: FakeRateLimit;

  constructor(world: FakeWorld, webhooks: FakeWebhooks, keys: FakeKeys) {
    this.#world = world;
    this.#keys = keys;
    this.#idempotency = new FakeIdempotency(world);
    this.#rateLimit = new FakeRateLimit(world.settings.requestsPerSecond, () => world.now());
    this.#endpoints = [
      ...accountEndpoints,
      ...customerEndpoints,
      ...paymentMethodEndpoints,
      ...paymentIntentEndpoints,
      ...setupIntentEndpoints,
      ...checkoutSessionEndpoints,
      ...confirmationTokenEndpoints,
      ...paymentMethodDomainEndpoints,
      ...chargeEndpoints,
      ...refundEndpoints,
      ...disputeEndpoints,
      ...eventEndpoints,
      ...balanceEndpoints,
      ...payoutEndpoints,
      ...productEndpoints,
      ...priceEndpoints,
      ...couponEndpoints,
      ...subscriptionEndpoints,
      ...webhookEndpoints(webhooks),
    ];
  }

  async answer(request: FakeRequest, fault: FakeFault | undefined): Promise<FakeAnswer> {
    const id = `req_${randomText(14)}`;
    const answer = await this.#execute(id, request, fault);
    const { 'idempotency-key': key, 'stripe-version': version } = request.headers;
    const headers = {
      date: new Date(this.#world.now()).toUTCString(),
      'request-id': id,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(version === undefined ? {} : { 'stripe-version': version }),
      ...answer.headers,
    };
    return { ...answer, body: shapedFor(this.#world, version ?? defaultVersion, answer.body), headers };
  }

  /** As Stripe does: key, route and parameters first, then the idempotency key, then the endpoint. */
  async #execute(id: string, request: FakeRequest, fault: FakeFault | undefined): Promise<FakeAnswer> {
    const early = this.#rateLimit.isExceeded() ? tooManyRequests() : refusedEarly(fault);
    if (early !== undefined) return early;
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    let task: FakeTask;
    let stored: FakeAnswer | undefined;
    try {
      task = this.#prepare(id, request);
      stored = key === undefined ? undefined : this.#idempotency.begin(key, request.path, task.parameters);
    } catch (error) {
      if (error instanceof FakeStripeError) return { status: error.status, body: error.body };
      throw error;
    }
    if (stored !== undefined) return { ...stored, headers: { 'idempotent-replayed': 'true' } };
    if (fault?.kind === 'late_before') await pause(fault.ms ?? 0);
    const answer = fault?.kind === 'error_500_before' ? brokenDown() : task.run();
    const final = fault?.kind === 'error_500_after' ? brokenDown() : answer;
    if (key !== undefined) this.#idempotency.finish(key, 'isUnstored' in final ? undefined : final);
    return { status: final.status, body: structuredClone(final.body) };
  }

  /** Refuses before anything has begun, or returns what is to be run. */
  #prepare(requestId: string, request: FakeRequest): FakeTask {
    const isPublishable = this.#authenticate(request.headers.authorization);
    const { endpoint, id } = this.#find(request);
    if (isPublishable && !endpoint.isForBrowsers)
      throw new FakeStripeError(401, {
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
      return world.within({ id: requestId, idempotency_key: key }, request.headers['stripe-version'], () =>
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
    throw new FakeStripeError(401, { type: 'invalid_request_error', message });
  }

  #find({ method, path }: FakeRequest): { endpoint: FakeEndpoint; id: string } {
    for (const endpoint of this.#endpoints) {
      const id = endpoint.method === method ? match(endpoint.path, path) : undefined;
      if (id !== undefined) return { endpoint, id };
    }
    throw new FakeStripeError(404, {
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

function checkVersion(version = defaultVersion): void {
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
function answerOf(run: () => object): FakeAnswer & { isUnstored?: boolean } {
  try {
    return { status: 200, body: run() };
  } catch (error) {
    if (!(error instanceof FakeStripeError)) throw error;
    const answer = { status: error.status, body: error.body };
    return error.isStored ? answer : { ...answer, isUnstored: true };
  }
}

function equal(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Refusals that come before anything begins, and are not stored. */
function refusedEarly(fault: FakeFault | undefined): FakeAnswer | undefined {
  if (fault?.kind === 'rate_limit_429') return tooManyRequests();
  if (fault?.kind === 'conflict_409')
    return refused(
      409,
      'idempotency_key_in_use',
      'There is currently another in-progress request using this Idempotent Key. Please try again later.',
    );
  return undefined;
}

function tooManyRequests(): FakeAnswer {
  const message = 'Request rate limit exceeded. You can learn more about rate limits in the docs.';
  return { ...refused(429, 'rate_limit', message), headers: { 'stripe-should-retry': 'true', 'retry-after': '1' } };
}

function refused(status: number, code: string, message: string): FakeAnswer {
  return answerOf(() => {
    throw new FakeStripeError(status, { type: 'invalid_request_error', code, message });
  });
}

function brokenDown(): FakeAnswer {
  return { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } };
}
