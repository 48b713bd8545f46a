// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { PortalCodes } from '../types/portal_codes.ts';

/** The codes by which customers sign in to the portal, on a gateway for development without a mail server. */
export class PortalCodesResource extends Resource {
  /**
   * Retrieve codes that customers were mailed.
   *
   * Returns the codes that somebody who tries the portal has asked for. There are some in test mode alone, on a
   * gateway for development without `SMTP_URL`: elsewhere they are mailed, and nobody else sees them.
   *
   * `GET /v1/portal_codes` · for people who have signed in
   */
  shown(options?: RequestOptions): Promise<PortalCodes> {
    return this.transport.send('GET', '/v1/portal_codes', undefined, options);
  }
}
