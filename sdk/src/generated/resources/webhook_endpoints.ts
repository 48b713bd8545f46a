// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointsCreateParameters,
  WebhookEndpointsListDeliveriesParameters,
  WebhookEndpointsListParameters,
  WebhookEndpointsRecoverParameters,
  WebhookEndpointsRotateSecretParameters,
  WebhookEndpointsTestParameters,
  WebhookEndpointsUpdateParameters,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from '../types/webhook_endpoints.ts';

export class WebhookEndpointsResource extends Resource {
  /**
   * Create a webhook endpoint.
   *
   * `POST /v1/webhook_endpoints` · scope `webhook_endpoints:write`
   */
  create(params: WebhookEndpointsCreateParameters, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.transport.send('POST', '/v1/webhook_endpoints', params, options);
  }

  /**
   * List webhook endpoints.
   *
   * `GET /v1/webhook_endpoints` · scope `webhook_endpoints:read`
   */
  list(params?: WebhookEndpointsListParameters, options?: RequestOptions): Listing<WebhookEndpoint> {
    return this.transport.list('/v1/webhook_endpoints', params, options);
  }

  /**
   * Retrieve a webhook endpoint.
   *
   * `GET /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.send('GET', path`/v1/webhook_endpoints/${id}`, undefined, options);
  }

  /**
   * Update a webhook endpoint.
   *
   * `POST /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
   */
  update(id: string, params?: WebhookEndpointsUpdateParameters, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}`, params, options);
  }

  /**
   * Delete a webhook endpoint.
   *
   * `DELETE /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.transport.send('DELETE', path`/v1/webhook_endpoints/${id}`, undefined, options);
  }

  /**
   * Replace the secret of a webhook endpoint.
   *
   * `POST /v1/webhook_endpoints/{id}/rotate_secret` · scope `webhook_endpoints:write`
   */
  rotateSecret(
    id: string,
    params?: WebhookEndpointsRotateSecretParameters,
    options?: RequestOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}/rotate_secret`, params, options);
  }

  /**
   * List the deliveries to a webhook endpoint.
   *
   * `GET /v1/webhook_endpoints/{id}/deliveries` · scope `webhook_endpoints:read`
   */
  listDeliveries(
    id: string,
    params?: WebhookEndpointsListDeliveriesParameters,
    options?: RequestOptions,
  ): Listing<WebhookDelivery> {
    return this.transport.list(path`/v1/webhook_endpoints/${id}/deliveries`, params, options);
  }

  /**
   * Send a test event to a webhook endpoint.
   *
   * `POST /v1/webhook_endpoints/{id}/test` · scope `webhook_endpoints:write`
   */
  test(id: string, params?: WebhookEndpointsTestParameters, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}/test`, params, options);
  }

  /**
   * Send a webhook endpoint the events it has missed.
   *
   * `POST /v1/webhook_endpoints/{id}/recover` · scope `webhook_endpoints:write`
   */
  recover(id: string, params: WebhookEndpointsRecoverParameters, options?: RequestOptions): Promise<WebhookRecovery> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}/recover`, params, options);
  }
}
