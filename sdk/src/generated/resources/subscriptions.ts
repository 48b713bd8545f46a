// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Subscription,
  SubscriptionsCancelParameters,
  SubscriptionsCreateParameters,
  SubscriptionsListParameters,
  SubscriptionsPauseParameters,
  SubscriptionsResumeParameters,
  SubscriptionsUpdateParameters,
} from '../types/subscriptions.ts';

export class SubscriptionsResource extends Resource {
  /**
   * Create a subscription.
   *
   * `POST /v1/subscriptions` · scope `subscriptions:write`
   */
  create(params: SubscriptionsCreateParameters, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('POST', '/v1/subscriptions', params, options);
  }

  /**
   * List subscriptions, canceled ones too.
   *
   * `GET /v1/subscriptions` · scope `subscriptions:read`
   */
  list(params?: SubscriptionsListParameters, options?: RequestOptions): Listing<Subscription> {
    return this.transport.list('/v1/subscriptions', params, options);
  }

  /**
   * Retrieve a subscription.
   *
   * `GET /v1/subscriptions/{id}` · scope `subscriptions:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('GET', path`/v1/subscriptions/${id}`, undefined, options);
  }

  /**
   * Update a subscription.
   *
   * `POST /v1/subscriptions/{id}` · scope `subscriptions:write`
   */
  update(id: string, params?: SubscriptionsUpdateParameters, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}`, params, options);
  }

  /**
   * Cancel a subscription, now or at the end of its period.
   *
   * `POST /v1/subscriptions/{id}/cancel` · scope `subscriptions:write`
   */
  cancel(id: string, params?: SubscriptionsCancelParameters, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/cancel`, params, options);
  }

  /**
   * Pause a subscription.
   *
   * `POST /v1/subscriptions/{id}/pause` · scope `subscriptions:write`
   */
  pause(id: string, params?: SubscriptionsPauseParameters, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/pause`, params, options);
  }

  /**
   * Resume a paused subscription.
   *
   * `POST /v1/subscriptions/{id}/resume` · scope `subscriptions:write`
   */
  resume(id: string, params?: SubscriptionsResumeParameters, options?: RequestOptions): Promise<Subscription> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/resume`, params, options);
  }
}
