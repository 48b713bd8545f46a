// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Event, EventsListParameters, EventsResendParameters } from '../types/events.ts';
import type { WebhookDelivery } from '../types/shared.ts';

/** Records of every change, for webhooks and for polling. */
export class EventsResource extends Resource {
  /**
   * Retrieve an event.
   *
   * Returns the event as it is now. Events are kept for 90 days, or as many as the operator has set.
   *
   * `GET /v1/events/{id}` · scope `events:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Event> {
    return this.transport.send('GET', path`/v1/events/${id}`, undefined, options);
  }

  /**
   * List events.
   *
   * Returns events in pages, newest first. Events are kept for 90 days, or as many as the operator has set.
   *
   * `GET /v1/events` · scope `events:read`
   */
  list(params?: EventsListParameters, options?: RequestOptions): Listing<Event> {
    return this.transport.list('/v1/events', params, options);
  }

  /**
   * Send an event to its webhook endpoints again.
   *
   * Sends the event immediately, with ten new attempts, whatever the result of earlier ones. A named endpoint need
   * not subscribe to the type.
   *
   * `POST /v1/events/{id}/resend` · scope `events:write`
   */
  resend(id: string, params?: EventsResendParameters, options?: RequestOptions): Promise<Event> {
    return this.transport.send('POST', path`/v1/events/${id}/resend`, params, options);
  }

  /**
   * List the deliveries of an event.
   *
   * Returns all of them in one page: one for each webhook endpoint that the event was sent to and that still
   * exists.
   *
   * `GET /v1/events/{id}/deliveries` · scope `webhook_endpoints:read`
   */
  listDeliveries(id: string, options?: RequestOptions): Listing<WebhookDelivery> {
    return this.transport.list(path`/v1/events/${id}/deliveries`, undefined, options);
  }
}
