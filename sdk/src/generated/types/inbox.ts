// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedInbox = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'inbox';
  /** The object is gone. */
  deleted: true;
};

/** A built-in receiver of webhooks, in test mode. */
export type Inbox = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'inbox';
  /** The id of the webhook endpoint whose deliveries it receives. */
  webhook_endpoint: string;
  /** The URL of that endpoint, which leads here and nowhere else. */
  url: string;
  /**
   * How it answers. `200`: a success. `500`: a failure, which is tried again. `410`: the endpoint is disabled.
   * `timeout`: no answer within 15 seconds, which is tried again.
   */
  answer: '200' | '500' | '410' | 'timeout';
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type InboxCreateParameters = {
  /** The events that it receives, as for a webhook endpoint; `*` when not given. */
  enabled_events?: Array<string> | undefined;
  /**
   * How it answers, `200` when not given. `200`: a success. `500`: a failure, which is tried again. `410`: the
   * endpoint is disabled. `timeout`: no answer within 15 seconds, which is tried again.
   */
  answer?: '200' | '500' | '410' | 'timeout' | undefined;
};

export type InboxUpdateParameters = {
  /**
   * How it answers from now on. `200`: a success. `500`: a failure, which is tried again. `410`: the endpoint is
   * disabled. `timeout`: no answer within 15 seconds, which is tried again.
   */
  answer?: '200' | '500' | '410' | 'timeout' | undefined;
};

/** A built-in receiver, with the secret of its endpoint. */
export type InboxWithSecret = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'inbox';
  /** The id of the webhook endpoint whose deliveries it receives. */
  webhook_endpoint: string;
  /** The URL of that endpoint, which leads here and nowhere else. */
  url: string;
  /**
   * How it answers. `200`: a success. `500`: a failure, which is tried again. `410`: the endpoint is disabled.
   * `timeout`: no answer within 15 seconds, which is tried again.
   */
  answer: '200' | '500' | '410' | 'timeout';
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** What deliveries are signed with. It is not shown again. */
  secret: string;
};

export type InboxListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
};

export type InboxListRequestsParameters = ListParameters;
