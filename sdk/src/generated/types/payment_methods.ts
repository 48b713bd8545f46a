// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { BillingDetails, Card, ListParameters, Metadata, ProcessorToken } from './shared.ts';

/** A stored payment method. */
export type PaymentMethod = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'payment_method';
  /** The kind of payment method. */
  type: 'card';
  card: Card;
  billing_details: BillingDetails;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** The id of the customer that it is attached to; present while it is. */
  customer?: string;
  metadata?: Metadata;
  processor_token?: ProcessorToken;
  expanded?: PaymentMethodExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type PaymentMethodExpanded = {
  customer?: Customer;
};

export type PaymentMethodsAttachParameters = {
  /** The id of the customer to attach it to. A customer can have 100 payment methods. */
  customer: string;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};

export type PaymentMethodsCreateParameters = {
  /** The kind of payment method. */
  type: 'card';
  /** The card as a number. Send it, or `processor_token`. */
  card?:
    | {
        /** The card number as a string: 12 to 19 digits with a valid check digit. Spaces and dashes are ignored. */
        number: string;
        /** The month in which the card expires, from 1 to 12; not in the past. */
        exp_month: number;
        /** The year in which the card expires, four digits; not in the past, and at most 50 years ahead. */
        exp_year: number;
        /**
         * The security code: 4 digits for American Express, 3 for other brands, 3 or 4 for an unknown one. It is used
         * for one authorization, and kept for 15 minutes at most.
         */
        cvc?: string | undefined;
      }
    | undefined;
  /** A payment method that a processor keeps. Send it in place of the parameters of the type. */
  processor_token?:
    | {
        /** The id of the processor account that keeps it. */
        processor_account: string;
        /** The name that the processor has given to it, up to 200 characters. */
        token: string;
      }
    | undefined;
  /** Who holds the payment method. An update is merged field by field. */
  billing_details?:
    | {
        /** The name of the holder, up to 256 characters. */
        name?: string | undefined;
        /** An email address of up to 254 characters. */
        email?: string | undefined;
        /** Stored for the processor, and never shown. */
        address?:
          | {
              /** Street and number, up to 256 characters. */
              line1?: string | undefined;
              /** A further line, up to 256 characters. */
              line2?: string | undefined;
              /** The city, up to 256 characters. */
              city?: string | undefined;
              /** The state, county or province, up to 256 characters. */
              state?: string | undefined;
              /** The postal code, up to 256 characters. */
              postal_code?: string | undefined;
              /** Two-letter country code */
              country?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The id of a customer to attach it to. A customer can have 100 payment methods. */
  customer?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};

export type PaymentMethodsDetachParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};

export type PaymentMethodsUpdateParameters = {
  /** Another expiry. It cannot be removed, and that of a card that a processor keeps cannot be changed. */
  card?:
    | {
        /** The month in which the card expires, from 1 to 12; not in the past. */
        exp_month?: number | null | undefined;
        /** The year in which the card expires, four digits; not in the past, and at most 50 years ahead. */
        exp_year?: number | null | undefined;
      }
    | null
    | undefined;
  /** Who holds the payment method. An update is merged field by field. */
  billing_details?:
    | {
        /** The name of the holder, up to 256 characters. */
        name?: string | null | undefined;
        /** An email address of up to 254 characters. */
        email?: string | null | undefined;
        /** Stored for the processor, and never shown. */
        address?:
          | {
              /** Street and number, up to 256 characters. */
              line1?: string | null | undefined;
              /** A further line, up to 256 characters. */
              line2?: string | null | undefined;
              /** The city, up to 256 characters. */
              city?: string | null | undefined;
              /** The state, county or province, up to 256 characters. */
              state?: string | null | undefined;
              /** The postal code, up to 256 characters. */
              postal_code?: string | null | undefined;
              /** Two-letter country code */
              country?: string | null | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};

export type PaymentMethodsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those attached to this customer. */
  customer?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type PaymentMethodsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};
