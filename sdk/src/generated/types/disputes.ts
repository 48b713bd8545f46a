// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Payment } from './payments.ts';
import type { ListParameters, Metadata } from './shared.ts';

/** A payment that the cardholder has disputed with the bank. */
export type Dispute = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'dispute';
  /** What the bank took back, in the smallest unit of the currency. It can be less than the payment. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the disputed payment. */
  payment: string;
  /** The processor's own code, such as `fraudulent` or `product_not_received`. */
  reason: string;
  /**
   * `needs_response`: the bank waits for evidence. `under_review`: evidence was submitted, and the bank decides.
   * `won`: the money was returned to you. `lost`: it stays with the cardholder.
   */
  status: 'needs_response' | 'under_review' | 'won' | 'lost';
  evidence: DisputeEvidence;
  evidence_details: DisputeEvidenceDetails;
  metadata?: Metadata;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  expanded?: DisputeExpanded;
};

/** What was gathered. Each member is present when supplied. */
export type DisputeEvidence = {
  /** When and how the customer used what was bought. */
  access_activity_log?: string;
  /** The billing address that the customer gave. */
  billing_address?: string;
  /** Under which terms the customer can cancel. */
  cancellation_policy?: string;
  /** How and when the customer was shown the cancellation policy. */
  cancellation_policy_disclosure?: string;
  /** Why the customer was not entitled to cancel. */
  cancellation_rebuttal?: string;
  /** What was written to and by the customer about it. */
  customer_communication?: string;
  /** The email address that the customer gave. */
  customer_email_address?: string;
  /** The name that the customer gave. */
  customer_name?: string;
  /** The address on the internet from which it was bought. */
  customer_purchase_ip?: string;
  /** Where the customer has signed. */
  customer_signature?: string;
  /** What shows that another charge was for something else. */
  duplicate_charge_documentation?: string;
  /** Why another charge is no duplicate of this one. */
  duplicate_charge_explanation?: string;
  /** The other charge that is taken for a duplicate. */
  duplicate_charge_id?: string;
  /** What was bought. */
  product_description?: string;
  /** The receipt, or what the customer was sent in place of one. */
  receipt?: string;
  /** Under which terms the customer gets money back. */
  refund_policy?: string;
  /** How and when the customer was shown the refund policy. */
  refund_policy_disclosure?: string;
  /** Why the customer is not entitled to a refund. */
  refund_refusal_explanation?: string;
  /** When the service was rendered. */
  service_date?: string;
  /** What shows that the service was rendered. */
  service_documentation?: string;
  /** Where it was sent to. */
  shipping_address?: string;
  /** Who carried it. */
  shipping_carrier?: string;
  /** When it was sent. */
  shipping_date?: string;
  /** What shows that it was sent to the customer. */
  shipping_documentation?: string;
  /** The number by which the carrier knows it. */
  shipping_tracking_number?: string;
  /** Anything else: where it can be found. */
  uncategorized_file?: string;
  /** Anything else, in words. */
  uncategorized_text?: string;
};

/** How far the answer to the bank has come. */
export type DisputeEvidenceDetails = {
  /** Until when evidence is taken. In UTC epoch seconds. */
  due_by: number;
  /** Whether any evidence was gathered. */
  has_evidence: boolean;
  /** How many times evidence was submitted. */
  submission_count: number;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type DisputeExpanded = {
  payment?: Payment;
};

export type DisputesCloseParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};

export type DisputesUpdateParameters = {
  /**
   * Texts of up to 20,000 characters each, and of 150,000 bytes together as JSON. They are merged field by field;
   * null or an empty string removes one.
   */
  evidence?:
    | {
        /** When and how the customer used what was bought. */
        access_activity_log?: string | null | undefined;
        /** The billing address that the customer gave. */
        billing_address?: string | null | undefined;
        /** Under which terms the customer can cancel. */
        cancellation_policy?: string | null | undefined;
        /** How and when the customer was shown the cancellation policy. */
        cancellation_policy_disclosure?: string | null | undefined;
        /** Why the customer was not entitled to cancel. */
        cancellation_rebuttal?: string | null | undefined;
        /** What was written to and by the customer about it. */
        customer_communication?: string | null | undefined;
        /** The email address that the customer gave. */
        customer_email_address?: string | null | undefined;
        /** The name that the customer gave. */
        customer_name?: string | null | undefined;
        /** The address on the internet from which it was bought. */
        customer_purchase_ip?: string | null | undefined;
        /** Where the customer has signed. */
        customer_signature?: string | null | undefined;
        /** What shows that another charge was for something else. */
        duplicate_charge_documentation?: string | null | undefined;
        /** Why another charge is no duplicate of this one. */
        duplicate_charge_explanation?: string | null | undefined;
        /** The other charge that is taken for a duplicate. */
        duplicate_charge_id?: string | null | undefined;
        /** What was bought. */
        product_description?: string | null | undefined;
        /** The receipt, or what the customer was sent in place of one. */
        receipt?: string | null | undefined;
        /** Under which terms the customer gets money back. */
        refund_policy?: string | null | undefined;
        /** How and when the customer was shown the refund policy. */
        refund_policy_disclosure?: string | null | undefined;
        /** Why the customer is not entitled to a refund. */
        refund_refusal_explanation?: string | null | undefined;
        /** When the service was rendered. */
        service_date?: string | null | undefined;
        /** What shows that the service was rendered. */
        service_documentation?: string | null | undefined;
        /** Where it was sent to. */
        shipping_address?: string | null | undefined;
        /** Who carried it. */
        shipping_carrier?: string | null | undefined;
        /** When it was sent. */
        shipping_date?: string | null | undefined;
        /** What shows that it was sent to the customer. */
        shipping_documentation?: string | null | undefined;
        /** The number by which the carrier knows it. */
        shipping_tracking_number?: string | null | undefined;
        /** Anything else: where it can be found. */
        uncategorized_file?: string | null | undefined;
        /** Anything else, in words. */
        uncategorized_text?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether everything that was gathered is sent to the bank now. Otherwise it is only kept. */
  submit?: boolean | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};

export type DisputesRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};

export type DisputesListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those about this payment. */
  payment?: string | undefined;
  /** Only those in this status, or in one of these. */
  status?:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | Array<'needs_response' | 'under_review' | 'won' | 'lost'>
    | undefined;
  /** Only those in this currency: its three-letter ISO 4217 code, in either case. */
  currency?: string | undefined;
  /** Only those whose amount is within these bounds, in the smallest unit of their currency. */
  amount?:
    | {
        /** More than this. */
        gt?: number | undefined;
        /** This or more. */
        gte?: number | undefined;
        /** Less than this. */
        lt?: number | undefined;
        /** This or less. */
        lte?: number | undefined;
      }
    | undefined;
  /**
   * The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
   * dinars.
   */
  amount_decimal?:
    | {
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        gt?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        gte?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        lt?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        lte?: string | undefined;
      }
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
