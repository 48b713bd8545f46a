// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { WebhookDelivery } from '../types/shared.ts';
import type {
  DeletedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointsCreateParameters,
  WebhookEndpointsListAllDeliveriesParameters,
  WebhookEndpointsListDeliveriesParameters,
  WebhookEndpointsListParameters,
  WebhookEndpointsRecoverParameters,
  WebhookEndpointsRotateSecretParameters,
  WebhookEndpointsTestParameters,
  WebhookEndpointsUpdateParameters,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from '../types/webhook_endpoints.ts';

/** Receivers of events: their addresses, their secrets, and what was delivered to them. */
export class WebhookEndpointsResource extends Resource {
  /**
   * Create a webhook endpoint.
   *
   * The answer has the secret that deliveries are signed with; it is not shown again. A second endpoint with the
   * same address and the same events is refused. There can be 50 in each mode.
   *
   * `POST /v1/webhook_endpoints` · scope `webhook_endpoints:write`
   */
  create(params: WebhookEndpointsCreateParameters, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.transport.send('POST', '/v1/webhook_endpoints', params, options);
  }

  /**
   * List webhook endpoints.
   *
   * Returns webhook endpoints in pages, newest first. Their secrets are not shown.
   *
   * `GET /v1/webhook_endpoints` · scope `webhook_endpoints:read`
   */
  list(params?: WebhookEndpointsListParameters, options?: RequestOptions): Listing<WebhookEndpoint> {
    return this.transport.list('/v1/webhook_endpoints', params, options);
  }

  /**
   * Retrieve a webhook endpoint.
   *
   * Returns the webhook endpoint as it is now. Its secret is not shown.
   *
   * `GET /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.send('GET', path`/v1/webhook_endpoints/${id}`, undefined, options);
  }

  /**
   * Update a webhook endpoint.
   *
   * Changes only what it names. Running servers apply it within a second. The URL of an inbox stays. To enable an
   * endpoint again does not send what it has missed: recover it.
   *
   * `POST /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
   */
  update(id: string, params?: WebhookEndpointsUpdateParameters, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}`, params, options);
  }

  /**
   * Delete a webhook endpoint.
   *
   * Deletes its secrets too, and its inbox if it has one. What was not delivered is no longer sent.
   *
   * `DELETE /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.transport.send('DELETE', path`/v1/webhook_endpoints/${id}`, undefined, options);
  }

  /**
   * Replace the secret of a webhook endpoint.
   *
   * The answer has the new secret. During the overlap deliveries are signed with both secrets. With
   * `overlap_hours` 0 the old one is deleted immediately. Only the latest two secrets are used.
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
   * Returns the deliveries of the last 90 days, or as many as the operator has set, newest first, each with its
   * latest attempts.
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
   * List the deliveries to all webhook endpoints.
   *
   * Returns the deliveries of the last 90 days, or as many as the operator has set, in pages, newest first, each
   * with its latest attempts. With `object_id`, those of events about one object.
   *
   * `GET /v1/webhook_endpoints/deliveries` · scope `webhook_endpoints:read`
   */
  listAllDeliveries(
    params?: WebhookEndpointsListAllDeliveriesParameters,
    options?: RequestOptions,
  ): Listing<WebhookDelivery> {
    return this.transport.list('/v1/webhook_endpoints/deliveries', params, options);
  }

  /**
   * Send a test event to a webhook endpoint.
   *
   * Creates an event `webhook_endpoint.test` for this endpoint alone, whatever it subscribes to. The answer is the
   * new delivery.
   *
   * `POST /v1/webhook_endpoints/{id}/test` · scope `webhook_endpoints:write`
   */
  test(id: string, params?: WebhookEndpointsTestParameters, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}/test`, params, options);
  }

  /**
   * Send a webhook endpoint the events it has missed.
   *
   * Sends the events since a time that match its subscriptions and were not delivered, also those from before it
   * was created. It runs in the background, oldest first. Delivered and pending events are skipped, so a second
   * call does no harm.
   *
   * `POST /v1/webhook_endpoints/{id}/recover` · scope `webhook_endpoints:write`
   */
  recover(id: string, params: WebhookEndpointsRecoverParameters, options?: RequestOptions): Promise<WebhookRecovery> {
    return this.transport.send('POST', path`/v1/webhook_endpoints/${id}/recover`, params, options);
  }
}
