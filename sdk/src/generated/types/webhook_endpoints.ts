// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type DeletedWebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  deleted: true;
};

export type WebhookDelivery = {
  id: string;
  object: 'webhook_delivery';
  event: string;
  webhook_endpoint: string;
  status: 'pending' | 'delivered' | 'exhausted' | 'canceled';
  /** The latest 10, oldest first */
  attempts: Array<{
    /** UTC epoch seconds */
    at: number;
    duration_ms: number;
    /** Of the answer; missing when there was none */
    status?: number;
    error?: string;
    /** The beginning of the answer: 4 KiB for the latest, 256 bytes for earlier ones */
    response?: string;
  }>;
  /** UTC epoch seconds */
  next_attempt_at?: number;
  /** When the event happened, UTC epoch seconds */
  created: number;
};

export type WebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  enabled_events: Array<string>;
  status: 'enabled' | 'disabled';
  description?: string;
  metadata: Metadata;
  /** UTC epoch seconds */
  created: number;
};

export type WebhookEndpointWithSecret = {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  enabled_events: Array<string>;
  status: 'enabled' | 'disabled';
  description?: string;
  metadata: Metadata;
  /** UTC epoch seconds */
  created: number;
  /** What deliveries are signed with. It is not shown again. */
  secret: string;
};

export type WebhookEndpointsCreateParameters = {
  /** Where events are sent to */
  url: string;
  /** Event types and families such as payment.*, or * alone for all; at least one */
  enabled_events: Array<string>;
  /** What the endpoint is for */
  description?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type WebhookEndpointsRecoverParameters = {
  /** UTC epoch seconds, 30 days ago at most: events that are older stay as they are */
  since: number;
};

export type WebhookEndpointsRotateSecretParameters = {
  /** How long the old secret is used beside the new one; 24 when not given */
  overlap_hours?: number | undefined;
};

export type WebhookEndpointsTestParameters = Record<string, never>;

export type WebhookEndpointsUpdateParameters = {
  /** Where events are sent to */
  url?: string | null | undefined;
  /** Event types and families such as payment.*, or * alone for all; at least one */
  enabled_events?: Array<string> | null | undefined;
  /** A disabled endpoint gets no new deliveries */
  status?: 'enabled' | 'disabled' | null | undefined;
  /** What the endpoint is for */
  description?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type WebhookRecovery = {
  object: 'webhook_recovery';
  webhook_endpoint: string;
  /** UTC epoch seconds */
  since: number;
};

export type WebhookEndpointsListParameters = {
  /** How many to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next older object. */
  starting_after?: string | undefined;
  /** An id: the page ends with the next newer object. */
  ending_before?: string | undefined;
  created?:
    | {
        gt?: number | undefined;
        gte?: number | undefined;
        lt?: number | undefined;
        lte?: number | undefined;
      }
    | undefined;
};

export type WebhookEndpointsListDeliveriesParameters = {
  /** How many to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next older object. */
  starting_after?: string | undefined;
  /** An id: the page ends with the next newer object. */
  ending_before?: string | undefined;
  created?:
    | {
        gt?: number | undefined;
        gte?: number | undefined;
        lt?: number | undefined;
        lte?: number | undefined;
      }
    | undefined;
  /** Only deliveries in this status. */
  status?: 'pending' | 'delivered' | 'exhausted' | 'canceled' | undefined;
};
