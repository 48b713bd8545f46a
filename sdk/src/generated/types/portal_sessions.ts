// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';

/** A link by which a customer signs in to the portal once. */
export type PortalSession = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'portal_session';
  /** The id of the customer. */
  customer: string;
  /** The link. Send it to the customer alone: the first person to use it is signed in as the customer. */
  url: string;
  /** When the link can no longer be used: after five minutes. In UTC epoch seconds. */
  expires_at: number;
  expanded?: PortalSessionExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type PortalSessionExpanded = {
  customer?: Customer;
};

export type PortalSessionsCreateParameters = {
  /** The id of the customer who gets the link. */
  customer: string;
  /**
   * Where the portal leads back to: an https address of up to 2,048 characters (in test mode also http to
   * localhost).
   */
  return_url?: string | undefined;
  /**
   * Where the link leads to within the portal: to the payment methods, to canceling or changing `subscription`, or
   * to paying `invoice`.
   */
  flow?: 'payment_method_update' | 'subscription_cancel' | 'subscription_update' | 'invoice_pay' | undefined;
  /** The id of a subscription of the customer. Required for the flows about one. */
  subscription?: string | undefined;
  /** The id of an open invoice of the customer. Required for the flow `invoice_pay`. */
  invoice?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer'> | undefined;
};
