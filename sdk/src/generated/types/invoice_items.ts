// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type DeletedInvoiceItem = {
  id: string;
  object: 'invoice_item';
  deleted: true;
};

export type InvoiceItem = {
  id: string;
  object: 'invoice_item';
  customer: string;
  amount: number;
  currency: string;
  description: string;
  /** UTC epoch seconds */
  created: number;
  subscription?: string;
  invoice?: string;
};

export type InvoiceItemsCreateParameters = {
  /** The customer whose next invoice gets the item */
  customer: string;
  /** In the smallest unit of the currency: 2000 is 20.00 euros. Below 0 it is a deduction. */
  amount: number;
  /** Three-letter ISO currency code, in either case */
  currency: string;
  /** What it is for, up to 1,000 characters */
  description: string;
  /** A subscription of the customer, whose next invoice gets the item */
  subscription?: string | undefined;
};

export type InvoiceItemsListParameters = {
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
};
