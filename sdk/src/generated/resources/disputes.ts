// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Dispute,
  DisputesCloseParameters,
  DisputesListParameters,
  DisputesUpdateParameters,
} from '../types/disputes.ts';

/** Payments that cardholders have disputed with their banks, and your evidence. */
export class DisputesResource extends Resource {
  /**
   * Retrieve a dispute.
   *
   * Returns the dispute as it is now. Processors report disputes; they cannot be created.
   *
   * `GET /v1/disputes/{id}` · scope `disputes:read`
   */
  retrieve<const Path extends PathsOf<Dispute> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Dispute, Path>> {
    return this.transport.send('GET', path`/v1/disputes/${id}`, expandIn(options), options);
  }

  /**
   * Gather evidence against a dispute and submit it, or change metadata.
   *
   * Evidence is merged field by field, and only kept until a request has `submit`: then all of it is sent to the
   * bank. Nothing is submitted by itself. More can be submitted until `evidence_details.due_by`. Metadata can be
   * changed at any time, and is not sent to the bank.
   *
   * `POST /v1/disputes/{id}` · scope `disputes:write`
   */
  update<const Path extends PathsOf<Dispute> = never>(
    id: string,
    params?: DisputesUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Dispute, Path>> {
    return this.transport.send('POST', path`/v1/disputes/${id}`, params, options);
  }

  /**
   * Give a dispute up.
   *
   * Accepts the dispute, which is then `lost`. It cannot be undone.
   *
   * `POST /v1/disputes/{id}/close` · scope `disputes:write`
   */
  close<const Path extends PathsOf<Dispute> = never>(
    id: string,
    params?: DisputesCloseParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Dispute, Path>> {
    return this.transport.send('POST', path`/v1/disputes/${id}/close`, params, options);
  }

  /**
   * List disputes.
   *
   * Returns disputes in pages, newest first. With `Accept: text/csv` the answer is one file with all disputes that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/disputes` · scope `disputes:read`
   */
  list<const Path extends PathsOf<Dispute> = never>(
    params?: DisputesListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Dispute, Path>> {
    return this.transport.list('/v1/disputes', params, options);
  }

  /**
   * List disputes.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns disputes in pages, newest first. With `Accept: text/csv` the answer is one file with all disputes that
   * the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/disputes` · scope `disputes:read`
   */
  listCsv(params?: DisputesListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/disputes', params, options, 'text/csv');
  }
}
