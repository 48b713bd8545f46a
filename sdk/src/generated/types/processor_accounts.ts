// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** The part of the gateway that speaks to a processor. */
export type Connector = {
  /** What `connector` of a processor account says. */
  name: string;
  /** What the processor gives, and is never shown again. */
  credentials: Array<ConnectorField>;
  /** What is shown, and can be changed. */
  settings: Array<ConnectorField>;
};

/** A credential or a setting of processor accounts. */
export type ConnectorField = {
  /** The name of the member. */
  name: string;
  /** `text`: a string. `flag`: true or false. */
  kind: 'text' | 'flag';
  /** Whether an account cannot do without it. */
  required: boolean;
  /** What it is. */
  description: string;
  /** The values that it can have; absent: any. */
  choices?: Array<string>;
};

export type Connectors = {
  /** The kind of object. */
  object: 'connectors';
  /** Those that have processor accounts in this mode. */
  data: Array<Connector>;
};

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
  /** Whether it takes payment methods that it keeps itself. */
  tokens: boolean;
  /** Whether it takes card numbers. */
  raw_cards: boolean;
  /** Whether it can set up a payment method without a charge. */
  setup: boolean;
  /** Present if the processor has a page that customers pay on. */
  page?: {
    /** The shortest time that a page can live, in minutes. */
    min_minutes: number;
    /** The longest time that a page can live, in minutes. */
    max_minutes: number;
  };
  /** Present if the processor has fields for a page of the gateway. */
  fields?: {
    /** The address of the script that draws them. */
    script: string;
    /** Every origin that the script needs. */
    hosts: Array<{
      /** An origin that the browser may use. */
      origin: string;
      /** What it may be used for. */
      use: 'script' | 'frame' | 'connect' | 'image';
      /** What it is needed for. */
      reason: string;
    }>;
  };
};

/** How a processor account has answered. */
export type ProcessorHealth = {
  /** The id of the processor account. */
  processor_account: string;
  /** How often it was asked for anything. */
  requests: number;
  /** Authorizations that it has approved. */
  approved: number;
  /** Authorizations that it has declined. */
  declined: number;
  /** Authorizations on which it provably did not act. */
  not_sent: number;
  /**
   * `approved` divided by `approved`, `declined` and `not_sent` together, to four digits; absent while none is
   * decided.
   */
  success_rate?: number;
  /** The median time until it answered, in milliseconds; absent if it answered nothing. */
  median_ms?: number;
  /** The time within which it answered 95 of 100 requests, in milliseconds. */
  p95_ms?: number;
  /** Requests whose outcome is unknown now. It is asked until it is known. */
  unknown_outcomes: number;
};

export type ProcessorHealthReport = {
  /** The kind of object. */
  object: 'processor_health';
  /** When the first request that is counted was made, at the earliest: 24 hours ago. In UTC epoch seconds. */
  since: number;
  /** The processor accounts that were asked since then. */
  data: Array<ProcessorHealth>;
};

export type ProcessorVerification = {
  /** Whether the processor accepts the credentials. */
  ok: boolean;
  /** What the processor said, in one sentence. */
  message: string;
};

export type ProcessorAccountsListParameters = ListParameters;
