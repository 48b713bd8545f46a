// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Price, PricesCreateParameters, PricesListParameters, PricesUpdateParameters } from '../types/prices.ts';

export class PricesResource extends Resource {
  /**
   * Create a price.
   *
   * `POST /v1/prices` · scope `prices:write`
   */
  create(params: PricesCreateParameters, options?: RequestOptions): Promise<Price> {
    return this.transport.send('POST', '/v1/prices', params, options);
  }

  /**
   * List prices.
   *
   * `GET /v1/prices` · scope `prices:read`
   */
  list(params?: PricesListParameters, options?: RequestOptions): Listing<Price> {
    return this.transport.list('/v1/prices', params, options);
  }

  /**
   * Retrieve a price.
   *
   * `GET /v1/prices/{id}` · scope `prices:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Price> {
    return this.transport.send('GET', path`/v1/prices/${id}`, undefined, options);
  }

  /**
   * Update a price.
   *
   * `POST /v1/prices/{id}` · scope `prices:write`
   */
  update(id: string, params?: PricesUpdateParameters, options?: RequestOptions): Promise<Price> {
    return this.transport.send('POST', path`/v1/prices/${id}`, params, options);
  }
}
