// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Attempt = {
  id: string;
  object: 'attempt';
  /** authorize, capture, cancel, refund, contest or concede */
  verb: string;
  processor_account?: string;
  state: 'open' | 'approved' | 'declined' | 'challenged' | 'pending' | 'unknown' | 'lost' | 'not_sent';
  /** The processor's own name for it */
  reference?: string;
  decline_code?: string;
  advice?: 'never' | 'later' | 'another_method' | 'another_processor' | 'authenticate' | 'update_card';
  /** Why this processor was chosen */
  reason: string;
  /** UTC epoch seconds */
  created: number;
  /** UTC epoch seconds */
  finished?: number;
};

export type Payment = {
  id: string;
  object: 'payment';
  amount: number;
  amount_received: number;
  currency: string;
  customer?: string;
  description?: string;
  payment_method: string;
  status: 'requires_action' | 'requires_capture' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  invoice?: string;
  metadata?: Metadata;
  capture_method?: 'automatic' | 'manual';
  amount_capturable?: number;
  next_action?: {
    type: 'redirect_to_url';
    redirect_to_url: {
      url: string;
    };
  };
  failure_code?: string;
  failure_message?: string;
  /** UTC epoch seconds */
  canceled_at?: number;
  cancellation_reason?: string;
  amount_refunded?: number;
  dispute?: string;
  processor?: {
    account: string;
    connector: string;
    reference?: string;
  };
  /** UTC epoch seconds */
  created: number;
};

export type PaymentsCancelParameters = {
  /** Why; kept as cancellation_reason */
  reason?: 'abandoned' | 'duplicate' | 'fraudulent' | 'requested_by_customer' | undefined;
};

export type PaymentsCaptureParameters = {
  /** How much to capture; the whole authorized amount when not given */
  amount?: number | undefined;
};

export type PaymentsCreateParameters = {
  /** In the smallest unit of the currency: 2000 is 20.00 euros */
  amount: number;
  /** Three-letter ISO currency code, in either case */
  currency: string;
  /** The payment method to charge */
  payment_method: string;
  /** The customer the payment belongs to */
  customer?: string | undefined;
  /** What the payment is for, up to 1,000 characters */
  description?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** manual: only authorize now, and capture later */
  capture_method?: 'automatic' | 'manual' | undefined;
  /** Where the cardholder comes back to after an authentication */
  return_url?: string | undefined;
};

export type PaymentsUpdateParameters = {
  /** What the payment is for, up to 1,000 characters */
  description?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type PaymentsListParameters = {
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
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those in this status. */
  status?: 'requires_action' | 'requires_capture' | 'processing' | 'succeeded' | 'failed' | 'canceled' | undefined;
};

export type PaymentsListAttemptsParameters = {
  /** How many to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next newer attempt. */
  starting_after?: string | undefined;
};
