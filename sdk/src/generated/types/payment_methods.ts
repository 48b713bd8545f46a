// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type PaymentMethod = {
  id: string;
  object: 'payment_method';
  type: 'card';
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
  };
  billing_details: {
    name?: string;
    email?: string;
  };
  /** UTC epoch seconds */
  created: number;
  customer?: string;
  metadata?: Metadata;
  processor_token?: {
    processor_account: string;
  };
};

export type PaymentMethodsAttachParameters = {
  /** The customer to attach it to */
  customer: string;
};

export type PaymentMethodsCreateParameters = {
  /** The kind of instrument; card is the only one */
  type: 'card';
  card?:
    | {
        /** 12 to 19 digits; spaces and dashes are ignored */
        number: string;
        /** From 1 to 12 */
        exp_month: number;
        /** Four digits */
        exp_year: number;
        /** The security code, three or four digits */
        cvc?: string | undefined;
      }
    | undefined;
  processor_token?:
    | {
        /** The processor account that keeps the card */
        processor_account: string;
        /** The name that the processor has given to the card */
        token: string;
      }
    | undefined;
  billing_details?:
    | {
        /** The cardholder's name */
        name?: string | undefined;
        /** The cardholder's email address */
        email?: string | undefined;
        address?:
          | {
              /** Street and number */
              line1?: string | undefined;
              /** Further line of the address */
              line2?: string | undefined;
              /** City */
              city?: string | undefined;
              /** State, county or province */
              state?: string | undefined;
              /** Postal code */
              postal_code?: string | undefined;
              /** Two-letter country code */
              country?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  /** A customer to attach it to */
  customer?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type PaymentMethodsDetachParameters = Record<string, never>;

export type PaymentMethodsUpdateParameters = {
  card?:
    | {
        /** From 1 to 12 */
        exp_month?: number | null | undefined;
        /** Four digits */
        exp_year?: number | null | undefined;
      }
    | null
    | undefined;
  billing_details?:
    | {
        /** The cardholder's name */
        name?: string | null | undefined;
        /** The cardholder's email address */
        email?: string | null | undefined;
        address?:
          | {
              /** Street and number */
              line1?: string | null | undefined;
              /** Further line of the address */
              line2?: string | null | undefined;
              /** City */
              city?: string | null | undefined;
              /** State, county or province */
              state?: string | null | undefined;
              /** Postal code */
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
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type PaymentMethodsListParameters = {
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
  /** Only those attached to this customer. */
  customer?: string | undefined;
};
