// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
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

/** What customers owe, line by line, and how it was paid. */
export class InvoicesResource extends Resource {
  /**
   * Create a draft of an invoice from a customer's waiting items, and from new ones.
   *
   * Makes a draft of the items that wait and name no subscription, and of those in `items`, which are created with
   * it. Finalize it, and pay it. Without any item the request is refused.
   *
   * `POST /v1/invoices` · scope `invoices:write`
   */
  create<const Path extends PathsOf<Invoice> = never>(
    params: InvoicesCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', '/v1/invoices', params, options);
  }

  /**
   * List invoices.
   *
   * Returns invoices in pages, newest first. With `Accept: text/csv` the answer is one file with all invoices that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/invoices` · scope `invoices:read`
   */
  list<const Path extends PathsOf<Invoice> = never>(
    params?: InvoicesListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Invoice, Path>> {
    return this.transport.list('/v1/invoices', params, options);
  }

  /**
   * List invoices.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns invoices in pages, newest first. With `Accept: text/csv` the answer is one file with all invoices that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/invoices` · scope `invoices:read`
   */
  listCsv(params?: InvoicesListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/invoices', params, options, 'text/csv');
  }

  /**
   * Retrieve an invoice.
   *
   * Returns the invoice as it is now.
   *
   * `GET /v1/invoices/{id}` · scope `invoices:read`
   */
  retrieve<const Path extends PathsOf<Invoice> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('GET', path`/v1/invoices/${id}`, expandIn(options), options);
  }

  /**
   * Update an invoice.
   *
   * Changes only what it names. An update that changes nothing creates no event. Only the metadata can be changed.
   *
   * `POST /v1/invoices/{id}` · scope `invoices:write`
   */
  update<const Path extends PathsOf<Invoice> = never>(
    id: string,
    params?: InvoicesUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', path`/v1/invoices/${id}`, params, options);
  }

  /**
   * Retrieve an invoice as PDF.
   *
   * Returns the document of a finalized invoice, in the customer's language, with seller and buyer as they were
   * when it was finalized. The same invoice gives the same bytes, until it changes or Tollgate is upgraded.
   *
   * `GET /v1/invoices/{id}/pdf` · scope `invoices:read`
   */
  pdf(id: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.file(path`/v1/invoices/${id}/pdf`, undefined, options, 'application/pdf');
  }

  /**
   * Finalize a draft, which gives it its number.
   *
   * Gives the invoice its number, and applies the customer's credit. If nothing is due, the invoice is paid;
   * otherwise it is open. A total below 0 becomes credit of the customer.
   *
   * `POST /v1/invoices/{id}/finalize` · scope `invoices:write`
   */
  finalize<const Path extends PathsOf<Invoice> = never>(
    id: string,
    params?: InvoicesFinalizeParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', path`/v1/invoices/${id}/finalize`, params, options);
  }

  /**
   * Pay an open invoice.
   *
   * Charges a payment method for what is due; uncollectible invoices can be paid too. A decline is answered with
   * 402, and the invoice stays open. If the cardholder must authenticate, the answer is 200, and the `payment` of
   * the invoice has the `next_action`.
   *
   * `POST /v1/invoices/{id}/pay` · scope `invoices:write`
   */
  pay<const Path extends PathsOf<Invoice> = never>(
    id: string,
    params?: InvoicesPayParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', path`/v1/invoices/${id}/pay`, params, options);
  }

  /**
   * Void an invoice.
   *
   * Says that an open or uncollectible invoice is not owed. Credit that it used is given back. Its items do not
   * wait again.
   *
   * `POST /v1/invoices/{id}/void` · scope `invoices:write`
   */
  void<const Path extends PathsOf<Invoice> = never>(
    id: string,
    params?: InvoicesVoidParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', path`/v1/invoices/${id}/void`, params, options);
  }

  /**
   * Mark an open invoice as uncollectible.
   *
   * Marks the money as no longer expected. The invoice can still be paid or voided.
   *
   * `POST /v1/invoices/{id}/mark_uncollectible` · scope `invoices:write`
   */
  markUncollectible<const Path extends PathsOf<Invoice> = never>(
    id: string,
    params?: InvoicesMarkUncollectibleParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Invoice, Path>> {
    return this.transport.send('POST', path`/v1/invoices/${id}/mark_uncollectible`, params, options);
  }

  /**
   * Preview the next invoice of a subscription, of a change to it, or of a new one.
   *
   * Shows an invoice that does not exist, and changes nothing. With `items` it shows the next invoice after this
   * change of the subscription. Without `subscription` it shows the first invoice of a new one. The preview and
   * its lines have no ids.
   *
   * `POST /v1/invoices/preview` · scope `invoices:read`
   */
  preview<const Path extends PathsOf<UpcomingInvoice> = never>(
    params?: InvoicesPreviewParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<UpcomingInvoice, Path>> {
    return this.transport.send('POST', '/v1/invoices/preview', params, options);
  }
}
