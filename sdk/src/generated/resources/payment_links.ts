// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  PaymentLink,
  PaymentLinksCreateParameters,
  PaymentLinksListParameters,
  PaymentLinksUpdateParameters,
} from '../types/payment_links.ts';

/** Addresses that sell the same thing to anybody, without a line of code. */
export class PaymentLinksResource extends Resource {
  /**
   * Create a payment link.
   *
   * A payment link is an address that sells the same thing to anybody: `amount` with `currency`, `line_items`, or
   * an amount that the customer chooses. With the mode `subscription`, its prices that recur start subscriptions.
   * A visit writes nothing; the first press of the button creates a checkout session. `?email=` and `?reference=`
   * fill in the page.
   *
   * `POST /v1/payment_links` · scope `payment_links:write`
   */
  create(params?: PaymentLinksCreateParameters, options?: RequestOptions): Promise<PaymentLink> {
    return this.transport.send('POST', '/v1/payment_links', params, options);
  }

  /**
   * List payment links.
   *
   * Returns payment links in pages, newest first. With `Accept: text/csv` the answer is one file with all payment
   * links that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
   * chooses its columns.
   *
   * `GET /v1/payment_links` · scope `payment_links:read`
   */
  list(params?: PaymentLinksListParameters, options?: RequestOptions): Listing<PaymentLink> {
    return this.transport.list('/v1/payment_links', params, options);
  }

  /**
   * List payment links.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns payment links in pages, newest first. With `Accept: text/csv` the answer is one file with all payment
   * links that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
   * chooses its columns.
   *
   * `GET /v1/payment_links` · scope `payment_links:read`
   */
  listCsv(params?: PaymentLinksListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/payment_links', params, options, 'text/csv');
  }

  /**
   * Retrieve a payment link.
   *
   * Returns the payment link as it is now.
   *
   * `GET /v1/payment_links/{id}` · scope `payment_links:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<PaymentLink> {
    return this.transport.send('GET', path`/v1/payment_links/${id}`, undefined, options);
  }

  /**
   * Update a payment link.
   *
   * Changes only what it names, and creates no event if that changes nothing. Another way to say what is sold
   * replaces the one before: `amount`, `line_items` or `amount_choice`. Sessions that were made keep what they
   * sell. `url` begins with the `PUBLIC_URL` of the latest change.
   *
   * `POST /v1/payment_links/{id}` · scope `payment_links:write`
   */
  update(id: string, params?: PaymentLinksUpdateParameters, options?: RequestOptions): Promise<PaymentLink> {
    return this.transport.send('POST', path`/v1/payment_links/${id}`, params, options);
  }
}
