// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedInbox,
  Inbox,
  InboxCreateParameters,
  InboxListParameters,
  InboxListRequestsParameters,
  InboxUpdateParameters,
  InboxWithSecret,
} from '../types/inbox.ts';
import type { InboxRequest } from '../types/inbox_requests.ts';

/** Built-in receivers of webhooks, to look at deliveries without a receiver of your own. In test mode only. */
export class InboxResource extends Resource {
  /**
   * Create an inbox.
   *
   * Makes a webhook endpoint whose deliveries can be looked at here, without a receiver of your own. They are
   * signed and tried again as all others. There can be 10.
   *
   * `POST /v1/inbox` · for people who have signed in
   */
  create(params?: InboxCreateParameters, options?: RequestOptions): Promise<InboxWithSecret> {
    return this.transport.send('POST', '/v1/inbox', params, options);
  }

  /**
   * List inboxes.
   *
   * Returns a page of inboxes, newest first.
   *
   * `GET /v1/inbox` · for people who have signed in
   */
  list(params?: InboxListParameters, options?: RequestOptions): Listing<Inbox> {
    return this.transport.list('/v1/inbox', params, options);
  }

  /**
   * Retrieve an inbox.
   *
   * Returns the inbox as it is now.
   *
   * `GET /v1/inbox/{id}` · for people who have signed in
   */
  retrieve(id: string, options?: RequestOptions): Promise<Inbox> {
    return this.transport.send('GET', path`/v1/inbox/${id}`, undefined, options);
  }

  /**
   * Change how an inbox answers.
   *
   * Takes effect with the next delivery. An endpoint that a 410 has disabled is enabled by an update of the
   * endpoint.
   *
   * `POST /v1/inbox/{id}` · for people who have signed in
   */
  update(id: string, params?: InboxUpdateParameters, options?: RequestOptions): Promise<Inbox> {
    return this.transport.send('POST', path`/v1/inbox/${id}`, params, options);
  }

  /**
   * Delete an inbox.
   *
   * Deletes what it has received, and its webhook endpoint.
   *
   * `DELETE /v1/inbox/{id}` · for people who have signed in
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedInbox> {
    return this.transport.send('DELETE', path`/v1/inbox/${id}`, undefined, options);
  }

  /**
   * List what an inbox has received.
   *
   * Returns the latest 100 requests of the last 24 hours, newest first.
   *
   * `GET /v1/inbox/{id}/requests` · for people who have signed in
   */
  listRequests(id: string, params?: InboxListRequestsParameters, options?: RequestOptions): Listing<InboxRequest> {
    return this.transport.list(path`/v1/inbox/${id}/requests`, params, options);
  }
}
