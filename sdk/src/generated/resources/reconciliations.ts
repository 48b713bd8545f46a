// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Reconciliation, ReconciliationsListParameters } from '../types/reconciliations.ts';

/** Days of the ledger that were compared with the statement of a processor. */
export class ReconciliationsResource extends Resource {
  /**
   * Retrieve a reconciliation.
   *
   * Returns the reconciliation as it is now.
   *
   * `GET /v1/reconciliations/{id}` · scope `balance:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Reconciliation> {
    return this.transport.send('GET', path`/v1/reconciliations/${id}`, undefined, options);
  }

  /**
   * List reconciliations.
   *
   * Returns reconciliations in pages, newest first. They are in the order of the days that were compared, whose
   * beginning is `created`; the operator compares a day with `tollgate reconcile --record`, and comparing it again
   * replaces the figures. With `Accept: text/csv` the answer is one file with all reconciliations that the filters
   * select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/reconciliations` · scope `balance:read`
   */
  list(params?: ReconciliationsListParameters, options?: RequestOptions): Listing<Reconciliation> {
    return this.transport.list('/v1/reconciliations', params, options);
  }

  /**
   * List reconciliations.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns reconciliations in pages, newest first. They are in the order of the days that were compared, whose
   * beginning is `created`; the operator compares a day with `tollgate reconcile --record`, and comparing it again
   * replaces the figures. With `Accept: text/csv` the answer is one file with all reconciliations that the filters
   * select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/reconciliations` · scope `balance:read`
   */
  listCsv(params?: ReconciliationsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/reconciliations', params, options, 'text/csv');
  }
}
