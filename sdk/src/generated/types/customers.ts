// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Invoice } from './invoices.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { ListParameters, Metadata } from './shared.ts';
import type { TestClock } from './test_clocks.ts';

/** One change of a customer's credit. It is never changed itself. */
export type CreditTransaction = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'credit_transaction';
  /** The id of the customer whose credit has changed. */
  customer: string;
  /** In the smallest unit of the currency. Above 0 it was added to the credit, below 0 taken away. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the invoice that has added, used or given back the credit. */
  invoice?: string;
  /** When the credit has changed, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  expanded?: CreditTransactionExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type CreditTransactionExpanded = {
  invoice?: Invoice;
};

/** Somebody who pays you. */
export type Customer = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'customer';
  /** The email address; present when supplied. */
  email?: string;
  /** The full name; present when supplied. */
  name?: string;
  /** The phone number as it was supplied; present when supplied. */
  phone?: string;
  address?: CustomerAddress;
  /** The tax id; present when supplied. */
  tax_id?: string;
  /** The language of documents; present when supplied. */
  locale?:
    | 'bg'
    | 'cs'
    | 'da'
    | 'de'
    | 'el'
    | 'en'
    | 'en-GB'
    | 'es'
    | 'et'
    | 'fi'
    | 'fr'
    | 'hr'
    | 'hu'
    | 'it'
    | 'ja'
    | 'lt'
    | 'lv'
    | 'nb'
    | 'nl'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'ro'
    | 'sk'
    | 'sl'
    | 'sv'
    | 'zh'
    | 'ar'
    | 'he';
  metadata: Metadata;
  /** When the customer was created, by its test clock if it has one. In UTC epoch seconds. */
  created: number;
  /** The id of the payment method that pays for subscriptions; present when set. */
  default_payment_method?: string;
  /**
   * Credit by currency, in the smallest unit of each: invoices use it before anything is charged. Present when
   * there is some.
   */
  credit_balance?: Record<string, number>;
  /** The id of the test clock that the customer lives by; present when supplied. */
  test_clock?: string;
  /** The id that the object has in another system; present when supplied. */
  external_id?: string;
  expanded?: CustomerExpanded;
};

/** The postal address; present when supplied. */
export type CustomerAddress = {
  /** Present when supplied. */
  line1?: string;
  /** Present when supplied. */
  line2?: string;
  /** Present when supplied. */
  city?: string;
  /** Present when supplied. */
  state?: string;
  /** Present when supplied. */
  postal_code?: string;
  /** Present when supplied. */
  country?: string;
};

/** Credit in one currency. */
export type CustomerCredit = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** In the smallest unit of the currency. */
  amount: number;
};

/** How many disputes there are about the payments of the customer. */
export type CustomerDisputes = {
  /** How many are `needs_response` or `under_review`. */
  open: number;
  /** How many are `won`. */
  won: number;
  /** How many are `lost`. */
  lost: number;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type CustomerExpanded = {
  default_payment_method?: PaymentMethod;
  test_clock?: TestClock;
};

/** What a customer owes in one currency. */
export type CustomerOwed = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The sum of `amount_remaining`, in the smallest unit of the currency. */
  amount: number;
  /** How many invoices are open. */
  invoices: number;
  /** Of how many a charge has failed. */
  failed: number;
};

/** How many payments there are, the first and the latest. */
export type CustomerPayments = {
  /** How many payments have succeeded. */
  succeeded: number;
  /** How many have failed. */
  failed: number;
  /** The first payment that has succeeded; absent before the first one. */
  first?: {
    /** The id of the payment. */
    id: string;
    /** What was received, in the smallest unit of the currency. */
    amount: number;
    /** A three-letter ISO currency code in lower case. */
    currency: string;
    /** When it was created. In UTC epoch seconds. */
    created: number;
  };
  /** The latest payment that has succeeded; absent before the first one. */
  last?: {
    /** The id of the payment. */
    id: string;
    /** What was received, in the smallest unit of the currency. */
    amount: number;
    /** A three-letter ISO currency code in lower case. */
    currency: string;
    /** When it was created. In UTC epoch seconds. */
    created: number;
  };
};

