// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Coupon, CouponsCreateParameters, CouponsListParameters, DeletedCoupon } from '../types/coupons.ts';

/** Discounts for subscriptions: a percentage, or an amount in one currency. */
export class CouponsResource extends Resource {
  /**
   * Create a coupon.
   *
   * Send either `percent_off`, or `amount_off` with `currency`. A coupon cannot be changed: delete it, and create
   * another.
   *
   * `POST /v1/coupons` · scope `prices:write`
   */
  create(params: CouponsCreateParameters, options?: RequestOptions): Promise<Coupon> {
    return this.transport.send('POST', '/v1/coupons', params, options);
  }

  /**
   * List coupons.
   *
   * Returns coupons in pages, newest first. Deleted coupons are left out. With `Accept: text/csv` the answer is
   * one file with all coupons that the filters select; `limit`, `starting_after` and `ending_before` are refused
   * then. `columns` chooses its columns.
   *
   * `GET /v1/coupons` · scope `prices:read`
   */
  list(params?: CouponsListParameters, options?: RequestOptions): Listing<Coupon> {
    return this.transport.list('/v1/coupons', params, options);
  }

  /**
   * List coupons.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns coupons in pages, newest first. Deleted coupons are left out. With `Accept: text/csv` the answer is
   * one file with all coupons that the filters select; `limit`, `starting_after` and `ending_before` are refused
   * then. `columns` chooses its columns.
   *
   * `GET /v1/coupons` · scope `prices:read`
   */
  listCsv(params?: CouponsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/coupons', params, options, 'text/csv');
  }

  /**
   * Retrieve a coupon.
   *
   * Returns the coupon as it is now. A coupon that was deleted is not found.
   *
   * `GET /v1/coupons/{id}` · scope `prices:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Coupon> {
    return this.transport.send('GET', path`/v1/coupons/${id}`, undefined, options);
  }

  /**
   * Delete a coupon.
   *
   * No subscription can get it from now on, and its code can be given to another. Subscriptions that have it keep
   * it.
   *
   * `DELETE /v1/coupons/{id}` · scope `prices:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedCoupon> {
    return this.transport.send('DELETE', path`/v1/coupons/${id}`, undefined, options);
  }
}
