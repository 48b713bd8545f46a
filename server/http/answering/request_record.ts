import type { AnsweredRequest } from '../../resources/views/request_logs/request.ts';
import { safePath } from '../admission/safe_path.ts';
import type { Exchange } from '../exchange.ts';

/** An exchange as the request log gets it. `now`: monotonic milliseconds. */
export function recordOf(exchange: Exchange, status: number, now: number): AnsweredRequest {
  return {
    id: exchange.requestId,
    receivedAt: exchange.receivedAt,
    durationMs: now - exchange.startedAt,
    ...callerOf(exchange.caller),
    operation: exchange.operation?.name,
    method: exchange.method,
    path: pathOf(exchange),
    status,
    code: exchange.errorCode,
    address: exchange.address,
    idempotencyKey: exchange.shownIdempotencyKey,
    objectId: exchange.objectId,
    parameters: exchange.parameters,
  };
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
