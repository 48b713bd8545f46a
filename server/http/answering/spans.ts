import type { OpenSpan } from '../../base/tracing/tracing.ts';
import type { Exchange } from '../exchange.ts';

/** What a trace tells of a request that was answered: no address, no key, no parameter. Health checks are left out. */
export function describeRequest(span: OpenSpan, exchange: Exchange): void {
  const { method, operation, page, caller, requestId, refusal, objectId, response } = exchange;
  const status = response.statusCode;
  if (exchange.isProbe) span.drop();
  span.note(
    {
      'http.request.method': method,
      'http.route': operation === undefined ? page : `/v1${operation.route}`,
      'http.response.status_code': status,
      'tollgate.request': requestId,
      'tollgate.operation': operation?.name,
      'tollgate.mode': caller?.mode,
      'tollgate.object': objectId,
      'tollgate.error_code': refusal?.code,
    },
    operation?.name ?? (page === undefined ? method : `${method} ${page}`),
  );
  if (status >= 500) span.fail();
}
