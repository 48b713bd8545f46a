// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { Dispute } from './disputes.ts';
import type { Invoice } from './invoices.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { Setup } from './setups.ts';
import type { ListParameters, Metadata, NextAction } from './shared.ts';

/** A charge of a payment method. */
export type Payment = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'payment';
  /** The requested amount, in the smallest unit of the currency. */
  amount: number;
  /** What was captured, in the smallest unit of the currency; 0 until then. */
  amount_received: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the customer that it belongs to; present when supplied. */
  customer?: string;
  /** What it is for; present when supplied. */
  description?: string;
  /**
   * The id of the payment method that is charged. Absent while a customer has yet to choose it on a page of the
   * processor; a payment that has succeeded has one.
   */
  payment_method?: string;
  /**
   * `requires_action`: the cardholder must authenticate, within an hour, or pay on a page of the processor.
   * `requires_capture`: it is authorized, and waits for a capture. `processing`: the outcome is unknown, and the
   * processor is asked until it is known. `succeeded`: it is captured. `failed`: it was declined, or never reached
   * the processor. `canceled`: it was canceled or has expired, and the authorization is released.
   */
  status: 'requires_action' | 'requires_capture' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /** The id of the invoice that it was made for. */
  invoice?: string;
  /** The id of the checkout session that it is a try of. */
  checkout_session?: string;
  /**
   * Of a charge without the cardholder: the id of the setup by which the cardholder has agreed to it, where one
   * did.
   */
  setup?: string;
  metadata?: Metadata;
  /** `automatic`: captured immediately. `manual`: captured by request. Present when supplied. */
  capture_method?: 'automatic' | 'manual';
  /**
   * With `capture_method` `manual`: what can be captured, in the smallest unit of the currency. 0 in every status
   * but `requires_capture`.
   */
  amount_capturable?: number;
  /** Present if the merchant has charged it without the cardholder. */
  off_session?: true;
  next_action?: NextAction;
  /** Why it failed, for programs: the code of an error. */
  failure_code?: 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';
  /** The processor's own reason for the decline, such as `insufficient_funds`. */
  failure_decline_code?: string;
  /** Why it failed, for people. */
  failure_message?: string;
  /**
   * What to do after the decline; present when the processor has said so. `never`: do not try this payment method
   * again. `later`: the same charge may succeed another day. `another_method`: this one can never pay it.
   * `another_processor`: another processor may approve it. `authenticate`: the cardholder must be there to
   * authenticate. `update_card`: the details of the card are wrong or old.
   */
  advice?: 'never' | 'later' | 'another_method' | 'another_processor' | 'authenticate' | 'update_card';
  /** When it was canceled. In UTC epoch seconds. */
  canceled_at?: number;
  /**
   * The reason that was given for the cancel. `expired`: nobody acted in time. `made_at_processor`: it was
   * canceled at the processor, and not here.
   */
  cancellation_reason?:
    | 'abandoned'
    | 'duplicate'
    | 'fraudulent'
    | 'requested_by_customer'
    | 'expired'
    | 'made_at_processor';
  /** Present if it was captured at the processor, and not here. */
  captured_elsewhere?: true;
  /** The sum of its pending and succeeded refunds; present after the first refund. */
  amount_refunded?: number;
  /** The id of its latest dispute. */
  dispute?: string;
  processor?: PaymentProcessor;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  expanded?: PaymentExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type PaymentExpanded = {
  customer?: Customer;
  payment_method?: PaymentMethod;
  invoice?: Invoice;
  setup?: Setup;
  dispute?: Dispute;
};

/** The processor account that has taken the payment, or was asked last. */
export type PaymentProcessor = {
  /** The id of the processor account. */
  account: string;
  /** The name of its connector. */
  connector: string;
  /** The processor's own name for the payment; present once it is known. */
  reference?: string;
};

export type PaymentsCancelParameters = {
  /** Why it is canceled. The payment shows it as `cancellation_reason`. */
  reason?: 'abandoned' | 'duplicate' | 'fraudulent' | 'requested_by_customer' | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
};

export type PaymentsCaptureParameters = {
  /**
   * How much to capture, in the smallest unit of the currency: at most the authorized amount, which is also the
   * default. The rest is released.
   */
  amount?: number | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
};

export type PaymentsCreateParameters = {
  /**
   * From 1 to 999,999,999,999, in the smallest unit of the currency: 2000 is 20.00 euros, or 2000 yen. A processor
   * may have its own minimum.
   */
  amount: number;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency: string;
  /** The id of the payment method to charge. It must not be detached. */
  payment_method: string;
  /**
   * The id of the customer that the payment belongs to. A payment method that is attached to another customer is
   * refused.
   */
  customer?: string | undefined;
  /** What the payment is for, up to 1,000 characters. */
  description?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** `automatic` captures immediately, and is the default. `manual` only authorizes: capture within 7 days. */
  capture_method?: 'automatic' | 'manual' | undefined;
  /**
   * Where the cardholder returns to after an authentication: an https address of up to 2,048 characters, without
   * user name and password. In test mode also http on this machine.
   */
  return_url?: string | undefined;
  /**
   * `true`: you charge a saved payment method while the cardholder is not there. If the bank requires
   * authentication, the payment is declined with `authentication_required`. Not together with `return_url`.
   */
  off_session?: boolean | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
};

export type PaymentsUpdateParameters = {
  /** What the payment is for, up to 1,000 characters. */
  description?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
};

export type PaymentsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this customer, or of one of these: at most 10. */
  customer?: string | Array<string> | undefined;
  /**
   * Only those in this status, or in one of these. `refunded`, `partly_refunded` and `disputed` are payments that
   * have succeeded, and what came after.
   */
  status?:
    | 'requires_action'
    | 'requires_capture'
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'refunded'
    | 'partly_refunded'
    | 'disputed'
    | Array<
        | 'requires_action'
        | 'requires_capture'
        | 'processing'
        | 'succeeded'
        | 'failed'
        | 'canceled'
        | 'refunded'
        | 'partly_refunded'
        | 'disputed'
      >
    | undefined;
  /** Only those that were made for this invoice. */
  invoice?: string | undefined;
  /** Only the tries of this checkout session. */
  checkout_session?: string | undefined;
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
  /** Text of four digits: the last ones of the card that was charged */
  card?: string | undefined;
  /** Only those by a card of this brand, or of one of these. */
  brand?:
    | 'visa'
    | 'mastercard'
    | 'amex'
    | 'discover'
    | 'diners'
    | 'jcb'
    | 'unionpay'
    | 'unknown'
    | Array<'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'>
    | undefined;
  /** Two-letter country code: of the billing address when the payment was made */
  country?: string | undefined;
  /**
   * Only failed ones, by the reason: the processor's own, such as `insufficient_funds`, or the code, such as
   * `card_declined`.
   */
  decline_code?: string | undefined;
  /** Only those of this processor: the id of a processor account, or the name of a connector, such as `stripe`. */
  processor?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type PaymentsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'payment_method' | 'invoice' | 'setup' | 'dispute'> | undefined;
};

export type PaymentsListAttemptsParameters = {
  /** How many objects to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next newer attempt. */
  starting_after?: string | undefined;
};
