// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
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

/** Money that goes back to customers, all or part of a payment. */
export class RefundsResource extends Resource {
  /**
   * Refund a payment.
   *
   * Returns all or part of a payment to the customer. A payment can have any number of refunds, up to what was
   * received. A refund that the bank refuses immediately is answered with 200 and the status `failed`. A payment
   * with an open or lost dispute cannot be refunded.
   *
   * `POST /v1/refunds` · scope `refunds:write`
   */
  create<const Path extends PathsOf<Refund> = never>(
    params: RefundsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Refund, Path>> {
    return this.transport.send('POST', '/v1/refunds', params, options);
  }

  /**
   * List refunds.
   *
   * Returns refunds in pages, newest first. With `Accept: text/csv` the answer is one file with all refunds that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/refunds` · scope `refunds:read`
   */
  list<const Path extends PathsOf<Refund> = never>(
    params?: RefundsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Refund, Path>> {
    return this.transport.list('/v1/refunds', params, options);
  }

  /**
   * List refunds.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns refunds in pages, newest first. With `Accept: text/csv` the answer is one file with all refunds that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/refunds` · scope `refunds:read`
   */
  listCsv(params?: RefundsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/refunds', params, options, 'text/csv');
  }

  /**
   * Retrieve a refund.
   *
   * Returns the refund as it is now. A pending refund is settled by the processor, and its events say when.
   *
   * `GET /v1/refunds/{id}` · scope `refunds:read`
   */
  retrieve<const Path extends PathsOf<Refund> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Refund, Path>> {
    return this.transport.send('GET', path`/v1/refunds/${id}`, expandIn(options), options);
  }

  /**
   * Update a refund.
   *
   * Changes only what it names. An update that changes nothing creates no event. Only the metadata can be changed.
   *
   * `POST /v1/refunds/{id}` · scope `refunds:write`
   */
  update<const Path extends PathsOf<Refund> = never>(
    id: string,
    params?: RefundsUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Refund, Path>> {
    return this.transport.send('POST', path`/v1/refunds/${id}`, params, options);
  }
}