/** What a customer has paid in one currency. */
export type CustomerSpent = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** `received` less `refunded`, in the smallest unit of the currency. */
  amount: number;
  /** The sum of `amount_received`. */
  received: number;
  /** The sum of `amount_refunded`. */
  refunded: number;
};

/** What a customer has paid, owes and has in credit. */
export type CustomerSummary = {
  /** The kind of object. */
  object: 'customer_summary';
  /** The id of the customer. */
  customer: string;
  /** `false` if there are 10,000 or more of one status: the newest 10,000 are added up. */
  is_complete: boolean;
  /** The credit that the next invoices use before anything is charged, by currency. */
  credit: Array<CustomerCredit>;
  /** What the customer has paid, by currency. */
  spent?: Array<CustomerSpent>;
  payments?: CustomerPayments;
  disputes?: CustomerDisputes;
  /** What the customer owes by open invoices, by currency. */
  owed?: Array<CustomerOwed>;
};

export type CustomersCreateParameters = {
  /** An email address of up to 254 characters. */
  email?: string | undefined;
  /** The full name, up to 256 characters. */
  name?: string | undefined;
  /** A phone number in any notation, up to 40 characters. */
  phone?: string | undefined;
  /** The postal address, for invoices and receipts. An update replaces it as a whole. */
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
  /** The tax id, for invoices and receipts, up to 64 characters. */
  tax_id?: string | undefined;
  /**
   * The language of documents for the customer. Without it, they are in English. The country of the address
   * decides how dates and amounts are written.
   */
  locale?:
    | 'bg'
    | 'cs'
    | 'da'
    | 'de'
    | 'el'
    | 'en'
    | 'en-GB'
    | 'es'
    | 'et'
    | 'fi'
    | 'fr'
    | 'hr'
    | 'hu'
    | 'it'
    | 'ja'
    | 'lt'
    | 'lv'
    | 'nb'
    | 'nl'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'ro'
    | 'sk'
    | 'sl'
    | 'sv'
    | 'zh'
    | 'ar'
    | 'he'
    | undefined;
  /**
   * The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
   * Once set it does not change: an update can remove it, and then set another.
   */
  external_id?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The test clock that the customer lives by, for good. The clock must be `ready`. In test mode only. */
  test_clock?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'default_payment_method' | 'test_clock'> | undefined;
};

export type CustomersUpdateParameters = {
  /** An email address of up to 254 characters. */
  email?: string | null | undefined;
  /** The full name, up to 256 characters. */
  name?: string | null | undefined;
  /** A phone number in any notation, up to 40 characters. */
  phone?: string | null | undefined;
  /** The postal address, for invoices and receipts. An update replaces it as a whole. */
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
  /** The tax id, for invoices and receipts, up to 64 characters. */
  tax_id?: string | null | undefined;
  /**
   * The language of documents for the customer. Without it, they are in English. The country of the address
   * decides how dates and amounts are written.
   */
  locale?:
    | 'bg'
    | 'cs'
    | 'da'
    | 'de'
    | 'el'
    | 'en'
    | 'en-GB'
    | 'es'
    | 'et'
    | 'fi'
    | 'fr'
    | 'hr'
    | 'hu'
    | 'it'
    | 'ja'
    | 'lt'
    | 'lv'
    | 'nb'
    | 'nl'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'ro'
    | 'sk'
    | 'sl'
    | 'sv'
    | 'zh'
    | 'ar'
    | 'he'
    | null
    | undefined;
  /**
   * The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
   * Once set it does not change: an update can remove it, and then set another.
   */
  external_id?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /**
   * A payment method that is attached to this customer. It pays for subscriptions, and is tried immediately for
   * open invoices that have failed.
   */
  default_payment_method?: string | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'default_payment_method' | 'test_clock'> | undefined;
};

/** What is left of a deleted object. */
export type DeletedCustomer = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'customer';
  /** The object is gone. */
  deleted: true;
};

export type CustomersListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those that live by this test clock. */
  test_clock?: string | undefined;
  /** Only the one that has this id in another system. */
  external_id?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'default_payment_method' | 'test_clock'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type CustomersRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'default_payment_method' | 'test_clock'> | undefined;
};

export type CustomersListCreditTransactionsParameters = ListParameters & {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'invoice'> | undefined;
};

export type CustomersListPaymentMethodsParameters = ListParameters & {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};
