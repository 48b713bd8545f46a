// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { ListParameters, Metadata, NextAction } from './shared.ts';

/** A payment method that is verified without a charge, and whose cardholder agrees to later charges. */
export type Setup = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'setup';
  /**
   * The id of the payment method that is set up. Absent while a customer has yet to choose it on a page of the
   * processor; a setup that has succeeded has one.
   */
  payment_method?: string;
  /**
   * `requires_action`: the cardholder must authenticate, within an hour, or choose a card on a page of the
   * processor. `processing`: the outcome is unknown, and the processor is asked until it is known. `succeeded`:
   * the payment method can be charged without the cardholder. `failed`: it was declined, or never reached the
   * processor. `canceled`: it was canceled, or has expired.
   */
  status: 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /** The id of the customer that it belongs to. */
  customer?: string;
  /** The id of the checkout session that it is a try of. */
  checkout_session?: string;
  next_action?: NextAction;
  /** Why it failed, for programs: the code of an error. */
  failure_code?: 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';
  /** The reason that the bank gives, if it names one. */
  failure_decline_code?: string;
  metadata?: Metadata;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  expanded?: SetupExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type SetupExpanded = {
  payment_method?: PaymentMethod;
  customer?: Customer;
};

export type SetupsCancelParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment_method' | 'customer'> | undefined;
};

export type SetupsCreateParameters = {
  /** The id of the payment method to set up. It must not be detached. */
  payment_method: string;
  /**
   * The id of the customer that the setup belongs to: by default the one that the payment method is attached to. A
   * payment method that is attached to another customer is refused.
   */
  customer?: string | undefined;
  /**
   * Where the cardholder returns to after an authentication: an https address of up to 2,048 characters, without
   * user name and password. In test mode also http on this machine.
   */
  return_url?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment_method' | 'customer'> | undefined;
};

export type SetupsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those of this payment method. */
  payment_method?: string | undefined;
  /** Only the tries of this checkout session. */
  checkout_session?: string | undefined;
  /** Only those in this status, or in one of these. */
  status?:
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | Array<'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled'>
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment_method' | 'customer'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type SetupsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment_method' | 'customer'> | undefined;
};
