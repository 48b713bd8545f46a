import type { Secret } from '../../../base/secret.ts';
import type { PageView, ShownProblem } from './view.ts';

/** What the customer pays with. */
export type TypedInstrument =
  | { kind: 'card'; number: Secret; cvc: Secret; expMonth: number; expYear: number }
  | { kind: 'saved'; paymentMethod: string }
  | { kind: 'page' }
  | { kind: 'confirmation'; token: Secret };

export type TypedAddress = { country: string; line1?: string; postal_code?: string; city?: string };

export type TypedDetails = { email?: string; name?: string; phone?: string; address?: TypedAddress; terms?: boolean };

export type PressedInput = {
  instrument: TypedInstrument;
  details: TypedDetails;
  save: boolean;
  /** What the page has shown; undefined: a form that does not say it. */
  total: number | undefined;
};

/** The session after a press of a button. */
export type ChangedView = { view: PageView; problems?: readonly ShownProblem[] };

/**
 * `goTo`: where the customer must go. `isChanged`: it costs something else by now than was shown. `retryAfter`: refused before a processor was
 * asked, for so many seconds.
 */
export type TryResult = ChangedView & {
  goTo?: string | undefined;
  isChanged?: boolean;
  retryAfter?: number | undefined;
};

/** A session as it was when its page was asked for. */
export type OpenedPage = {
  view: PageView;
  /** One try. While another is under way, or the session is over, nothing is tried, and the view says so. */
  pay(input: PressedInput): Promise<TryResult>;
  /** Closes what is open at the processor first: it may turn out to be paid. */
  closeTry(): Promise<ChangedView>;
  /** Without a code, the coupon is removed. */
  applyCoupon(code: string | undefined): Promise<ChangedView>;
};

/** What the page asks of checkout sessions. A token is that of the address; one that we have not made finds nothing. */
export type CheckoutPageCalls = { open(token: string, address: string): Promise<OpenedPage | undefined> };
