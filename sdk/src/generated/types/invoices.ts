// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { Payment } from './payments.ts';
import type { ListParameters, Metadata, SubscriptionItemChange } from './shared.ts';
import type { Subscription } from './subscriptions.ts';

/** What a customer owes, and how it was paid. */
export type Invoice = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'invoice';
  /** The id of the customer who owes it. */
  customer: string;
  /**
   * `draft`: it has no number yet. `open`: it is to be paid. `paid`: it is settled. `void`: it is not owed.
   * `uncollectible`: the money is no longer expected, but it can still be paid.
   */
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  /**
   * `subscription_create`: the first invoice of a subscription. `subscription_cycle`: a new period.
   * `subscription_update`: a change, a pause, a resumption or the end. `manual`: made by request.
   */
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What it is made of. */
  lines: Array<InvoiceLine>;
  /** The sum of the amounts of its lines. */
  subtotal: number;
  /** The sum of the discounts of its lines. */
  discount: number;
  /** `subtotal` minus `discount`; may be below 0. */
  total: number;
  /** How much of the customer's credit is used for it. */
  credit_applied: number;
  /** `total` minus `credit_applied`, or 0 if that is below 0. */
  amount_due: number;
  /** The part of `amount_due` that is paid. */
  amount_paid: number;
  /** The part of `amount_due` that is not paid. */
  amount_remaining: number;
  /** How many payments were made for it. */
  attempt_count: number;
  /** When the period begins that it bills. For `manual`, the same as `created`. In UTC epoch seconds. */
  period_start: number;
  /** When the period ends that it bills. For `manual`, the same as `created`. In UTC epoch seconds. */
  period_end: number;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** The id of the subscription that it is of. */
  subscription?: string;
  /** `INV-000001` and so on, in the order in which invoices are finalized; present from then on. */
  number?: string;
  /**
   * The page on which the customer sees the invoice, downloads it as PDF and pays it; present from when it is
   * finalized. Everybody who has the address can do so: send it to the customer alone.
   */
  hosted_url?: string;
  /** The id of the latest payment that was made for it. */
  payment?: string;
  /** When the charge is tried again; present while that is planned. In UTC epoch seconds. */
  next_payment_attempt?: number;
  last_failure?: InvoiceFailure;
  /** When it was paid. In UTC epoch seconds. */
  paid_at?: number;
  /** When it became void. In UTC epoch seconds. */
  voided_at?: number;
  metadata?: Metadata;
  expanded?: InvoiceExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type InvoiceExpanded = {
  customer?: Customer;
  subscription?: Subscription;
  payment?: Payment;
};

/** Why the latest charge failed. */
export type InvoiceFailure = {
  /** For programs: the code of an error, such as `card_declined`. */
  code: string;
  /** The bank's reason, if it gave one. */
  decline_code?: string;
  /** For people. */
  message: string;
};

/** An amount of an invoice. It never changes. */
export type InvoiceLine = {
  /** An opaque text that begins with `il_`; absent in a preview. */
  id?: string;
  /** In the smallest unit of the currency, before the discount. Below 0 it is a credit. */
  amount: number;
  /** What a coupon takes off the amount. */
  discount: number;
  /** What it is for. */
  description: string;
  period: Period;
  /** Whether it is for a part of a period. */
  proration: boolean;
  /** The id of the price; absent for an invoice item. */
  price?: string;
  /** How many of the price; absent for an invoice item. */
  quantity?: number;
  /** The id of the invoice item that it comes from. */
  invoice_item?: string;
};

