// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Routing, RoutingUpdateParameters } from '../types/routing.ts';

export class RoutingResource extends Resource {
  /**
   * Retrieve the routing rules.
   *
   * `GET /v1/routing` · scope `routing:read`
   */
  retrieve(options?: RequestOptions): Promise<Routing> {
    return this.transport.send('GET', '/v1/routing', undefined, options);
  }

  /**
   * Set the routing rules.
   *
   * `POST /v1/routing` · scope `routing:write`
   */
  update(params: RoutingUpdateParameters, options?: RequestOptions): Promise<Routing> {
    return this.transport.send('POST', '/v1/routing', params, options);
  }
}
