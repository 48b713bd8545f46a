// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { InboxRequestHeaders } from './shared.ts';

/** A webhook that an inbox has received. */
export type InboxRequest = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'inbox_request';
  /** The id of the inbox. */
  inbox: string;
  /** The id of the event. */
  event: string;
  headers: InboxRequestHeaders;
  /** The bytes that were signed, up to 64 KiB. */
  body: string;
  /** The size of the whole body in bytes. */
  bytes: number;
  /** Whether the signatures were right, by the secret of the endpoint at that moment. */
  verified: boolean;
  /** How it was answered. */
  answer: '200' | '500' | '410' | 'timeout';
  /** When it was received. In UTC epoch seconds. */
  created: number;
};
