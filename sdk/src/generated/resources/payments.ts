// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Payment,
  PaymentsCancelParameters,
  PaymentsCaptureParameters,
  PaymentsCreateParameters,
  PaymentsListAttemptsParameters,
  PaymentsListParameters,
  PaymentsUpdateParameters,
} from '../types/payments.ts';
import type { Attempt } from '../types/shared.ts';

/** Charges of payment methods, from the first authorization to the money. */
export class PaymentsResource extends Resource {
  /**
   * Create a payment.
   *
   * Charges the payment method at the processor that the routing rules name. A decline is answered with 402, and
   * the failed payment is stored. An answer of 200 does not mean that the money is there: look at `status`, which
   * can also be `requires_action` or `processing`. Send an `Idempotency-Key`, so that a retry cannot charge twice.
   *
   * `POST /v1/payments` · scope `payments:write`
   */
  create<const Path extends PathsOf<Payment> = never>(
    params: PaymentsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Payment, Path>> {
    return this.transport.send('POST', '/v1/payments', params, options);
  }

  /**
   * List payments.
   *
   * Returns payments in pages, newest first. An export can also have the columns `fee`, `fee_decimal`, `net` and
   * `net_decimal`, for callers with `balance:read`: what the ledger has charged for a payment, and what the
   * payment has left in the balance after its fee, refunds and disputes. With `Accept: text/csv` the answer is one
   * file with all payments that the filters select; `limit`, `starting_after` and `ending_before` are refused
   * then. `columns` chooses its columns.
   *
   * `GET /v1/payments` · scope `payments:read`
   */
  list<const Path extends PathsOf<Payment> = never>(
    params?: PaymentsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Payment, Path>> {
    return this.transport.list('/v1/payments', params, options);
  }

  /**
   * List payments.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns payments in pages, newest first. An export can also have the columns `fee`, `fee_decimal`, `net` and
   * `net_decimal`, for callers with `balance:read`: what the ledger has charged for a payment, and what the
   * payment has left in the balance after its fee, refunds and disputes. With `Accept: text/csv` the answer is one
   * file with all payments that the filters select; `limit`, `starting_after` and `ending_before` are refused
   * then. `columns` chooses its columns.
   *
   * `GET /v1/payments` · scope `payments:read`
   */
  listCsv(params?: PaymentsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/payments', params, options, 'text/csv');
  }

  /**
   * Retrieve a payment.
   *
   * Returns the payment as it is now. To follow a payment that is not final, wait for its events, or retrieve it
   * from time to time.
   *
   * `GET /v1/payments/{id}` · scope `payments:read`
   */
  retrieve<const Path extends PathsOf<Payment> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Payment, Path>> {
    return this.transport.send('GET', path`/v1/payments/${id}`, expandIn(options), options);
  }

  /**
   * Update a payment.
   *
   * Changes only what it names. An update that changes nothing creates no event. The description and the metadata
   * can be changed in every status.
   *
   * `POST /v1/payments/{id}` · scope `payments:write`
   */
  update<const Path extends PathsOf<Payment> = never>(
    id: string,
    params?: PaymentsUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Payment, Path>> {
    return this.transport.send('POST', path`/v1/payments/${id}`, params, options);
  }

  /**
   * Capture an authorized payment.
   *
   * Takes the money that was authorized with `capture_method` `manual`, once, and releases the rest. An
   * authorization that is not captured within 7 days is canceled.
   *
   * `POST /v1/payments/{id}/capture` · scope `payments:write`
   */
  capture<const Path extends PathsOf<Payment> = never>(
    id: string,
    params?: PaymentsCaptureParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Payment, Path>> {
    return this.transport.send('POST', path`/v1/payments/${id}/capture`, params, options);
  }

  /**
   * Cancel a payment that is not finished.
   *
   * Releases the authorization. Only payments in `requires_action` or `requires_capture` can be canceled; a
   * captured payment is refunded. If the processor refuses, the answer is 402 and the payment keeps its status.
   *
   * `POST /v1/payments/{id}/cancel` · scope `payments:write`
   */
  cancel<const Path extends PathsOf<Payment> = never>(
    id: string,
    params?: PaymentsCancelParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Payment, Path>> {
    return this.transport.send('POST', path`/v1/payments/${id}/cancel`, params, options);
  }

  /**
   * List the requests to processors that were made for a payment, oldest first.
   *
   * Each attempt says which processor was asked, with what outcome, and why that one was chosen.
   *
   * `GET /v1/payments/{id}/attempts` · scope `payments:read`
   */
  listAttempts(id: string, params?: PaymentsListAttemptsParameters, options?: RequestOptions): Listing<Attempt> {
    return this.transport.list(path`/v1/payments/${id}/attempts`, params, options);
  }

  /**
   * Retrieve the receipt of a payment as PDF.
   *
   * Returns a document about the money that was received, in the customer's language. The same payment, customer
   * and branding give the same bytes, until Tollgate is upgraded.
   *
   * `GET /v1/payments/{id}/receipt.pdf` · scope `payments:read`
   */
  receipt(id: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.file(path`/v1/payments/${id}/receipt.pdf`, undefined, options, 'application/pdf');
  }
}
