// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
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

/** What payments charge, by its id: cards whose numbers are in the vault, or that a processor keeps. */
export class PaymentMethodsResource extends Resource {
  /**
   * Create a payment method.
   *
   * Stores a card by its number, or a card that a processor keeps by its token. No bank is asked about a number:
   * the first payment shows whether the card can be charged. For a token the processor is asked, for 15 seconds at
   * most. If you send card numbers, you are in scope of PCI DSS.
   *
   * `POST /v1/payment_methods` · scope `payment_methods:write`
   */
  create<const Path extends PathsOf<PaymentMethod> = never>(
    params: PaymentMethodsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<PaymentMethod, Path>> {
    return this.transport.send('POST', '/v1/payment_methods', params, options);
  }

  /**
   * List payment methods.
   *
   * Returns payment methods in pages, newest first. Without `customer` the list has all of them: also detached
   * ones, and those without a customer. With `Accept: text/csv` the answer is one file with all payment methods
   * that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/payment_methods` · scope `payment_methods:read`
   */
  list<const Path extends PathsOf<PaymentMethod> = never>(
    params?: PaymentMethodsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<PaymentMethod, Path>> {
    return this.transport.list('/v1/payment_methods', params, options);
  }

  /**
   * List payment methods.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns payment methods in pages, newest first. Without `customer` the list has all of them: also detached
   * ones, and those without a customer. With `Accept: text/csv` the answer is one file with all payment methods
   * that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/payment_methods` · scope `payment_methods:read`
   */
  listCsv(params?: PaymentMethodsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/payment_methods', params, options, 'text/csv');
  }

  /**
   * Retrieve a payment method.
   *
   * Returns the payment method as it is now.
   *
   * `GET /v1/payment_methods/{id}` · scope `payment_methods:read`
   */
  retrieve<const Path extends PathsOf<PaymentMethod> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<PaymentMethod, Path>> {
    return this.transport.send('GET', path`/v1/payment_methods/${id}`, expandIn(options), options);
  }

  /**
   * Update a payment method.
   *
   * Changes the expiry, the billing details and the metadata, and only what it names. The number cannot be
   * changed: create another payment method.
   *
   * `POST /v1/payment_methods/{id}` · scope `payment_methods:write`
   */
  update<const Path extends PathsOf<PaymentMethod> = never>(
    id: string,
    params?: PaymentMethodsUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<PaymentMethod, Path>> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}`, params, options);
  }

  /**
   * Attach a payment method to a customer.
   *
   * A payment method belongs to one customer at most. Attaching it again to the same customer changes nothing. A
   * token that was not charged yet is attached at the processor too, so that it can be charged again.
   *
   * `POST /v1/payment_methods/{id}/attach` · scope `payment_methods:write`
   */
  attach<const Path extends PathsOf<PaymentMethod> = never>(
    id: string,
    params: PaymentMethodsAttachParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<PaymentMethod, Path>> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}/attach`, params, options);
  }

  /**
   * Detach a payment method, for good.
   *
   * The payment method loses its customer, and can never again be charged or attached. What the vault has of it is
   * deleted about a minute later, or once its unfinished payments are finished. If it was the default of its
   * customer, the customer has none any more.
   *
   * `POST /v1/payment_methods/{id}/detach` · scope `payment_methods:write`
   */
  detach<const Path extends PathsOf<PaymentMethod> = never>(
    id: string,
    params?: PaymentMethodsDetachParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<PaymentMethod, Path>> {
    return this.transport.send('POST', path`/v1/payment_methods/${id}/detach`, params, options);
  }
}
