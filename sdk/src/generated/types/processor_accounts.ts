// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type DeletedProcessorAccount = {
  id: string;
  object: 'processor_account';
  deleted: true;
};

export type ProcessorAccount = {
  id: string;
  object: 'processor_account';
  connector: string;
  name: string;
  enabled: boolean;
  settings: Record<string, string | boolean>;
  capabilities: {
    currencies?: Array<string>;
    partial_capture: boolean;
    authorization_days: number;
    challenge: boolean;
    tokens: boolean;
    raw_cards: boolean;
  };
  webhook_url: string;
  /** UTC epoch seconds */
  created: number;
  /** UTC epoch seconds */
  last_verified?: number;
};

export type ProcessorAccountsCreateParameters = {
  /** The processor, such as stripe */
  connector: string;
  /** What you call the account */
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
  /** A disabled account takes no new payments; everything else goes on */
  enabled?: boolean | undefined;
};

export type ProcessorAccountsUpdateParameters = {
  /** What you call the account */
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
  /** A disabled account takes no new payments; everything else goes on */
  enabled?: boolean | null | undefined;
};

export type ProcessorAccountsVerifyParameters = Record<string, never>;

export type ProcessorAccountsListParameters = {
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
