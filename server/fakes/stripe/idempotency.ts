import type { FakeAnswer } from '../server.ts';
import { FakeStripeError } from './errors.ts';
import type { FakeWorld } from './world.ts';

const keyMs = 24 * 3_600_000;
const keyCharactersMax = 255;

type TakenKey = { path: string; parameters: string; at: number; answer: FakeAnswer | undefined };

/** Idempotency keys as Stripe keeps them: the first answer again, for 24 hours. */
export class FakeIdempotency {
  readonly #world: FakeWorld;
  readonly #taken = new Map<string, TakenKey>();

  constructor(world: FakeWorld) {
    this.#world = world;
  }

  /** The stored answer; undefined when this is the first request with the key, which has to be finished. */
  begin(key: string, path: string, parameters: string): FakeAnswer | undefined {
    const error = { type: 'idempotency_error' as const };
    if (key.length > keyCharactersMax)
      throw new FakeStripeError(400, { ...error, message: 'Idempotency keys have at most 255 characters.' });
    const found = this.#taken.get(key);
    if (found === undefined || this.#world.now() - found.at >= keyMs) {
      this.#taken.set(key, { path, parameters, at: this.#world.now(), answer: undefined });
      return undefined;
    }
    const advice = `Try using a key other than '${key}' if you meant to execute a different request.`;
    if (found.path !== path)
      throw new FakeStripeError(400, {
        ...error,
        message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${found.path}'). ${advice}`,
      });
    if (found.parameters !== parameters)
      throw new FakeStripeError(400, {
        ...error,
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. ${advice}`,
      });
    if (found.answer === undefined)
      throw new FakeStripeError(409, {
        type: 'invalid_request_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    return found.answer;
  }

  /** Stores the answer. Without one, nothing had begun, and the key is free again. */
  finish(key: string, answer: FakeAnswer | undefined): void {
    const found = this.#taken.get(key);
    if (answer === undefined || found === undefined) this.#taken.delete(key);
    else found.answer = structuredClone(answer);
  }
}
