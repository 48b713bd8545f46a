// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Routing, RoutingPreview, RoutingPreviewParameters, RoutingUpdateParameters } from '../types/routing.ts';

/** The rules by which payments are routed to processor accounts. */
export class RoutingResource extends Resource {
  /**
   * Retrieve the routing rules.
   *
   * Returns the rules in the order in which they are tried. Without rules, the enabled processor accounts are
   * tried, oldest first.
   *
   * `GET /v1/routing` · scope `routing:read`
   */
  retrieve(options?: RequestOptions): Promise<Routing> {
    return this.transport.send('GET', '/v1/routing', undefined, options);
  }

  /**
   * Set the routing rules.
   *
   * Replaces all rules; an empty list removes them. The server that is asked applies them immediately, others
   * within a second. Refused are an account twice in a rule, and a rule that can never match because of an earlier
   * one. In live mode only the operator can do this, on the command line.
   *
   * `POST /v1/routing` · scope `routing:write`
   */
  update(params: RoutingUpdateParameters, options?: RequestOptions): Promise<Routing> {
    return this.transport.send('POST', '/v1/routing', params, options);
  }

  /**
   * Ask which rule would take a payment.
   *
   * Tells where a payment with these properties would go whose method no processor keeps, and why earlier rules do
   * not match it. Nothing is charged, and no processor is asked.
   *
   * `GET /v1/routing/preview` · for people who have signed in
   */
  preview(params: RoutingPreviewParameters, options?: RequestOptions): Promise<RoutingPreview> {
    return this.transport.send('GET', '/v1/routing/preview', params, options);
  }
}
