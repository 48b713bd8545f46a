import type { Secret } from '../../base/secret.ts';
import { pause } from '../../base/timers.ts';
import { Conversation, type ConversationTools } from '../conversation.ts';
import type { WrittenRequest } from '../http.ts';
import { errorOf, objectOf, type StripeError, type StripeObject, textOf } from './shapes.ts';
import { authorizationHeader, encodeForm, encodePath, type StripeForm } from './wire.ts';

export const stripeBase = 'https://api.stripe.com';

/** Newer versions rename fields. All requests name this one, whatever the account's own setting is. */
export const apiVersion = '2026-10-28.endive';

/**
 * What Stripe has answered. refused: it has judged the request and does not do it. turned_away: nothing began, because of the key, a
 * permission or a rate limit. busy: a request with the same idempotency key is under way, or one that holds the same object (`lock_timeout`,
 * which also has the status 429, and comes while the request is carried out). mismatch: that key was used for another request.
 * not_sent: not a byte was written. lost: no answer, or none that can be understood; Stripe may have acted. isRepeated: it is what the
 * first request with this key was answered, which Stripe keeps as long as the key: asking again under this key after an error is of no use.
 */
export type StripeAnswer =
  | { kind: 'done'; object: StripeObject; isRepeated?: true }
  | { kind: 'refused'; status: number; error: StripeError }
  | { kind: 'turned_away' | 'busy' | 'mismatch' | 'not_sent'; reason: string }
  | { kind: 'lost'; reason: string; isRepeated?: boolean };

/** Stripe has not done it, or not said so. */
export type StripeUndone = Exclude<StripeAnswer, { kind: 'done' }>;

export type StripeAccess = { key: Secret; base: string };

type StripeCall = {
  method: 'GET' | 'POST' | 'DELETE';
  path: readonly (string | Secret)[];
  form?: StripeForm;
  key?: string;
  timeoutMs?: number;
};

const repeatsMax = 3;
const repeatTimeoutMs = 4_000;
const repeatPauseMs = 150;
const keysMax = 5;

/** A conversation with Stripe: what a request and its answer mean there. */
export class StripeConversation extends Conversation {
  readonly #key: Secret;

  constructor(tools: ConversationTools, { key, base }: StripeAccess, deadline?: number) {
    super(tools, { base, official: stripeBase }, deadline);
    this.#key = key;
  }

  get(path: StripeCall['path'], form: StripeForm = {}): Promise<StripeAnswer> {
    return this.#ask({ method: 'GET', path, form });
  }

  delete(path: StripeCall['path']): Promise<StripeAnswer> {
    return this.#ask({ method: 'DELETE', path });
  }

  /** `key` makes Stripe do it once. Stripe forgets it after a day or later. */
  post(path: StripeCall['path'], form: StripeForm, key?: string): Promise<StripeAnswer> {
    return this.#ask({ method: 'POST', path, form, ...(key === undefined ? {} : { key }) });
  }

  /**
   * For a request that may be sent a second time because its outcome stayed unknown. Where Stripe only repeats an error, and `isUndone` sees
   * that the request had no effect, it is sent under the next key. All callers use the same keys in the same order, so that each key has one effect.
   */
  async postAgain(
    path: StripeCall['path'],
    form: StripeForm,
    key: string,
    isUndone: () => Promise<boolean>,
  ): Promise<StripeAnswer> {
    for (let keys = 1; ; keys++) {
      const answer = await this.post(path, form, keys === 1 ? key : `${key}/${keys}`);
      const isStuck = answer.kind === 'lost' && answer.isRepeated === true;
      if (!isStuck || keys === keysMax || !(await isUndone())) return answer;
    }
  }

  /** For a request that moves no money: it is repeated while there is no answer. Without a key, doing it twice must be harmless. */
  async postRepeatedly(path: StripeCall['path'], form: StripeForm, key?: string): Promise<StripeAnswer> {
    const named = key === undefined ? {} : { key };
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask({ method: 'POST', path, form, ...named, timeoutMs: repeatTimeoutMs });
      const isWorthIt = (answer.kind === 'lost' && answer.isRepeated !== true) || answer.kind === 'busy';
      if (!isWorthIt || tries === repeatsMax || this.left < repeatTimeoutMs) return answer;
      await pause(repeatPauseMs * tries);
    }
  }

  async #ask(call: StripeCall): Promise<StripeAnswer> {
    const result = await this.send(() => this.#write(call), call.timeoutMs);
    const request = `${call.method} ${shownPath(call.path)}`;
    if (result.kind !== 'answered') {
      this.record({ request, [result.kind]: result.reason });
      return result;
    }
    const isRepeated = result.headers['idempotent-replayed'] === 'true';
    const answer = answerOf(result.status, parsed(result.body), isRepeated);
    const id = textOf(result.headers['request-id'])?.slice(0, 100);
    const { status } = result;
    this.record({ request, status, ...recordOf(answer), ...(id === undefined ? {} : { requestId: id }) });
    return answer;
  }

  #write({ method, path: segments, form = {}, key }: StripeCall): WrittenRequest {
    const encoded = encodeForm(form);
    const isPost = method === 'POST';
    const path = encodePath(segments);
    return {
      method,
      path: isPost || encoded === '' ? path : `${path}?${encoded}`,
      headers: {
        Authorization: authorizationHeader(this.#key),
        'Stripe-Version': apiVersion,
        'User-Agent': 'Tollgate/1 (payments)',
        ...(isPost ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      body: isPost ? encoded : undefined,
    };
  }
}

/** A token in a path is not shown. */
function shownPath(path: StripeCall['path']): string {
  return `/v1/${path.join('/')}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The meaning of an answer. An answer that is not clearly Stripe's is lost. */
export function answerOf(status: number, body: unknown, isRepeated = false): StripeAnswer {
  const object = objectOf(body);
  if (status === 200 && object !== undefined) return { kind: 'done', object, ...(isRepeated && { isRepeated }) };
  const error = errorOf(body);
  if (error === undefined) return { kind: 'lost', reason: `an answer ${status} that is not understood` };
  const reason = error.code ?? error.type;
  if (error.type === 'idempotency_error') return { kind: status === 409 ? 'busy' : 'mismatch', reason };
  switch (status) {
    case 400:
    case 402:
    case 404:
      return error.type === 'api_error' ? { kind: 'lost', reason } : { kind: 'refused', status, error };
    case 401:
    case 403:
    case 429:
      return { kind: error.code === 'lock_timeout' ? 'busy' : 'turned_away', reason };
    case 409:
      return { kind: 'busy', reason };
    default:
      return { kind: 'lost', reason, ...(isRepeated && status >= 500 ? { isRepeated } : {}) };
  }
}

/** Ids and codes, which consist of safe characters. Messages may quote what was sent. */
function recordOf(answer: StripeAnswer): object {
  if (answer.kind === 'done') {
    const { id, status } = answer.object;
    const isShown = typeof id === 'string' && /^(pi|seti|cs|re|du|dp|cus|acct|ch|py|pyr)_/.test(id);
    return { ...(isShown ? { id } : {}), ...(typeof status === 'string' ? { is: status } : {}) };
  }
  if (answer.kind !== 'refused') return { [answer.kind]: answer.reason };
  const { type, code, declineCode, param } = answer.error;
  return { error: Object.fromEntries(Object.entries({ type, code, declineCode, param }).filter(([, text]) => text)) };
}
