// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Change } from '../types/changes.ts';

/** What happens in an account, as it happens, for pages that show it. */
export class ChangesResource extends Resource {
  /**
   * Follow what happens.
   *
   * Server-sent events: one message for each event, and for each attempt to deliver one. With `Last-Event-ID` it
   * continues after that message, without a gap and without a repetition, for an hour. The stream ends when the
   * session does.
   *
   * `GET /v1/changes` · for people who have signed in
   */
  follow(options?: RequestOptions): AsyncGenerator<Change, never> {
    return this.transport.follow('/v1/changes', options);
  }
}
