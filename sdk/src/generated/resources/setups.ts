// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Setup, SetupsCancelParameters, SetupsCreateParameters, SetupsListParameters } from '../types/setups.ts';

/** Payment methods that are verified without a charge, and may then be charged without the cardholder. */
export class SetupsResource extends Resource {
  /**
   * Set up a payment method without a charge.
   *
   * The card is verified, and its cardholder agrees to later charges without being there. Nothing is charged. A
   * decline is answered with 402, and the failed setup is stored. An answer of 200 does not mean that the method
   * is set up: look at `status`, which can also be `requires_action` or `processing`.
   *
   * `POST /v1/setups` · scope `payment_methods:write`
   */
  create<const Path extends PathsOf<Setup> = never>(
    params: SetupsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Setup, Path>> {
    return this.transport.send('POST', '/v1/setups', params, options);
  }

  /**
   * List setups.
   *
   * Returns setups in pages, newest first. With `Accept: text/csv` the answer is one file with all setups that the
   * filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/setups` · scope `payment_methods:read`
   */
  list<const Path extends PathsOf<Setup> = never>(
    params?: SetupsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Setup, Path>> {
    return this.transport.list('/v1/setups', params, options);
  }

  /**
   * List setups.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns setups in pages, newest first. With `Accept: text/csv` the answer is one file with all setups that the
   * filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.
   *
   * `GET /v1/setups` · scope `payment_methods:read`
   */
  listCsv(params?: SetupsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/setups', params, options, 'text/csv');
  }

  /**
   * Retrieve a setup.
   *
   * Returns the setup as it is now. To follow a setup that is not final, wait for its events, or retrieve it from
   * time to time.
   *
   * `GET /v1/setups/{id}` · scope `payment_methods:read`
   */
  retrieve<const Path extends PathsOf<Setup> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Setup, Path>> {
    return this.transport.send('GET', path`/v1/setups/${id}`, expandIn(options), options);
  }

  /**
   * Cancel a setup.
   *
   * Ends a setup that waits for its cardholder, who can no longer authenticate.
   *
   * `POST /v1/setups/{id}/cancel` · scope `payment_methods:write`
   */
  cancel<const Path extends PathsOf<Setup> = never>(
    id: string,
    params?: SetupsCancelParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Setup, Path>> {
    return this.transport.send('POST', path`/v1/setups/${id}/cancel`, params, options);
  }
}
