import { ApiError, Unavailable } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { failureLevel } from '../../base/sql.ts';
import type { RequestLog } from '../../resources/views/request_logs/writer.ts';
import { apiError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { differingParameters } from '../reading/redact.ts';
import { KeyReused } from '../running/idempotency.ts';

/** Turns any error into a row of the error table. An error that is not a refusal is logged, because it is the server's fault. */
export async function errorOf(
  error: unknown,
  exchange: Exchange,
  { log, requestLog }: { log: Log; requestLog: RequestLog },
): Promise<ApiError> {
  if (error instanceof ApiError) return error;
  if (error instanceof KeyReused) return reused(error, exchange, requestLog);
  const { requestId } = exchange;
  if (error instanceof Unavailable) {
    log[failureLevel(error)]({ requestId, error: describeError(error) }, 'a request was answered with 500 unavailable');
    return apiError('unavailable', { headers: { 'Retry-After': '1' } });
  }
  log.error({ requestId, error: describeError(error) }, 'request failed with an internal error');
  return apiError('internal_error', { requestId });
}

/** Names the parameters that differ, if the request log still has the first request. */
async function reused({ first }: KeyReused, exchange: Exchange, requestLog: RequestLog): Promise<ApiError> {
  const param = 'Idempotency-Key';
  if (first.operation !== exchange.operation?.name)
    return apiError('idempotency_key_reused', { param, difference: `, ${first.operation}` });
  const parameters = await requestLog.parametersOf(first.tenant, first.request_id).catch(() => undefined);
  if (parameters === undefined) return apiError('idempotency_key_reused', { param, difference: '' });
  const names = differingParameters(parameters, JSON.parse(exchange.parameters ?? '{}'));
  // The fingerprint covers the operation, the id in the path and the parameters. If no parameter differs, the id does.
  const difference = ` (different: ${names.length === 0 ? 'id' : names.join(', ')})`;
  return apiError('idempotency_key_reused', { param, difference });
}

/** For the log: with the causes, but without `detail`, in which a database error quotes values of rows. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`;
  return `${error.stack ?? error.message}${cause}`;
}
