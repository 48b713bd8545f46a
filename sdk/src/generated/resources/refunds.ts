// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Refund,
  RefundsCreateParameters,
  RefundsListParameters,
  RefundsUpdateParameters,
} from '../types/refunds.ts';

export class RefundsResource extends Resource {
  /**
   * Refund a payment.
   *
   * `POST /v1/refunds` · scope `refunds:write`
   */
  create(params: RefundsCreateParameters, options?: RequestOptions): Promise<Refund> {
    return this.transport.send('POST', '/v1/refunds', params, options);
  }

  /**
   * List refunds.
   *
   * `GET /v1/refunds` · scope `refunds:read`
   */
  list(params?: RefundsListParameters, options?: RequestOptions): Listing<Refund> {
    return this.transport.list('/v1/refunds', params, options);
  }

  /**
   * Retrieve a refund.
   *
   * `GET /v1/refunds/{id}` · scope `refunds:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Refund> {
    return this.transport.send('GET', path`/v1/refunds/${id}`, undefined, options);
  }

  /**
   * Update a refund.
   *
   * `POST /v1/refunds/{id}` · scope `refunds:write`
   */
  update(id: string, params?: RefundsUpdateParameters, options?: RequestOptions): Promise<Refund> {
    return this.transport.send('POST', path`/v1/refunds/${id}`, params, options);
  }
}