export type InvoicesCreateParameters = {
  /** The id of the customer whose waiting items become the lines, up to 250, oldest first. */
  customer: string;
  /**
   * Only items in this currency, in either case. Required if items wait in several, or for an amount in `items` if
   * none waits.
   */
  currency?: string | undefined;
  /** Further items, up to 50, which are created with the invoice. They become the last lines. */
  items?:
    | Array<{
        /** In the smallest unit of the currency. Not 0; below 0 it is a deduction. Excludes `price`. */
        amount?: number | undefined;
        /** The id of an active price. Its amount, times `quantity`, is charged once. */
        price?: string | undefined;
        /** How many of the price; 1 when not given. */
        quantity?: number | undefined;
        /** What it is for, up to 1,000 characters. Required with `amount`; by default the product of the price. */
        description?: string | undefined;
      }>
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

export type InvoicesFinalizeParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

export type InvoicesMarkUncollectibleParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

export type InvoicesPayParameters = {
  /**
   * The id of the payment method to charge. By default that of the subscription, or else the default of the
   * customer.
   */
  payment_method?: string | undefined;
  /**
   * Says that the cardholder is present and can authenticate, and where the browser returns to: an https address
   * of up to 2,048 characters. Without it the payment is initiated by the merchant.
   */
  return_url?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

export type InvoicesPreviewParameters = {
  /** The id of the customer who would be billed. Required without `subscription`. */
  customer?: string | undefined;
  /** The id of the subscription whose next invoice is shown. */
  subscription?: string | undefined;
  /**
   * The items to change, to add and to remove: 1 to 40. Others stay as they are. At least one must be left, and 20
   * at most.
   */
  items?: Array<SubscriptionItemChange> | undefined;
  /** As in an update of the subscription. `invoice_now` shows the invoice that would be made now. */
  proration?: 'create' | 'invoice_now' | 'none' | undefined;
  /**
   * The time of the change, for proration, in UTC epoch seconds: within the current period, and not before the
   * latest change of an item that was prorated; now when not given.
   */
  proration_date?: number | undefined;
  /** The id of a coupon that discounts its invoices. One with `amount_off` must be in the currency of the prices. */
  coupon?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription'> | undefined;
};

export type InvoicesUpdateParameters = {
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

export type InvoicesVoidParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};

/** The time that it bills. */
export type Period = {
  /** When it begins. In UTC epoch seconds. */
  start: number;
  /** When it ends. In UTC epoch seconds. */
  end: number;
};

/** What the next invoice would be. It has no id and no number. */
export type UpcomingInvoice = {
  /** The kind of object. */
  object: 'invoice';
  /** The id of the customer who owes it. */
  customer: string;
  /**
   * `draft`: it has no number yet. `open`: it is to be paid. `paid`: it is settled. `void`: it is not owed.
   * `uncollectible`: the money is no longer expected, but it can still be paid.
   */
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  /**
   * `subscription_create`: the first invoice of a subscription. `subscription_cycle`: a new period.
   * `subscription_update`: a change, a pause, a resumption or the end. `manual`: made by request.
   */
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What it is made of. */
  lines: Array<InvoiceLine>;
  /** The sum of the amounts of its lines. */
  subtotal: number;
  /** The sum of the discounts of its lines. */
  discount: number;
  /** `subtotal` minus `discount`; may be below 0. */
  total: number;
  /** How much of the customer's credit is used for it. */
  credit_applied: number;
  /** `total` minus `credit_applied`, or 0 if that is below 0. */
  amount_due: number;
  /** The part of `amount_due` that is paid. */
  amount_paid: number;
  /** The part of `amount_due` that is not paid. */
  amount_remaining: number;
  /** How many payments were made for it. */
  attempt_count: number;
  /** When the period begins that it bills. For `manual`, the same as `created`. In UTC epoch seconds. */
  period_start: number;
  /** When the period ends that it bills. For `manual`, the same as `created`. In UTC epoch seconds. */
  period_end: number;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** The id of the subscription that it is of. */
  subscription?: string;
  expanded?: UpcomingInvoiceExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type UpcomingInvoiceExpanded = {
  customer?: Customer;
  subscription?: Subscription;
};

export type InvoicesListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those of this subscription. */
  subscription?: string | undefined;
  /** Only those in this status, or in one of these. */
  status?:
    | 'draft'
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | Array<'draft' | 'open' | 'paid' | 'void' | 'uncollectible'>
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type InvoicesRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'subscription' | 'payment'> | undefined;
};
