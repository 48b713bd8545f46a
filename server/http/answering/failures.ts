import { Refusal, Unavailable } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { refusal } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { differingParameters } from '../reading/redact.ts';
import { KeyReused } from '../running/idempotency.ts';
import type { RequestLog } from './request_log.ts';

/** Turns whatever was thrown into a row of the error table. What is not a refusal is logged, because it is our fault. */
export async function refusalOf(
  error: unknown,
  exchange: Exchange,
  { log, requestLog }: { log: Log; requestLog: RequestLog },
): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  if (error instanceof KeyReused) return reused(error, exchange, requestLog);
  const { requestId } = exchange;
  if (error instanceof Unavailable) {
    log.warn({ requestId, error: describeError(error) }, 'unavailable');
    return refusal('unavailable', { headers: { 'Retry-After': '1' } });
  }
  log.error({ requestId, error: describeError(error) }, 'a request failed on our side');
  return refusal('internal_error', { requestId });
}

/** Names the parameters that differ, when the request log still has the first request. */
async function reused(error: KeyReused, exchange: Exchange, requestLog: RequestLog): Promise<Refusal> {
  const param = 'Idempotency-Key';
  if (error.operation !== exchange.operation?.name)
    return refusal('idempotency_key_reused', { param, difference: `, ${error.operation}` });
  const first = await requestLog.parametersOf(error.tenant, error.firstRequestId).catch(() => undefined);
  if (first === undefined) return refusal('idempotency_key_reused', { param, difference: '' });
  const names = differingParameters(first, JSON.parse(exchange.parameters ?? '{}'));
  // The fingerprint covers the operation, the id in the path and the parameters: if these are equal, the id differs.
  const difference = ` (different: ${names.length === 0 ? 'id' : names.join(', ')})`;
  return refusal('idempotency_key_reused', { param, difference });
}

/** For the log: with the causes, without values that a database error may quote (`detail` holds row contents). */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`;
  return `${error.stack ?? error.message}${cause}`;
}
