// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { SearchQueryParameters, SearchResults } from '../types/search.ts';

/** Objects of every kind, by what a person knows of them. */
export class SearchResource extends Resource {
  /**
   * Find objects.
   *
   * Finds objects by an id, an email, the last four digits of a payment method and an amount, the number of an
   * invoice, or the reference of a processor. Matches are exact, but for upper and lower case in emails. Only
   * kinds that the key may read are searched.
   *
   * `GET /v1/search` · scope `any:read`
   */
  query(params: SearchQueryParameters, options?: RequestOptions): Promise<SearchResults> {
    return this.transport.send('GET', '/v1/search', params, options);
  }
}
