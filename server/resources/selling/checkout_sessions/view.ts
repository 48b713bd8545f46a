import type { Tenant } from '../../../base/reads.ts';
import type { ProcessorFields } from '../../../connectors/contract.ts';
import type {
  CheckoutLine,
  CheckoutSession,
  CollectedDetails,
  CustomerReason,
  ShopperDetails,
} from './checkout_session.ts';

/** How a card can be taken, in the order in which the page offers it. */
export type WayToPay =
  | { kind: 'page'; origins?: readonly string[] }
  | { kind: 'fields'; processor_account: string; connector: string; fields: ProcessorFields }
  | { kind: 'own' };

export type SavedMethod = { id: string; brand: string; last4: string; exp_month: number; exp_year: number };

/**
 * The latest try. action: the customer has to go on at `goTo`. confirming: its outcome is not known, and there is no second try until it
 * is. declined: it has failed, and another may begin.
 */
export type TryState = {
  state: 'none' | 'action' | 'confirming' | 'declined';
  reason?: CustomerReason;
  goTo?: string;
};

/** The payment on the receipt, or the setup. */
export type PaidWith = {
  id: string;
  brand: string | null;
  last4: string | null;
  created: number;
  /** What was received, and how much of it was given back. Undefined: nothing was received. */
  received?: number;
  refunded?: number;
};

/** What the page of a session shows: never more than the customer may know. */
export type CheckoutView = Pick<
  CheckoutSession,
  'id' | 'mode' | 'status' | 'payment_status' | 'amount_total' | 'currency' | 'description'
> & {
  tenant: Tenant;
  amount_subtotal?: number;
  amount_discount?: number;
  /** The first charge of a subscription with a trial, in epoch milliseconds. */
  free_until?: number;
  /** Nothing is due, and the method is kept for what is due later. */
  takes_setup: boolean;
  lines: readonly Pick<CheckoutLine, 'name' | 'quantity' | 'amount' | 'recurring'>[];
  /** As the session asks for it; undefined: by the browser. */
  locale: string | undefined;
  collect: CollectedDetails;
  details: ShopperDetails;
  /** Whether the email must be typed: nobody has given one yet. */
  asks_email: boolean;
  /** Whether the customer is asked to save the method. */
  save: 'none' | 'offer' | 'require';
  /** Whether a code can be entered, and the coupon that is applied, with its code if the customer has typed it. */
  coupons: { allowed: boolean; applied?: { code: string | undefined } };
  /** Epoch milliseconds. */
  expires_at: number;
  expired_reason: CheckoutSession['expired_reason'];
  /** With the id in its place. */
  success_url: string | undefined;
  cancel_url: string | undefined;
  reference: string | undefined;
  try: TryState;
  saved: readonly SavedMethod[];
  ways: readonly WayToPay[];
  test: boolean;
  /** The account takes no payments now. */
  suspended: boolean;
  paid?: PaidWith;
};
