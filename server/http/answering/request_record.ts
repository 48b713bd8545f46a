import type { Refusal } from '../../base/errors.ts';
import { hideKeys } from '../../base/hidden_keys.ts';
import type { AnsweredRequest } from '../../resources/views/request_logs/request.ts';
import { mayContainCardNumber } from '../../vault/index.ts';
import { safePath } from '../admission/safe_path.ts';
import type { Exchange } from '../exchange.ts';
import { bodiesOf } from './kept_bodies.ts';

/** How it was answered; `body` if that was in one piece. */
type Answered = { status: number; body?: string | undefined };

/** An exchange as the request log gets it. `now`: monotonic milliseconds. */
export function recordOf(exchange: Exchange, { status, body }: Answered, now: number): AnsweredRequest {
  return {
    id: exchange.requestId,
    receivedAt: exchange.receivedAt,
    durationMs: now - exchange.startedAt,
    ...callerOf(exchange.caller),
    operation: exchange.operation?.name,
    method: exchange.method,
    path: pathOf(exchange),
    status,
    ...refusalOf(exchange.refusal),
    address: exchange.address,
    idempotencyKey: exchange.shownIdempotencyKey,
    objectId: exchange.objectId,
    parameters: exchange.parameters,
    bodies: bodiesOf(exchange, body),
  };
}

const messageCharsMax = 500;
const paramCharsMax = 200;

function refusalOf(refusal: Refusal | undefined): Pick<AnsweredRequest, 'code' | 'param' | 'message'> {
  if (refusal === undefined) return { code: undefined, param: undefined, message: undefined };
  const { code, param, message } = refusal;
  return {
    code,
    param: param && safeText(param).slice(0, paramCharsMax),
    message: safeText(message).slice(0, messageCharsMax),
  };
}

/** Messages do not repeat values. Should one do so, a card number or a key is left out. */
function safeText(text: string): string {
  const safe = hideKeys(text);
  return mayContainCardNumber(safe) ? safe.replaceAll(/\d/g, '•') : safe;
}

/** A visitor, who has not signed in, belongs to no tenant. */
function callerOf(caller: Exchange['caller']): Pick<AnsweredRequest, 'tenant' | 'apiKey' | 'user'> {
  if (caller === undefined || caller.kind === 'visitor')
    return { tenant: undefined, apiKey: undefined, user: undefined };
  const { tenant } = caller;
  return caller.kind === 'key'
    ? { tenant, apiKey: caller.key.id, user: undefined }
    : { tenant, apiKey: undefined, user: caller.person.user };
}

/** The route for operations and pages: the id of the object has its own column, and other values of a path are not logged. */
export function pathOf(exchange: Exchange): string {
  if (exchange.operation !== undefined) return `/v1${exchange.operation.route}`;
  return exchange.page ?? safePath(exchange.target);
}
