// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** Who uses the gateway. */
export type Account = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'account';
  /** The name of the account. */
  name: string;
  /** Decides how many requests a minute the account can send. */
  tier: 'standard' | 'premium' | 'enterprise';
  /** Requests per minute, of the enterprise tier. */
  rate_limit?: number;
  /** Requests of a suspended account are refused. */
  status: 'active' | 'suspended';
  /** What a payment costs, in per cent of the amount received, such as 2.9. */
  fee_percent: string;
  fee_fixed: FixedFees;
  /** Days after which the money of a payment becomes available. */
  settlement_days: number;
  /** In test mode, money becomes available after as many days as in live mode, or immediately. */
  test_settlement: 'delayed' | 'immediate';
  /** Days after the first failure of a charge on which it is tried again, ascending. */
  dunning_days: Array<number>;
  /** What becomes of a subscription when the last attempt to charge an invoice has failed. */
  dunning_end: 'canceled' | 'unpaid' | 'past_due';
  /** Present if everybody who works in the account needs an authenticator. */
  totp_required?: boolean;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type AccountUpdateParameters = {
  /** The name of the account. */
  name?: string | undefined;
  /** In test mode, money becomes available after as many days as in live mode, or immediately. */
  test_settlement?: 'delayed' | 'immediate' | undefined;
  /** Days after the first failure of a charge on which it is tried again, ascending. */
  dunning_days?: Array<number> | undefined;
  /** What becomes of a subscription when the last attempt to charge an invoice has failed. */
  dunning_end?: 'canceled' | 'unpaid' | 'past_due' | undefined;
  /**
   * Whether a member without an authenticator can do nothing but set one up. Only owners change it, and need one
   * themselves.
   */
  totp_required?: boolean | undefined;
};

/** What a payment costs in addition, by currency, in its smallest unit. */
export type FixedFees = Record<string, number>;
