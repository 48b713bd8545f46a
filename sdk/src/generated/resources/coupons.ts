// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Coupon, CouponsCreateParameters, CouponsListParameters, DeletedCoupon } from '../types/coupons.ts';

export class CouponsResource extends Resource {
  /**
   * Create a coupon.
   *
   * `POST /v1/coupons` · scope `prices:write`
   */
  create(params: CouponsCreateParameters, options?: RequestOptions): Promise<Coupon> {
    return this.transport.send('POST', '/v1/coupons', params, options);
  }

  /**
   * List coupons.
   *
   * `GET /v1/coupons` · scope `prices:read`
   */
  list(params?: CouponsListParameters, options?: RequestOptions): Listing<Coupon> {
    return this.transport.list('/v1/coupons', params, options);
  }

  /**
   * Retrieve a coupon.
   *
   * `GET /v1/coupons/{id}` · scope `prices:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Coupon> {
    return this.transport.send('GET', path`/v1/coupons/${id}`, undefined, options);
  }

  /**
   * Delete a coupon.
   *
   * `DELETE /v1/coupons/{id}` · scope `prices:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedCoupon> {
    return this.transport.send('DELETE', path`/v1/coupons/${id}`, undefined, options);
  }
}
