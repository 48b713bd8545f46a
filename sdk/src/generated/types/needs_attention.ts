// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** How many there are of a kind. */
export type AttentionCount = {
  /** The kind. */
  kind:
    | 'card_at_processor'
    | 'unknown_outcome'
    | 'dispute'
    | 'dispute_to_review'
    | 'invoice'
    | 'void_invoice'
    | 'late_checkout_session'
    | 'card_testing'
    | 'notice'
    | 'reconciliation_difference'
    | 'webhook_endpoint';
  /** How many of it are in the list. */
  count: number;
  /** Whether there are more. */
  has_more: boolean;
};

/** Something that waits for a person. */
export type AttentionItem = {
  /** The id of the object. */
  id: string;
  /** The kind of object. */
  object:
    | 'payment_method'
    | 'setup'
    | 'payment'
    | 'refund'
    | 'dispute'
    | 'invoice'
    | 'checkout_session'
    | 'account'
    | 'notice'
    | 'reconciliation_difference'
    | 'webhook_endpoint';
  /** What people call the object, where that is not its id: the number of an invoice. */
  name?: string;
  /**
   * `card_at_processor`: a processor could not be asked to delete the customer that was made for a deleted payment
   * method. `unknown_outcome`: the processor has given no final answer for 3 days (refunds and disputes: 14), or
   * has captured what cannot be recorded. `dispute`: a dispute waits for evidence, until `due_by`.
   * `dispute_to_review`: the money of a dispute does not fit its payment. `invoice`: the charge of an invoice has
   * failed, and it is not paid yet. `void_invoice`: the payment of an invoice that is not owed could neither be
   * canceled nor refunded. `late_checkout_session`: a checkout session was paid after its expiry. `card_testing`:
   * most tries to pay at the checkout are declined, as when stolen cards are tested. `notice`: what a processor
   * has reported could not be recorded. `reconciliation_difference`: a comparison of the ledger with the statement
   * of a processor has found a difference. `webhook_endpoint`: deliveries to a webhook endpoint fail, or it was
   * disabled because they did.
   */
  kind:
    | 'card_at_processor'
    | 'unknown_outcome'
    | 'dispute'
    | 'dispute_to_review'
    | 'invoice'
    | 'void_invoice'
    | 'late_checkout_session'
    | 'card_testing'
    | 'notice'
    | 'reconciliation_difference'
    | 'webhook_endpoint';
  /** Since when it waits. In UTC epoch seconds. */
  since: number;
  /** When it is too late. In UTC epoch seconds. */
  due_by?: number;
  /** The amount that is at stake, in the smallest unit of the currency. */
  amount?: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /** What has happened. */
  reason: string;
  /** What helps. */
  action: string;
  /**
   * The operation of the API that does it, such as `disputes.update`. Absent where only the operator of the
   * gateway can help.
   */
  operation?: string;
};

/** How often you get mails about what needs attention. */
export type AttentionMail = {
  /** The kind of object. */
  object: 'attention_mail';
  /**
   * `off`: no mails. `daily`: one mail a day at most, with all that is new. `at_once`: a mail within two minutes,
   * and ten minutes later at the earliest the next one.
   */
  frequency: 'off' | 'daily' | 'at_once';
};

/** Everything that waits for a person. */
export type NeedsAttention = {
  /** The kind of object. */
  object: 'needs_attention';
  /** How many there are of each kind. */
  counts: Array<AttentionCount>;
  /** What waits, by kind, the most urgent of each first. */
  data: Array<AttentionItem>;
};

export type NeedsAttentionUpdateMailParameters = {
  /**
   * `off`: no mails. `daily`: one mail a day at most, with all that is new. `at_once`: a mail within two minutes,
   * and ten minutes later at the earliest the next one.
   */
  frequency: 'off' | 'daily' | 'at_once';
};

export type NeedsAttentionListParameters = {
  /** Only this kind. */
  kind?:
    | 'card_at_processor'
    | 'unknown_outcome'
    | 'dispute'
    | 'dispute_to_review'
    | 'invoice'
    | 'void_invoice'
    | 'late_checkout_session'
    | 'card_testing'
    | 'notice'
    | 'reconciliation_difference'
    | 'webhook_endpoint'
    | undefined;
};
