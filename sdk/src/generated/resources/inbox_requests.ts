// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { InboxRequest } from '../types/inbox_requests.ts';

/** Webhooks that inboxes have received. */
export class InboxRequestsResource extends Resource {
  /**
   * Retrieve an inbox request.
   *
   * Returns the inbox request as it is now.
   *
   * `GET /v1/inbox_requests/{id}` · for people who have signed in
   */
  retrieve(id: string, options?: RequestOptions): Promise<InboxRequest> {
    return this.transport.send('GET', path`/v1/inbox_requests/${id}`, undefined, options);
  }
}
