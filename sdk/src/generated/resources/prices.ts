// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Price, PricesCreateParameters, PricesListParameters, PricesUpdateParameters } from '../types/prices.ts';

/** What one of something costs, in which currency, and how often or once. */
export class PricesResource extends Resource {
  /**
   * Create a price.
   *
   * A price is what one of something costs: for a period, or once where `recurring` is not given. Subscriptions
   * need prices that recur. The amount, the currency and the period never change: for other terms create another
   * price.
   *
   * `POST /v1/prices` · scope `prices:write`
   */
  create(params: PricesCreateParameters, options?: RequestOptions): Promise<Price> {
    return this.transport.send('POST', '/v1/prices', params, options);
  }

  /**
   * List prices.
   *
   * Returns prices in pages, newest first. With `Accept: text/csv` the answer is one file with all prices that the
   * filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/prices` · scope `prices:read`
   */
  list(params?: PricesListParameters, options?: RequestOptions): Listing<Price> {
    return this.transport.list('/v1/prices', params, options);
  }

  /**
   * List prices.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns prices in pages, newest first. With `Accept: text/csv` the answer is one file with all prices that the
   * filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/prices` · scope `prices:read`
   */
  listCsv(params?: PricesListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/prices', params, options, 'text/csv');
  }

  /**
   * Retrieve a price.
   *
   * Returns the price as it is now.
   *
   * `GET /v1/prices/{id}` · scope `prices:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Price> {
    return this.transport.send('GET', path`/v1/prices/${id}`, undefined, options);
  }

  /**
   * Update a price.
   *
   * Changes only what it names. An update that changes nothing creates no event. The amount, the currency and the
   * period cannot be changed: create another price, and set this one to inactive.
   *
   * `POST /v1/prices/{id}` · scope `prices:write`
   */
  update(id: string, params?: PricesUpdateParameters, options?: RequestOptions): Promise<Price> {
    return this.transport.send('POST', path`/v1/prices/${id}`, params, options);
  }
}
