// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Dispute = {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  payment: string;
  reason: string;
  status: 'needs_response' | 'under_review' | 'won' | 'lost';
  evidence: {
    /** When and how the customer used what was bought */
    access_activity_log?: string;
    /** The billing address that the customer gave */
    billing_address?: string;
    /** The cancellation policy */
    cancellation_policy?: string;
    /** How and when the customer was shown the cancellation policy */
    cancellation_policy_disclosure?: string;
    /** Why the customer was not entitled to cancel */
    cancellation_rebuttal?: string;
    /** What was written to and by the customer about it */
    customer_communication?: string;
    /** The customer's email address */
    customer_email_address?: string;
    /** The customer's name */
    customer_name?: string;
    /** The address on the internet from which it was bought */
    customer_purchase_ip?: string;
    /** Where the customer has signed */
    customer_signature?: string;
    /** What shows that another charge was for something else */
    duplicate_charge_documentation?: string;
    /** Why another charge is no duplicate of this one */
    duplicate_charge_explanation?: string;
    /** The other charge that is taken for a duplicate */
    duplicate_charge_id?: string;
    /** What was bought */
    product_description?: string;
    /** The receipt, or what the customer was sent in place of one */
    receipt?: string;
    /** The refund policy */
    refund_policy?: string;
    /** How and when the customer was shown the refund policy */
    refund_policy_disclosure?: string;
    /** Why the customer is not entitled to a refund */
    refund_refusal_explanation?: string;
    /** When the service was rendered */
    service_date?: string;
    /** What shows that the service was rendered */
    service_documentation?: string;
    /** Where it was sent to */
    shipping_address?: string;
    /** Who carried it */
    shipping_carrier?: string;
    /** When it was sent */
    shipping_date?: string;
    /** What shows that it was sent to the customer */
    shipping_documentation?: string;
    /** The number by which the carrier knows it */
    shipping_tracking_number?: string;
    /** Anything else: where it can be found */
    uncategorized_file?: string;
    /** Anything else, in words */
    uncategorized_text?: string;
  };
  evidence_details: {
    /** UTC epoch seconds */
    due_by: number;
    has_evidence: boolean;
    submission_count: number;
  };
  metadata?: Metadata;
  /** UTC epoch seconds */
  created: number;
};

export type DisputesCloseParameters = Record<string, never>;

export type DisputesUpdateParameters = {
  evidence?:
    | {
        /** When and how the customer used what was bought */
        access_activity_log?: string | null | undefined;
        /** The billing address that the customer gave */
        billing_address?: string | null | undefined;
        /** The cancellation policy */
        cancellation_policy?: string | null | undefined;
        /** How and when the customer was shown the cancellation policy */
        cancellation_policy_disclosure?: string | null | undefined;
        /** Why the customer was not entitled to cancel */
        cancellation_rebuttal?: string | null | undefined;
        /** What was written to and by the customer about it */
        customer_communication?: string | null | undefined;
        /** The customer's email address */
        customer_email_address?: string | null | undefined;
        /** The customer's name */
        customer_name?: string | null | undefined;
        /** The address on the internet from which it was bought */
        customer_purchase_ip?: string | null | undefined;
        /** Where the customer has signed */
        customer_signature?: string | null | undefined;
        /** What shows that another charge was for something else */
        duplicate_charge_documentation?: string | null | undefined;
        /** Why another charge is no duplicate of this one */
        duplicate_charge_explanation?: string | null | undefined;
        /** The other charge that is taken for a duplicate */
        duplicate_charge_id?: string | null | undefined;
        /** What was bought */
        product_description?: string | null | undefined;
        /** The receipt, or what the customer was sent in place of one */
        receipt?: string | null | undefined;
        /** The refund policy */
        refund_policy?: string | null | undefined;
        /** How and when the customer was shown the refund policy */
        refund_policy_disclosure?: string | null | undefined;
        /** Why the customer is not entitled to a refund */
        refund_refusal_explanation?: string | null | undefined;
        /** When the service was rendered */
        service_date?: string | null | undefined;
        /** What shows that the service was rendered */
        service_documentation?: string | null | undefined;
        /** Where it was sent to */
        shipping_address?: string | null | undefined;
        /** Who carried it */
        shipping_carrier?: string | null | undefined;
        /** When it was sent */
        shipping_date?: string | null | undefined;
        /** What shows that it was sent to the customer */
        shipping_documentation?: string | null | undefined;
        /** The number by which the carrier knows it */
        shipping_tracking_number?: string | null | undefined;
        /** Anything else: where it can be found */
        uncategorized_file?: string | null | undefined;
        /** Anything else, in words */
        uncategorized_text?: string | null | undefined;
      }
    | null
    | undefined;
  /** Send all that was gathered to the bank now; otherwise it is only kept */
  submit?: boolean | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type DisputesListParameters = {
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
  /** Only those about this payment. */
  payment?: string | undefined;
  /** Only those in this status. */
  status?: 'needs_response' | 'under_review' | 'won' | 'lost' | undefined;
};
