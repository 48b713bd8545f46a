// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  CheckoutSession,
  CheckoutSessionsCreateParameters,
  CheckoutSessionsExpireParameters,
  CheckoutSessionsListParameters,
  CheckoutSessionsRedactParameters,
  CheckoutSessionsReviewParameters,
  CheckoutSessionsUpdateParameters,
} from '../types/checkout_sessions.ts';

/** What customers are to pay for on a page of the gateway. */
export class CheckoutSessionsResource extends Resource {
  /**
   * Create a checkout session.
   *
   * Send the customer to `url`, where the page shows what is sold and takes the payment. `success_url` is only a
   * hint that it is paid: retrieve the session, or wait for `checkout_session.completed`. At most one payment of a
   * session succeeds.
   *
   * `POST /v1/checkout_sessions` · scope `checkout_sessions:write`
   */
  create<const Path extends PathsOf<CheckoutSession> = never>(
    params?: CheckoutSessionsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('POST', '/v1/checkout_sessions', params, options);
  }

  /**
   * List checkout sessions.
   *
   * Returns checkout sessions in pages, newest first. With `Accept: text/csv` the answer is one file with all
   * checkout sessions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/checkout_sessions` · scope `checkout_sessions:read`
   */
  list<const Path extends PathsOf<CheckoutSession> = never>(
    params?: CheckoutSessionsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<CheckoutSession, Path>> {
    return this.transport.list('/v1/checkout_sessions', params, options);
  }

  /**
   * List checkout sessions.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns checkout sessions in pages, newest first. With `Accept: text/csv` the answer is one file with all
   * checkout sessions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/checkout_sessions` · scope `checkout_sessions:read`
   */
  listCsv(params?: CheckoutSessionsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/checkout_sessions', params, options, 'text/csv');
  }

  /**
   * Retrieve a checkout session.
   *
   * Returns the checkout session as it is now. This is how you learn whether it is paid, when you do not wait for
   * `checkout_session.completed`.
   *
   * `GET /v1/checkout_sessions/{id}` · scope `checkout_sessions:read`
   */
  retrieve<const Path extends PathsOf<CheckoutSession> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('GET', path`/v1/checkout_sessions/${id}`, expandIn(options), options);
  }

  /**
   * Update a checkout session.
   *
   * Changes the metadata, in every status. There is no event for it.
   *
   * `POST /v1/checkout_sessions/{id}` · scope `checkout_sessions:write`
   */
  update<const Path extends PathsOf<CheckoutSession> = never>(
    id: string,
    params?: CheckoutSessionsUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('POST', path`/v1/checkout_sessions/${id}`, params, options);
  }

  /**
   * Expire a checkout session.
   *
   * It can no longer be paid. While a page of the processor or an authentication is open, or the processor has a
   * payment and has not decided, that is canceled first: if the customer has paid meanwhile, the session is
   * completed instead, and the answer says so as soon as that is known. While the outcome of a try is unknown, it
   * is refused.
   *
   * `POST /v1/checkout_sessions/{id}/expire` · scope `checkout_sessions:write`
   */
  expire<const Path extends PathsOf<CheckoutSession> = never>(
    id: string,
    params?: CheckoutSessionsExpireParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('POST', path`/v1/checkout_sessions/${id}/expire`, params, options);
  }

  /**
   * Erase what the customer of a checkout session has typed.
   *
   * Erases `customer_details` for good, of a session that is complete or expired. The customer, if there is one,
   * stays.
   *
   * `POST /v1/checkout_sessions/{id}/redact` · scope `checkout_sessions:write`
   */
  redact<const Path extends PathsOf<CheckoutSession> = never>(
    id: string,
    params?: CheckoutSessionsRedactParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('POST', path`/v1/checkout_sessions/${id}/redact`, params, options);
  }

  /**
   * Review a checkout session that was paid late.
   *
   * Records that somebody has dealt with a payment that came after the expiry: what was paid for is delivered, or
   * the payment is refunded. The session then no longer needs attention. There is no event for it.
   *
   * `POST /v1/checkout_sessions/{id}/review` · scope `checkout_sessions:write`
   */
  review<const Path extends PathsOf<CheckoutSession> = never>(
    id: string,
    params?: CheckoutSessionsReviewParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<CheckoutSession, Path>> {
    return this.transport.send('POST', path`/v1/checkout_sessions/${id}/review`, params, options);
  }
}
