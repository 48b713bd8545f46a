// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedInvoiceItem = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'invoice_item';
  /** The object is gone. */
  deleted: true;
};

/** An amount that waits for an invoice, or is part of one. */
export type InvoiceItem = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'invoice_item';
  /** The id of the customer who is billed. */
  customer: string;
  /** In the smallest unit of the currency. Below 0 it is a deduction. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What it is for. */
  description: string;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** The id of the subscription whose next invoice gets it; present when supplied. */
  subscription?: string;
  /** The id of the invoice that has it; absent while it waits. */
  invoice?: string;
};

export type InvoiceItemsCreateParameters = {
  /** The id of the customer whose next invoice gets the item. */
  customer: string;
  /**
   * In the smallest unit of the currency: 2000 is 20.00 euros. From -999,999,999,999 to 999,999,999,999, and not
   * 0. Below 0 it is a deduction.
   */
  amount: number;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency: string;
  /** What it is for, up to 1,000 characters. */
  description: string;
  /** The id of a subscription of the customer, in this currency and not canceled. Its next invoice gets the item. */
  subscription?: string | undefined;
};

export type InvoiceItemsListParameters = ListParameters & {
  /** Only those of this customer. */
  customer?: string | undefined;
};
