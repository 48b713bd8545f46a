// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Invoice,
  InvoicesCreateParameters,
  InvoicesFinalizeParameters,
  InvoicesListParameters,
  InvoicesMarkUncollectibleParameters,
  InvoicesPayParameters,
  InvoicesPreviewParameters,
  InvoicesUpdateParameters,
  InvoicesVoidParameters,
  UpcomingInvoice,
} from '../types/invoices.ts';

export class InvoicesResource extends Resource {
  /**
   * Create a draft of an invoice from a customer's waiting items.
   *
   * `POST /v1/invoices` · scope `invoices:write`
   */
  create(params: InvoicesCreateParameters, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('POST', '/v1/invoices', params, options);
  }

  /**
   * List invoices.
   *
   * `GET /v1/invoices` · scope `invoices:read`
   */
  list(params?: InvoicesListParameters, options?: RequestOptions): Listing<Invoice> {
    return this.transport.list('/v1/invoices', params, options);
  }

  /**
   * Retrieve an invoice.
   *
   * `GET /v1/invoices/{id}` · scope `invoices:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('GET', path`/v1/invoices/${id}`, undefined, options);
  }

  /**
   * Update a invoice.
   *
   * `POST /v1/invoices/{id}` · scope `invoices:write`
   */
  update(id: string, params?: InvoicesUpdateParameters, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('POST', path`/v1/invoices/${id}`, params, options);
  }

  /**
   * Finalize a draft, which gives it its number.
   *
   * `POST /v1/invoices/{id}/finalize` · scope `invoices:write`
   */
  finalize(id: string, params?: InvoicesFinalizeParameters, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('POST', path`/v1/invoices/${id}/finalize`, params, options);
  }

  /**
   * Pay an open invoice.
   *
   * `POST /v1/invoices/{id}/pay` · scope `invoices:write`
   */
  pay(id: string, params?: InvoicesPayParameters, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('POST', path`/v1/invoices/${id}/pay`, params, options);
  }

  /**
   * Void an invoice.
   *
   * `POST /v1/invoices/{id}/void` · scope `invoices:write`
   */
  void(id: string, params?: InvoicesVoidParameters, options?: RequestOptions): Promise<Invoice> {
    return this.transport.send('POST', path`/v1/invoices/${id}/void`, params, options);
  }

  /**
   * Mark an open invoice as uncollectible.
   *
   * `POST /v1/invoices/{id}/mark_uncollectible` · scope `invoices:write`
   */
  markUncollectible(
    id: string,
    params?: InvoicesMarkUncollectibleParameters,
    options?: RequestOptions,
  ): Promise<Invoice> {
    return this.transport.send('POST', path`/v1/invoices/${id}/mark_uncollectible`, params, options);
  }

  /**
   * Preview the next invoice of a subscription, of a change to it, or of a new one.
   *
   * `POST /v1/invoices/preview` · scope `invoices:read`
   */
  preview(params?: InvoicesPreviewParameters, options?: RequestOptions): Promise<UpcomingInvoice> {
    return this.transport.send('POST', '/v1/invoices/preview', params, options);
  }
}
