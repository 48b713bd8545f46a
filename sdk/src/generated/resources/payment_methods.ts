// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  PaymentMethod,
  PaymentMethodsAttachParameters,
  PaymentMethodsCreateParameters,
  PaymentMethodsDetachParameters,
  PaymentMethodsListParameters,
  PaymentMethodsUpdateParameters,
} from '../types/payment_methods.ts';

export class PaymentMethodsResource extends Resource {
  /**
   * Create a payment method.
   *
   * `POST /v1/payment_methods` · scope `payment_methods:write`
   */
  create(params: PaymentMethodsCreateParameters, options?: RequestOptions): Promise<PaymentMethod> {
    return this.transport.send('POST', '/v1/payment_methods', params, options);
  }

  /**
   * List payment methods.
   *
   * `GET /v1/payment_methods` · scope `payment_methods:read`
   */
  list(params?: PaymentMethodsListParameters, options?: RequestOptions): Listing<PaymentMethod> {
    return this.transport.list('/v1/payment_methods', params, options);
  }

  /**
   * Retrieve a payment method.
   *
   * `GET /v1/payment_methods/{id}` · scope `payment_methods:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<PaymentMethod> {
    return this.transport.send('GET', path`/v1/payment_methods/${id}`, undefined, options);
  }

  /**
   * Update a payment method.
   *
   * `POST /v1/payment_methods/{id}` · scope `payment_methods:write`
   */
  update(id: string, params?: PaymentMethodsUpdateParameters, options?: RequestOptions): Promise<PaymentMethod> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}`, params, options);
  }

  /**
   * Attach a payment method to a customer.
   *
   * `POST /v1/payment_methods/{id}/attach` · scope `payment_methods:write`
   */
  attach(id: string, params: PaymentMethodsAttachParameters, options?: RequestOptions): Promise<PaymentMethod> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}/attach`, params, options);
  }

  /**
   * Detach a payment method, for good.
   *
   * `POST /v1/payment_methods/{id}/detach` · scope `payment_methods:write`
   */
  detach(id: string, params?: PaymentMethodsDetachParameters, options?: RequestOptions): Promise<PaymentMethod> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}/detach`, params, options);
  }
}
