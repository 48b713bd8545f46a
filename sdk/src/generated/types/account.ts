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
  card_testing: CardTestingLimits;
  mail: MailSwitches;
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
  /**
   * Limits against the testing of stolen cards at the checkout. Limits that are not named stay as they are. Only
   * owners change them.
   */
  card_testing?:
    | {
        /** Declines after which a checkout session expires. 0 switches the limit off. */
        declines_per_session?: number | undefined;
        /** Declines of one address in an hour, after which its tries are refused. 0 switches the limit off. */
        declines_per_address?: number | undefined;
        /** Checkout sessions in which one card may be tried in an hour. 0 switches the limit off. */
        sessions_per_card?: number | undefined;
        /** Sessions of one payment link that one address may begin in ten minutes. 0 switches the limit off. */
        sessions_per_link_address?: number | undefined;
        /**
         * Per cent. When of at least 50 tries in ten minutes more are declined, the account needs attention, and every
         * card is to be authenticated for an hour. 0 switches this off.
         */
        decline_share?: number | undefined;
        /** Whether all limits apply in test mode too. Otherwise only the limit of each session does. */
        in_test_mode?: boolean | undefined;
      }
    | undefined;
  /**
   * Which mails your customers get. All are off until an owner switches them on. Kinds that are not named stay as
   * they are.
   */
  mail?:
    | {
        /** Whether customers get a mail when a payment has succeeded. */
        receipt?: boolean | undefined;
        /** Whether customers get a mail when a refund has succeeded. */
        refund?: boolean | undefined;
        /** Whether customers get a mail when an invoice is finalized. */
        invoice?: boolean | undefined;
        /** Whether customers get a mail when the payment of an invoice has failed, which says when it is tried again. */
        payment_failed?: boolean | undefined;
        /** Whether customers get a mail when the payment of an invoice needs an authentication. */
        action_required?: boolean | undefined;
        /** Whether customers get a mail two weeks before a saved card expires. */
        card_expiring?: boolean | undefined;
        /** Whether customers get a mail a few days before a trial ends. */
        trial_ending?: boolean | undefined;
        /** Whether customers get a mail when a subscription has ended. */
        subscription_canceled?: boolean | undefined;
      }
    | undefined;
};

/** Limits against the testing of stolen cards at the checkout. */
export type CardTestingLimits = {
  /** Declines after which a checkout session expires. 0 switches the limit off. */
  declines_per_session: number;
  /** Declines of one address in an hour, after which its tries are refused. 0 switches the limit off. */
  declines_per_address: number;
  /** Checkout sessions in which one card may be tried in an hour. 0 switches the limit off. */
  sessions_per_card: number;
  /** Sessions of one payment link that one address may begin in ten minutes. 0 switches the limit off. */
  sessions_per_link_address: number;
  /**
   * Per cent. When of at least 50 tries in ten minutes more are declined, the account needs attention, and every
   * card is to be authenticated for an hour. 0 switches this off.
   */
  decline_share: number;
  /** Whether all limits apply in test mode too. Otherwise only the limit of each session does. */
  in_test_mode: boolean;
};

/** What a payment costs in addition, by currency, in its smallest unit. */
export type FixedFees = Record<string, number>;

/** Which mails your customers get. All are off until an owner switches them on. */
export type MailSwitches = {
  /** Whether customers get a mail when a payment has succeeded. */
  receipt: boolean;
  /** Whether customers get a mail when a refund has succeeded. */
  refund: boolean;
  /** Whether customers get a mail when an invoice is finalized. */
  invoice: boolean;
  /** Whether customers get a mail when the payment of an invoice has failed, which says when it is tried again. */
  payment_failed: boolean;
  /** Whether customers get a mail when the payment of an invoice needs an authentication. */
  action_required: boolean;
  /** Whether customers get a mail two weeks before a saved card expires. */
  card_expiring: boolean;
  /** Whether customers get a mail a few days before a trial ends. */
  trial_ending: boolean;
  /** Whether customers get a mail when a subscription has ended. */
  subscription_canceled: boolean;
};
