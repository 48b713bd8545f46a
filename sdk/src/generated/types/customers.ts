// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type CreditTransaction = {
  id: string;
  object: 'credit_transaction';
  customer: string;
  /** Above 0 was added to the credit, below 0 was taken away */
  amount: number;
  currency: string;
  invoice?: string;
  /** UTC epoch seconds */
  created: number;
};

export type Customer = {
  id: string;
  object: 'customer';
  email?: string;
  name?: string;
  phone?: string;
  metadata: Metadata;
  /** UTC epoch seconds */
  created: number;
  default_payment_method?: string;
  /** What the next invoices use before anything is charged, by currency */
  credit_balance?: Record<string, number>;
  test_clock?: string;
};

export type CustomersCreateParameters = {
  /** The customer's email address */
  email?: string | undefined;
  /** The customer's full name */
  name?: string | undefined;
  /** The customer's phone number */
  phone?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The test clock that the customer lives by; in test mode only */
  test_clock?: string | undefined;
};

export type CustomersUpdateParameters = {
  /** The customer's email address */
  email?: string | null | undefined;
  /** The customer's full name */
  name?: string | null | undefined;
  /** The customer's phone number */
  phone?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** A payment method that is attached to this customer */
  default_payment_method?: string | null | undefined;
};

export type DeletedCustomer = {
  id: string;
  object: 'customer';
  deleted: true;
};

export type CustomersListParameters = {
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

export type CustomersListCreditTransactionsParameters = {
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

export type CustomersListPaymentMethodsParameters = {
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
