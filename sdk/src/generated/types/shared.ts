// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** One request to a processor. */
export type Attempt = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'attempt';
  /**
   * What was asked for. `contest` submits evidence, `concede` closes a dispute, `setup` verifies a payment method
   * without a charge.
   */
  verb: 'authorize' | 'capture' | 'cancel' | 'refund' | 'contest' | 'concede' | 'setup';
  /** The id of the account that was asked; absent for the processor of a mode without accounts. */
  processor_account?: string;
  /**
   * `open`: it is in flight. `approved` and `declined`: the processor has decided. `challenged`: the cardholder
   * must authenticate. `canceled`: it was canceled before it was decided. `pending`: the processor has not decided
   * yet. `unknown`: there was no answer. `lost`: it never reached the processor. `not_sent`: the processor
   * provably did not act.
   */
  state: 'open' | 'approved' | 'declined' | 'challenged' | 'canceled' | 'pending' | 'unknown' | 'lost' | 'not_sent';
  /** The processor's own name for it. */
  reference?: string;
  /** Why it was declined. */
  decline_code?: string;
  /** What the processor advises after a decline. */
  advice?: 'never' | 'later' | 'another_method' | 'another_processor' | 'authenticate' | 'update_card';
  /** Why this processor was chosen, and which ones were passed over. */
  reason: string;
  /** When it was made. In UTC epoch seconds. */
  created: number;
  /** When it was decided; absent until then. In UTC epoch seconds. */
  finished?: number;
};

/** What is shown about the holder. The address is not. */
export type BillingDetails = {
  /** The name of the holder; present when supplied. */
  name?: string;
  /** The email address of the holder; present when supplied. */
  email?: string;
};

/** What may be shown of a card. */
export type Card = {
  /** By the first digits of the number; for a card that a processor keeps, what the processor says. */
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';
  /** The last four digits of the number. */
  last4: string;
  /** The month in which the card expires, from 1 to 12. */
  exp_month: number;
  /** The year in which the card expires, four digits. */
  exp_year: number;
};

/** What the page asks for; present when supplied. */
export type CheckoutCollect = {
  /** Whether the name is required. */
  name?: boolean;
  /** Whether a phone number is required. */
  phone?: boolean;
  /** How much of the address is required. */
  billing_address?: 'none' | 'country' | 'full';
  /** Whether the customer must agree to the terms. */
  terms?: boolean;
};

/** The headers, as every receiver gets them. */
export type InboxRequestHeaders = Record<string, string>;

/** An account that a user works in. */
export type MemberAccount = {
  /** The id of the account, for the header `X-Tollgate-Account`. */
  id: string;
  /** Its name. */
  name: string;
  /** Requests for a suspended account are refused. */
  status: 'active' | 'suspended';
  /** What the user may do in it. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** Present if a user without an authenticator can do nothing in it but set one up. */
  totp_required?: boolean;
};

/** Keys and values of your own. */
export type Metadata = Record<string, string | number | boolean>;

/** What must happen next; present while the status is `requires_action`. */
export type NextAction = {
  /** What to do with the browser of the cardholder. */
  type: 'redirect_to_url';
  /** Where the cardholder authenticates. */
  redirect_to_url: {
    /** Where to send the browser. Anybody with this address can decide: give it to the cardholder alone. */
    url: string;
  };
};

/** Present if a processor keeps the payment method. The token is not shown. */
export type ProcessorToken = {
  /** The id of the processor account that keeps the payment method. */
  processor_account: string;
};

/** Sessions that have ended. */
export type SessionsEnded = {
  /** The kind of object. */
  object: 'sessions_ended';
  /** How many sessions have ended. */
  count: number;
};

export type SubscriptionItemChange = {
  /** The id of an item that the subscription has; a new item has none. */
  id?: string | undefined;
  /** The id of the price of a new item, or of another price for an item. */
  price?: string | undefined;
  /** How many of the price, from 0 to 1,000,000. */
  quantity?: number | undefined;
  /** `true` removes the item. */
  deleted?: boolean | undefined;
};

/** Somebody who signs in to the dashboard. */
export type User = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'user';
  /** The email address. */
  email: string;
  /**
   * Whether the operator, or a message to the address, has confirmed the email. Otherwise anybody who was invited
   * may have typed it.
   */
  email_verified: boolean;
  /** Whether an authenticator is set up. */
  totp_enabled: boolean;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type WebhookAttempt = {
  /** When it was made. In UTC epoch seconds. */
  at: number;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** The HTTP status of the answer; absent when there was none. */
  status?: number;
  /** What went wrong; present when there was no complete answer. */
  error?: string;
  /** The beginning of the answer: 4 KiB for the latest attempt, 256 bytes for earlier ones. */
  response?: string;
};

/** One event for one webhook endpoint. */
export type WebhookDelivery = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'webhook_delivery';
  /** The id of the event. */
  event: string;
  /** The type of the event; absent once the event was deleted. */
  event_type?: string;
  /** The id of the webhook endpoint. */
  webhook_endpoint: string;
  /**
   * `pending`: it is tried, or tried again. `delivered`: the receiver has answered with success. `exhausted`: all
   * attempts have failed. `canceled`: the endpoint was disabled or deleted.
   */
  status: 'pending' | 'delivered' | 'exhausted' | 'canceled';
  /** The latest 10 attempts, oldest first. */
  attempts: Array<WebhookAttempt>;
  /** When it is tried next; present while it is `pending`. In UTC epoch seconds. */
  next_attempt_at?: number;
  /** When the event happened. In UTC epoch seconds. */
  created: number;
};

/** Which page of a list. */
export type ListParameters = {
  /** How many objects to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next older object. Excludes `ending_before`. */
  starting_after?: string | undefined;
  /** An id: the page ends with the next newer object. Excludes `starting_after`. */
  ending_before?: string | undefined;
  /** Only objects that were created within these bounds, in real time: test clocks do not count. */
  created?:
    | {
        /** After this time, in UTC epoch seconds. */
        gt?: number | undefined;
        /** At this time or after it, in UTC epoch seconds. */
        gte?: number | undefined;
        /** Before this time, in UTC epoch seconds. */
        lt?: number | undefined;
        /** At this time or before it, in UTC epoch seconds. */
        lte?: number | undefined;
      }
    | undefined;
};
