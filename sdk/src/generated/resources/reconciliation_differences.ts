// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ReconciliationDifference,
  ReconciliationDifferencesAcceptParameters,
  ReconciliationDifferencesFollowUpParameters,
  ReconciliationDifferencesListParameters,
} from '../types/reconciliation_differences.ts';

/** Lines that differ between the ledger and the statement of a processor. */
export class ReconciliationDifferencesResource extends Resource {
  /**
   * Retrieve a reconciliation difference.
   *
   * Returns the reconciliation difference as it is now.
   *
   * `GET /v1/reconciliation_differences/{id}` · scope `balance:read`
   */
  retrieve<const Path extends PathsOf<ReconciliationDifference> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<ReconciliationDifference, Path>> {
    return this.transport.send('GET', path`/v1/reconciliation_differences/${id}`, expandIn(options), options);
  }

  /**
   * List reconciliation differences.
   *
   * Returns reconciliation differences in pages, newest first. A difference that a later comparison of its day
   * does not find again is no longer there. With `Accept: text/csv` the answer is one file with all reconciliation
   * differences that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
   * chooses its columns.
   *
   * `GET /v1/reconciliation_differences` · scope `balance:read`
   */
  list<const Path extends PathsOf<ReconciliationDifference> = never>(
    params?: ReconciliationDifferencesListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<ReconciliationDifference, Path>> {
    return this.transport.list('/v1/reconciliation_differences', params, options);
  }

  /**
   * List reconciliation differences.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns reconciliation differences in pages, newest first. A difference that a later comparison of its day
   * does not find again is no longer there. With `Accept: text/csv` the answer is one file with all reconciliation
   * differences that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
   * chooses its columns.
   *
   * `GET /v1/reconciliation_differences` · scope `balance:read`
   */
  listCsv(
    params?: ReconciliationDifferencesListParameters,
    options?: RequestOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/reconciliation_differences', params, options, 'text/csv');
  }

  /**
   * Accept a reconciliation difference.
   *
   * Records that a difference is explained, by whom and why. The books stay as they are, and it no longer needs
   * attention. It stays accepted when its day is compared again, unless it has become another difference.
   *
   * `POST /v1/reconciliation_differences/{id}/accept` · scope `balance:write`
   */
  accept<const Path extends PathsOf<ReconciliationDifference> = never>(
    id: string,
    params: ReconciliationDifferencesAcceptParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<ReconciliationDifference, Path>> {
    return this.transport.send('POST', path`/v1/reconciliation_differences/${id}/accept`, params, options);
  }

  /**
   * Follow up a reconciliation difference.
   *
   * Records that somebody looks into a difference, so that others do not. It still needs attention. One that was
   * accepted is open again with it.
   *
   * `POST /v1/reconciliation_differences/{id}/follow_up` · scope `balance:write`
   */
  followUp<const Path extends PathsOf<ReconciliationDifference> = never>(
    id: string,
    params?: ReconciliationDifferencesFollowUpParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<ReconciliationDifference, Path>> {
    return this.transport.send('POST', path`/v1/reconciliation_differences/${id}/follow_up`, params, options);
  }
}
