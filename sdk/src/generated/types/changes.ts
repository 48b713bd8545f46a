// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** Something that happened in an account, as a message of `GET /v1/changes`. */
export type Change = {
  /** The kind of object. */
  object: 'change';
  /**
   * The type of an event, or `webhook_delivery.attempted`. `reload`: the position is too old, so load anew what
   * you show.
   */
  type: string;
  /** The id of the object that it is about, such as a payment; absent in `reload`. */
  subject?: string;
  /** The id of the event; absent in `reload`, and for people whose role may not read events. */
  event?: string;
  /** Of an attempt: the id of the webhook endpoint. */
  webhook_endpoint?: string;
  /** Of an attempt: the HTTP status of the answer; absent when there was none. */
  status?: number;
  /**
   * Of an event, if `payload` was asked for: the event as JSON, exactly the bytes that webhooks are signed and
   * sent with.
   */
  payload?: string;
};

export type ChangesFollowParameters = {
  /** Whether messages about events have the event itself, in `payload`. False by default. */
  payload?: boolean | undefined;
};
