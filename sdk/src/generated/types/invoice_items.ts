// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { Invoice } from './invoices.ts';
import type { ListParameters } from './shared.ts';
import type { Subscription } from './subscriptions.ts';

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
  expanded?: InvoiceItemExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type InvoiceItemExpanded = {
  customer?: Customer;
  subscription?: Subscription;
  invoice?: Invoice;
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
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'invoice'> | undefined;
};

export type InvoiceItemsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'invoice'> | undefined;
};

export type InvoiceItemsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'invoice'> | undefined;
};
