// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Invoice = {
  id: string;
  object: 'invoice';
  customer: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  currency: string;
  lines: Array<{
    id?: string;
    amount: number;
    discount: number;
    description: string;
    period: {
      /** UTC epoch seconds */
      start: number;
      /** UTC epoch seconds */
      end: number;
    };
    proration: boolean;
    price?: string;
    quantity?: number;
    invoice_item?: string;
  }>;
  subtotal: number;
  discount: number;
  total: number;
  credit_applied: number;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  /** UTC epoch seconds */
  period_start: number;
  /** UTC epoch seconds */
  period_end: number;
  /** UTC epoch seconds */
  created: number;
  subscription?: string;
  number?: string;
  payment?: string;
  /** UTC epoch seconds */
  next_payment_attempt?: number;
  last_failure?: {
    code: string;
    decline_code?: string;
    message: string;
  };
  /** UTC epoch seconds */
  paid_at?: number;
  /** UTC epoch seconds */
  voided_at?: number;
  metadata?: Metadata;
};

export type InvoicesCreateParameters = {
  /** Whose waiting items are invoiced */
  customer: string;
  /** Three-letter ISO currency code, in either case */
  currency?: string | undefined;
};

export type InvoicesFinalizeParameters = Record<string, never>;

export type InvoicesMarkUncollectibleParameters = Record<string, never>;

export type InvoicesPayParameters = {
  /** The method to charge; that of the subscription, or the customer's default, when not given */
  payment_method?: string | undefined;
  /** The cardholder is there to authenticate the payment, and comes back to this address */
  return_url?: string | undefined;
};

export type InvoicesPreviewParameters = {
  /** Who would be billed; that of the subscription when not given */
  customer?: string | undefined;
  /** Whose next invoice is shown */
  subscription?: string | undefined;
  /** The items to change, to add and to remove; others stay as they are */
  items?:
    | Array<{
        /** An item that the subscription has; a new item has none */
        id?: string | undefined;
        /** The price of a new item, or another price for an item */
        price?: string | undefined;
        /** How many of the price */
        quantity?: number | undefined;
        /** Removes the item */
        deleted?: boolean | undefined;
      }>
    | undefined;
  /** As in an update; invoice_now shows the invoice that would be made now */
  proration?: 'create' | 'invoice_now' | 'none' | undefined;
  /** The moment of the change, for proration: within the current period; now when not given */
  proration_date?: number | undefined;
  /** A coupon that lessens its invoices */
  coupon?: string | undefined;
};

export type InvoicesUpdateParameters = {
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type InvoicesVoidParameters = Record<string, never>;

export type UpcomingInvoice = {
  object: 'invoice';
  customer: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  currency: string;
  lines: Array<{
    id?: string;
    amount: number;
    discount: number;
    description: string;
    period: {
      /** UTC epoch seconds */
      start: number;
      /** UTC epoch seconds */
      end: number;
    };
    proration: boolean;
    price?: string;
    quantity?: number;
    invoice_item?: string;
  }>;
  subtotal: number;
  discount: number;
  total: number;
  credit_applied: number;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  /** UTC epoch seconds */
  period_start: number;
  /** UTC epoch seconds */
  period_end: number;
  /** UTC epoch seconds */
  created: number;
  subscription?: string;
};

export type InvoicesListParameters = {
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
  /** Only those of this subscription. */
  subscription?: string | undefined;
  /** Only those in this status. */
  status?: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible' | undefined;
};
