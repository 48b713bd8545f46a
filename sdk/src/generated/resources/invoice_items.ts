// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedInvoiceItem,
  InvoiceItem,
  InvoiceItemsCreateParameters,
  InvoiceItemsListParameters,
} from '../types/invoice_items.ts';

/** Amounts that wait for the next invoice of a customer: one-off charges and deductions. */
export class InvoiceItemsResource extends Resource {
  /**
   * Create an invoice item.
   *
   * The item waits for the next invoice of the customer, or of the subscription that it names, in its currency. An
   * item is not changed: delete it, and create another.
   *
   * `POST /v1/invoice_items` · scope `invoices:write`
   */
  create<const Path extends PathsOf<InvoiceItem> = never>(
    params: InvoiceItemsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<InvoiceItem, Path>> {
    return this.transport.send('POST', '/v1/invoice_items', params, options);
  }

  /**
   * List invoice items.
   *
   * Returns invoice items in pages, newest first. Those of invoices are listed too.
   *
   * `GET /v1/invoice_items` · scope `invoices:read`
   */
  list<const Path extends PathsOf<InvoiceItem> = never>(
    params?: InvoiceItemsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<InvoiceItem, Path>> {
    return this.transport.list('/v1/invoice_items', params, options);
  }

  /**
   * Delete an invoice item that waits for an invoice.
   *
   * An item that an invoice has cannot be deleted.
   *
   * `DELETE /v1/invoice_items/{id}` · scope `invoices:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedInvoiceItem> {
    return this.transport.send('DELETE', path`/v1/invoice_items/${id}`, undefined, options);
  }

  /**
   * Retrieve an invoice item.
   *
   * Returns the invoice item as it is now. It names its invoice once there is one.
   *
   * `GET /v1/invoice_items/{id}` · scope `invoices:read`
   */
  retrieve<const Path extends PathsOf<InvoiceItem> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<InvoiceItem, Path>> {
    return this.transport.send('GET', path`/v1/invoice_items/${id}`, expandIn(options), options);
  }
}
