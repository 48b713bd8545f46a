// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters, Metadata } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedWebhookEndpoint = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'webhook_endpoint';
  /** The object is gone. */
  deleted: true;
};

/** A receiver of events. */
export type WebhookEndpoint = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'webhook_endpoint';
  /** Where events are sent to. */
  url: string;
  /** The types and families of events that it gets, or `*` for all. */
  enabled_events: Array<string>;
  /** `enabled`, or `disabled`: by you, or because of failures. */
  status: 'enabled' | 'disabled';
  /** When it was disabled because of failures. In UTC epoch seconds. */
  disabled_at?: number;
  /** Why: `gone`, the receiver has answered 410; `failing`, five days without a success. */
  disabled_reason?: 'gone' | 'failing';
  /** What it is for; present when supplied. */
  description?: string;
  metadata: Metadata;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

/** A receiver of events, with its secret. */
export type WebhookEndpointWithSecret = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'webhook_endpoint';
  /** Where events are sent to. */
  url: string;
  /** The types and families of events that it gets, or `*` for all. */
  enabled_events: Array<string>;
  /** `enabled`, or `disabled`: by you, or because of failures. */
  status: 'enabled' | 'disabled';
  /** When it was disabled because of failures. In UTC epoch seconds. */
  disabled_at?: number;
  /** Why: `gone`, the receiver has answered 410; `failing`, five days without a success. */
  disabled_reason?: 'gone' | 'failing';
  /** What it is for; present when supplied. */
  description?: string;
  metadata: Metadata;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** What deliveries are signed with. It is not shown again. */
  secret: string;
};

export type WebhookEndpointsCreateParameters = {
  /**
   * Where events are sent to, up to 2,048 characters: an https address that leads to a public host. In test mode
   * also http.
   */
  url: string;
  /** 1 to 100 event types and families such as `payment.*`, or `*` alone for all. */
  enabled_events: Array<string>;
  /** What the endpoint is for, up to 1,000 characters. */
  description?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type WebhookEndpointsRecoverParameters = {
  /** From when on events are sent, in UTC epoch seconds: 30 days ago at most, and not in the future. */
  since: number;
};

export type WebhookEndpointsRotateSecretParameters = {
  /** How many hours the old secret is used beside the new one, from 0 to 168; 24 when not given. */
  overlap_hours?: number | undefined;
};

export type WebhookEndpointsTestParameters = Record<string, never>;

export type WebhookEndpointsUpdateParameters = {
  /**
   * Where events are sent to, up to 2,048 characters: an https address that leads to a public host. In test mode
   * also http.
   */
  url?: string | null | undefined;
  /** 1 to 100 event types and families such as `payment.*`, or `*` alone for all. */
  enabled_events?: Array<string> | null | undefined;
  /**
   * A `disabled` endpoint gets no new deliveries. Enabling it restarts the five days after which failures disable
   * it.
   */
  status?: 'enabled' | 'disabled' | null | undefined;
  /** What the endpoint is for, up to 1,000 characters. */
  description?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type WebhookRecovery = {
  /** The kind of object. */
  object: 'webhook_recovery';
  /** The id of the webhook endpoint. */
  webhook_endpoint: string;
  /** From when on events are sent. In UTC epoch seconds. */
  since: number;
};

export type WebhookEndpointsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
};

export type WebhookEndpointsListDeliveriesParameters = ListParameters & {
  /** Only deliveries in this status. */
  status?: 'pending' | 'delivered' | 'exhausted' | 'canceled' | undefined;
};

export type WebhookEndpointsListAllDeliveriesParameters = ListParameters & {
  /** The id of an object: only those of the newest 100 events about it. */
  object_id?: string | undefined;
};
