// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { PortalSettings, PortalSettingsUpdateParameters } from '../types/portal_settings.ts';

/** What customers may do by themselves in the portal. */
export class PortalSettingsResource extends Resource {
  /**
   * Retrieve the portal settings.
   *
   * Returns what customers may do by themselves in the portal, in the mode of the request.
   *
   * `GET /v1/portal_settings` · for people who have signed in
   */
  retrieve(options?: RequestOptions): Promise<PortalSettings> {
    return this.transport.send('GET', '/v1/portal_settings', undefined, options);
  }

  /**
   * Update the portal settings.
   *
   * Changes only what it names, in the mode of the request. It holds from the next request of a customer on,
   * whatever page is still open.
   *
   * `POST /v1/portal_settings` · for people who have signed in
   */
  update(params?: PortalSettingsUpdateParameters, options?: RequestOptions): Promise<PortalSettings> {
    return this.transport.send('POST', '/v1/portal_settings', params, options);
  }
}
