// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  RequestErrors,
  RequestLog,
  RequestLogsListErrorsParameters,
  RequestLogsListParameters,
} from '../types/request_logs.ts';

/**
 * Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its
 * answer in short.
 */
export class RequestLogsResource extends Resource {
  /**
   * List requests.
   *
   * Returns the requests of the last 30 days, or as many as the operator has set, in pages, newest first. A
   * request is there within a second of its answer. With several filters a page can end before it is full; it then
   * has `searched_to`.
   *
   * `GET /v1/request_logs` · scope `request_logs:read`
   */
  list(params?: RequestLogsListParameters, options?: RequestOptions): Listing<RequestLog> {
    return this.transport.list('/v1/request_logs', params, options);
  }

  /**
   * Retrieve a request.
   *
   * Returns one request by the id that its answer had in `Request-Id`. Requests are kept for 30 days, or as many
   * as the operator has set. Those without a valid key or session belong to no account, and are not shown.
   *
   * `GET /v1/request_logs/{id}` · scope `request_logs:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<RequestLog> {
    return this.transport.send('GET', path`/v1/request_logs/${id}`, undefined, options);
  }

  /**
   * Count refused requests by error code and route.
   *
   * Counts those of the last 24 hours, or of the time that `created` gives. The largest groups come first.
   *
   * `GET /v1/request_logs/errors` · scope `request_logs:read`
   */
  listErrors(params?: RequestLogsListErrorsParameters, options?: RequestOptions): Promise<RequestErrors> {
    return this.transport.send('GET', '/v1/request_logs/errors', params, options);
  }
}
