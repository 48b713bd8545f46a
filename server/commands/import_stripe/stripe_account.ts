import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import type { BaseRules } from '../../connectors/api_base.ts';
import type { HttpRequest, HttpResult, SendHttp } from '../../connectors/http.ts';
import { type StripeAnswer, StripeConversation } from '../../connectors/stripe/conversation.ts';
import { pageOf, type StripeObject, textOf } from '../../connectors/stripe/shapes.ts';
import type { StripeForm } from '../../connectors/stripe/wire.ts';
import { exitCodes, UsageError } from '../usage.ts';
import { takeOverMark } from './fit_subscription.ts';
import {
  readCoupon,
  readCustomer,
  readMethod,
  readPrice,
  readSubscription,
  type StripeCoupon,
  type StripeCustomer,
  type StripeMethod,
  type StripePrice,
  type StripeSubscription,
} from './stripe_objects.ts';

/** Stripe allows 25 requests a second for each endpoint, and for all of them together in a sandbox. */
const usualRequestsPerSecond = 20;
const triesMax = 8;
const firstWaitMs = 500;
const longestWaitMs = 30_000;
const pageLimit = 100;

/** Stripe cannot be asked now. */
class StripeUnavailable extends UsageError {
  readonly exitCode = exitCodes.unavailable;
}

export type StripeAccountTools = { send: SendHttp; clock: Clock; rules: BaseRules; requestsPerSecond?: number };

/** The account that is moved: what is read there, and the mark. Requests keep to Stripe's rate limits, and are repeated. */
export class StripeAccount {
  readonly #tools: StripeAccountTools;
  readonly #access: { key: Secret; base: string };
  /** Stripe's time, in epoch milliseconds, and when it was learnt: its periods end by it, whatever the clock of this machine says. */
  #time = { is: 0, at: 0 };
  #nextTurn = 0;
  #retryAfterMs = 0;

  constructor(tools: StripeAccountTools, access: { key: Secret; base: string }) {
    this.#tools = { ...tools, send: (request) => this.#sendAndLearn(tools.send, request) };
    this.#access = access;
  }

  /** Stripe's time, in epoch seconds. */
  get now(): number {
    return Math.floor((this.#time.is + performance.now() - this.#time.at) / 1_000);
  }

  async *customers(): AsyncGenerator<StripeCustomer[]> {
    for await (const page of this.#pages(['customers'])) yield page.map(readCustomer);
  }

  async methodsOf(customer: string): Promise<StripeMethod[]> {
    return (await this.#all(['customers', customer, 'payment_methods'])).map(readMethod);
  }

  /** Active and inactive ones, without those that were made for a single subscription. */
  async prices(): Promise<StripePrice[]> {
    const expand = ['data.product'];
    const active = await this.#all(['prices'], { active: true, expand });
    return [...active, ...(await this.#all(['prices'], { active: false, expand }))].map(readPrice);
  }

  async price(id: string): Promise<StripePrice> {
    return readPrice(await this.#get(['prices', id], { expand: ['product'] }));
  }

  async coupons(): Promise<StripeCoupon[]> {
    return (await this.#all(['coupons'])).map(readCoupon);
  }

  async *subscriptions(): AsyncGenerator<StripeSubscription[]> {
    const form = { status: 'all', expand: ['data.discounts.source.coupon'] };
    for await (const page of this.#pages(['subscriptions'], form)) yield page.map(readSubscription);
  }

  async subscription(id: string): Promise<StripeSubscription> {
    return readSubscription(await this.#get(['subscriptions', id], { expand: ['discounts.source.coupon'] }));
  }

  /** Lets it end with its period, and says for whom. Doing it twice is harmless. */
  async mark(id: string, processorAccount: string): Promise<void> {
    const form = { cancel_at_period_end: true, metadata: { [takeOverMark]: processorAccount } };
    await this.#ask((talk) => talk.post(['subscriptions', id], form));
  }

  async liftMark(id: string): Promise<void> {
    const form = { cancel_at_period_end: false, metadata: { [takeOverMark]: '' } };
    await this.#ask((talk) => talk.post(['subscriptions', id], form));
  }

  async #get(path: readonly string[], form: StripeForm): Promise<StripeObject> {
    return this.#ask((talk) => talk.get(path, form));
  }

  async #all(path: readonly string[], form: StripeForm = {}): Promise<StripeObject[]> {
    const all: StripeObject[] = [];
    for await (const page of this.#pages(path, form)) all.push(...page);
    return all;
  }

  async *#pages(path: readonly string[], form: StripeForm = {}): AsyncGenerator<StripeObject[]> {
    for (let after: string | undefined, hasMore = true; hasMore; ) {
      const page = pageOf(await this.#get(path, { ...form, limit: pageLimit, starting_after: after }));
      if (page === undefined) throw new StripeUnavailable(`Stripe's list of ${path.join('/')} is not understood`);
      yield page.data;
      after = textOf(page.data.at(-1)?.id);
      hasMore = page.hasMore && after !== undefined;
    }
  }

  /** Asks until there is an answer. A refusal is thrown. */
  async #ask(request: (talk: StripeConversation) => Promise<StripeAnswer>): Promise<StripeObject> {
    for (let tries = 1; ; tries += 1) {
      await this.#turn();
      const answer = await request(new StripeConversation(this.#tools, this.#access));
      if (answer.kind === 'done') return answer.object;
      if (!mayHelp(answer) || tries === triesMax) throw problemOf(answer);
      const backoff = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs);
      const wait = Math.max(backoff, this.#retryAfterMs);
      // Too many requests: the others wait as well.
      if (answer.kind === 'turned_away') this.#nextTurn = Math.max(this.#nextTurn, performance.now() + wait);
      else await sleep(wait);
    }
  }

  /** Waits until the next request may be sent. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.#nextTurn);
    this.#nextTurn = turn + 1_000 / (this.#tools.requestsPerSecond ?? usualRequestsPerSecond);
    if (turn > now) await sleep(turn - now);
  }

  async #sendAndLearn(send: SendHttp, request: HttpRequest): Promise<HttpResult> {
    const result = await send(request);
    if (result.kind !== 'answered') return result;
    const is = Date.parse(String(result.headers.date));
    if (!Number.isNaN(is)) this.#time = { is, at: performance.now() };
    this.#retryAfterMs = (Number(result.headers['retry-after']) || 0) * 1_000;
    return result;
  }
}

function isRateLimited(answer: StripeAnswer): boolean {
  return answer.kind === 'turned_away' && /^rate_limit/.test(answer.reason);
}

function mayHelp(answer: StripeAnswer): boolean {
  return ['lost', 'not_sent', 'busy'].includes(answer.kind) || isRateLimited(answer);
}

function problemOf(answer: StripeAnswer): Error {
  if (answer.kind === 'refused')
    return new StripeRefusal(answer.error.message ?? answer.error.code ?? answer.error.type);
  if (answer.kind === 'turned_away' && !isRateLimited(answer))
    return new UsageError(
      `--stripe-key: Stripe does not accept the key, or it lacks a permission (${answer.reason}); it has to read customers, payment methods, products, prices, coupons and subscriptions, and with --take-over to write subscriptions`,
    );
  const reason = 'reason' in answer ? answer.reason : answer.kind;
  return new StripeUnavailable(`Stripe does not answer (${reason}); run it again later: it goes on where it was`);
}

/** Stripe has judged a request, and does not do it. */
export class StripeRefusal extends UsageError {
  readonly exitCode = exitCodes.refused;
}
