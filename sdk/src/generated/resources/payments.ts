// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Attempt,
  Payment,
  PaymentsCancelParameters,
  PaymentsCaptureParameters,
  PaymentsCreateParameters,
  PaymentsListAttemptsParameters,
  PaymentsListParameters,
  PaymentsUpdateParameters,
} from '../types/payments.ts';

export class PaymentsResource extends Resource {
  /**
   * Create a payment.
   *
   * `POST /v1/payments` · scope `payments:write`
   */
  create(params: PaymentsCreateParameters, options?: RequestOptions): Promise<Payment> {
    return this.transport.send('POST', '/v1/payments', params, options);
  }

  /**
   * List payments.
   *
   * `GET /v1/payments` · scope `payments:read`
   */
  list(params?: PaymentsListParameters, options?: RequestOptions): Listing<Payment> {
    return this.transport.list('/v1/payments', params, options);
  }

  /**
   * Retrieve a payment.
   *
   * `GET /v1/payments/{id}` · scope `payments:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Payment> {
    return this.transport.send('GET', path`/v1/payments/${id}`, undefined, options);
  }

  /**
   * Update a payment.
   *
   * `POST /v1/payments/{id}` · scope `payments:write`
   */
  update(id: string, params?: PaymentsUpdateParameters, options?: RequestOptions): Promise<Payment> {
    return this.transport.send('POST', path`/v1/payments/${id}`, params, options);
  }

  /**
   * Capture an authorized payment.
   *
   * `POST /v1/payments/{id}/capture` · scope `payments:write`
   */
  capture(id: string, params?: PaymentsCaptureParameters, options?: RequestOptions): Promise<Payment> {
    return this.transport.send('POST', path`/v1/payments/${id}/capture`, params, options);
  }

  /**
   * Cancel a payment that is not finished.
   *
   * `POST /v1/payments/{id}/cancel` · scope `payments:write`
   */
  cancel(id: string, params?: PaymentsCancelParameters, options?: RequestOptions): Promise<Payment> {
    return this.transport.send('POST', path`/v1/payments/${id}/cancel`, params, options);
  }

  /**
   * List the requests to processors that were made for a payment, oldest first.
   *
   * `GET /v1/payments/{id}/attempts` · scope `payments:read`
   */
  listAttempts(id: string, params?: PaymentsListAttemptsParameters, options?: RequestOptions): Listing<Attempt> {
    return this.transport.list(path`/v1/payments/${id}/attempts`, params, options);
  }
}
