// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { PortalSession, PortalSessionsCreateParameters } from '../types/portal_sessions.ts';

/** Links by which customers sign in to the portal. */
export class PortalSessionsResource extends Resource {
  /**
   * Create a link to the customer portal.
   *
   * Send the customer to `url` when they are signed in to your shop: it works once, within five minutes, and signs
   * them in to the portal for an hour after the last click, eight at most. What they can do there is in the portal
   * settings.
   *
   * `POST /v1/portal_sessions` · scope `portal_sessions:write`
   */
  create<const Path extends PathsOf<PortalSession> = never>(
    params: PortalSessionsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<PortalSession, Path>> {
    return this.transport.send('POST', '/v1/portal_sessions', params, options);
  }
}
