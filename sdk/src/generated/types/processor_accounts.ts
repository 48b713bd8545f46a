// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedProcessorAccount = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'processor_account';
  /** The object is gone. */
  deleted: true;
};

/** An account at a processor. */
export type ProcessorAccount = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'processor_account';
  /** The name of the connector that speaks to the processor. */
  connector: string;
  /** What you call the account. */
  name: string;
  /** Whether it takes new payments. */
  enabled: boolean;
  /** Texts and flags, by the names that the connector defines. */
  settings: Record<string, string | boolean>;
  capabilities: ProcessorCapabilities;
  /** Where the processor is to send its notices. */
  webhook_url: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** When the credentials were last seen to work. In UTC epoch seconds. */
  last_verified?: number;
};

export type ProcessorAccountsCreateParameters = {
  /** The name of the connector that speaks to the processor, such as `stripe`. */
  connector: string;
  /** What you call the account, up to 200 characters. */
  name: string;
  /**
   * What the processor has given you, by the names that the connector defines. Never shown again. An update merges
   * them member by member; null or an empty string removes one.
   */
  credentials?: Record<string, unknown> | undefined;
  /**
   * Texts and flags, by the names that the connector defines. An update merges them member by member; null or an
   * empty string removes one.
   */
  settings?: Record<string, unknown> | undefined;
  /**
   * Whether it takes new payments; `true` when not given. Everything about earlier payments goes on in a disabled
   * account.
   */
  enabled?: boolean | undefined;
};

export type ProcessorAccountsUpdateParameters = {
  /** What you call the account, up to 200 characters. */
  name?: string | null | undefined;
  /**
   * What the processor has given you, by the names that the connector defines. Never shown again. An update merges
   * them member by member; null or an empty string removes one.
   */
  credentials?: Record<string, unknown> | null | undefined;
  /**
   * Texts and flags, by the names that the connector defines. An update merges them member by member; null or an
   * empty string removes one.
   */
  settings?: Record<string, unknown> | null | undefined;
  /**
   * Whether it takes new payments; `true` when not given. Everything about earlier payments goes on in a disabled
   * account.
   */
  enabled?: boolean | null | undefined;
};

export type ProcessorAccountsVerifyParameters = Record<string, never>;

/** What the processor can do with this account. */
export type ProcessorCapabilities = {
  /** The currencies that it takes; absent when it takes all. */
  currencies?: Array<string>;
  /** Whether less than the authorized amount can be captured. */
  partial_capture: boolean;
  /** How many days an authorization holds the money. */
  authorization_days: number;
  /** Whether it can ask the cardholder to authenticate. */
  challenge: boolean;
  /** Whether it takes cards that it keeps itself. */
  tokens: boolean;
  /** Whether it takes card numbers. */
  raw_cards: boolean;
};

export type ProcessorVerification = {
  /** Whether the processor accepts the credentials. */
  ok: boolean;
  /** What the processor said, in one sentence. */
  message: string;
};

export type ProcessorAccountsListParameters = ListParameters;
