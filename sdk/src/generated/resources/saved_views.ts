// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedSavedView,
  SavedView,
  SavedViewsCreateParameters,
  SavedViewsListParameters,
  SavedViewsUpdateParameters,
} from '../types/saved_views.ts';

/** Pages of the dashboard with filters that a person wants to come back to. */
export class SavedViewsResource extends Resource {
  /**
   * Save a view.
   *
   * Keeps a page of the dashboard with its filters, for the person who asks, in this account. There can be 100.
   *
   * `POST /v1/saved_views` · for people who have signed in
   */
  create(params: SavedViewsCreateParameters, options?: RequestOptions): Promise<SavedView> {
    return this.transport.send('POST', '/v1/saved_views', params, options);
  }

  /**
   * List saved views.
   *
   * Returns the views of the person who asks, in this account, in pages, newest first.
   *
   * `GET /v1/saved_views` · for people who have signed in
   */
  list(params?: SavedViewsListParameters, options?: RequestOptions): Listing<SavedView> {
    return this.transport.list('/v1/saved_views', params, options);
  }

  /**
   * Update a saved view.
   *
   * Changes only what it names. An empty `query` removes the filters.
   *
   * `POST /v1/saved_views/{id}` · for people who have signed in
   */
  update(id: string, params?: SavedViewsUpdateParameters, options?: RequestOptions): Promise<SavedView> {
    return this.transport.send('POST', path`/v1/saved_views/${id}`, params, options);
  }

  /**
   * Delete a saved view.
   *
   * Nothing but the view is lost.
   *
   * `DELETE /v1/saved_views/{id}` · for people who have signed in
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedSavedView> {
    return this.transport.send('DELETE', path`/v1/saved_views/${id}`, undefined, options);
  }
}
