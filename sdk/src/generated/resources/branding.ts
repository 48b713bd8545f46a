// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Branding, BrandingUpdateParameters } from '../types/branding.ts';

/** How the account shows itself to those who pay it. */
export class BrandingResource extends Resource {
  /**
   * Retrieve the branding.
   *
   * Returns how the account shows itself to those who pay it. It is the same in both modes.
   *
   * `GET /v1/branding` · for people who have signed in
   */
  retrieve(options?: RequestOptions): Promise<Branding> {
    return this.transport.send('GET', '/v1/branding', undefined, options);
  }

  /**
   * Update the branding.
   *
   * Changes only what it names, for both modes; null or an empty string removes it. Pages show a change within a
   * second. Only owners can do this.
   *
   * `POST /v1/branding` · for people who have signed in
   */
  update(params?: BrandingUpdateParameters, options?: RequestOptions): Promise<Branding> {
    return this.transport.send('POST', '/v1/branding', params, options);
  }
}
