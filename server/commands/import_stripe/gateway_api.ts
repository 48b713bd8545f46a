import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Values } from '../../http/reading/schema.ts';
import { type ApiAnswer, type ApiCall, type ApiClient, ApiFailure } from '../api/client.ts';
import { exitCodes } from '../usage.ts';

const pageLimit = '100';
const triesMax = 8;
const firstWaitMs = 500;
const longestWaitMs = 30_000;

/** The kinds of objects that keep Stripe's id as their `external_id`. */
type ImportedKind = 'customers' | 'prices' | 'subscriptions';

/** The gateway that is moved to, through its API. Requests wait for its rate limit, and are repeated until there is an answer. */
export class GatewayApi {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    const pairs = Object.entries(query).map(([name, value]) => ({ name, value }));
    return this.#ask({ method: 'GET', path, pairs });
  }

  /** Once, however often it is sent. With a key that follows from what is made, also once over several runs. */
  post(path: string, body: Values, idempotencyKey = `import_${randomUUID()}`): Promise<ApiAnswer> {
    return this.#ask({ method: 'POST', path, body, idempotencyKey });
  }

  /** Everything in a list, newest first. */
  async *all(path: string): AsyncGenerator<ApiAnswer> {
    for (let after: string | undefined, hasMore = true; hasMore; ) {
      const position = after === undefined ? {} : { starting_after: after };
      const page = await this.get(path, { limit: pageLimit, ...position });
      yield* page.data;
      after = page.data.at(-1)?.id;
      hasMore = page.has_more;
    }
  }

  async findByExternalId(kind: ImportedKind, id: string): Promise<ApiAnswer | undefined> {
    return (await this.get(`/${kind}`, { external_id: id })).data[0];
  }

  /** Creates what has an `external_id`, or finds what has it already: an earlier run, or one beside this, was faster. */
  async create(kind: ImportedKind, parameters: Values): Promise<{ object: ApiAnswer; isNew: boolean }> {
    try {
      return { object: await this.post(`/${kind}`, parameters), isNew: true };
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.error?.code !== 'external_id_in_use') throw error;
      const object = await this.findByExternalId(kind, String(parameters.external_id));
      if (object === undefined) throw error;
      return { object, isNew: false };
    }
  }

  /**
   * Creates what has no `external_id`. The key follows from the object at Stripe, so that a request of a run that was killed, and that is
   * still being carried out, is not carried out twice. Where the object has changed since, the key is that of another request.
   */
  async createMarked(path: string, parameters: Values, key: string): Promise<ApiAnswer> {
    try {
      return await this.post(path, parameters, key);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.error?.code !== 'idempotency_key_reused') throw error;
      return this.post(path, parameters);
    }
  }

  async #ask(call: ApiCall): Promise<ApiAnswer> {
    for (let tries = 1; ; ) {
      try {
        return await this.#client.json(call);
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.exitCode !== exitCodes.unavailable) throw error;
        // Waiting for the next window is how a rate limit is kept: it may happen any number of times.
        if (error.error?.code !== 'rate_limited') tries += 1;
        if (tries > triesMax) throw error;
        const backoff = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs);
        await sleep(Math.max(backoff, (error.retryAfter ?? 0) * 1_000));
      }
    }
  }
}
