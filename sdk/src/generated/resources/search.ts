// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { SearchQueryParameters, SearchResults } from '../types/search.ts';

/** Objects of every kind, by what a person knows of them. */
export class SearchResource extends Resource {
  /**
   * Find objects.
   *
   * Finds objects of every kind by words: each begins a word of the object, in any order, in upper or lower case,
   * with or without accents. Metadata is not searched. A change is found within two seconds; ids, and references
   * of processors in full, immediately. Only kinds that the key may read are searched.
   *
   * `GET /v1/search` · scope `any:read`
   */
  query(params: SearchQueryParameters, options?: RequestOptions): Promise<SearchResults> {
    return this.transport.send('GET', '/v1/search', params, options);
  }
}
