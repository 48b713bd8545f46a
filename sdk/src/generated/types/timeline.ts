// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Attempt } from './shared.ts';

/** Who has caused it; absent for what happened without a request, or is no longer known. */
export type TimelineActor = {
  /** The id of a person. */
  user?: string;
  /** The id of an API key. */
  api_key?: string;
  /** The email of the person, the name of an operator, or `the customer`, who did it in the portal; for people. */
  name?: string;
};

/** A change by a person, an operator or a customer in the portal, as the audit log has it. */
export type TimelineAudit = {
  /** What was done. */
  action: string;
  /** Who did it: the email of a person, the name of an operator, or `the customer` in the portal. */
  actor: string;
  /** The id of the object that was changed. */
  subject: string;
  /** The id of the user; absent for an operator. */
  user?: string;
  /** The IP address that it came from; absent for an operator, and for those who may not read the audit log. */
  address?: string;
  /**
   * The id of the request; that of an act (`act_`), which the request log does not have, for a customer. Absent
   * for a command of an operator.
   */
  request?: string;
};

/** The event on its way to one webhook endpoint. */
export type TimelineDelivery = {
  /** The id of the delivery. */
  id: string;
  /** The id of the webhook endpoint. */
  webhook_endpoint: string;
  /** What became of it. */
  status: 'pending' | 'delivered' | 'exhausted' | 'canceled';
  /** When it is tried next; present while it is `pending`. In UTC epoch seconds. */
  next_attempt_at?: number;
  /** The latest 10 attempts, oldest first. */
  attempts: Array<{
    /** When it was made, in UTC epoch milliseconds. */
    at_ms: number;
    /** How long it took, in milliseconds. */
    duration_ms: number;
    /** The HTTP status of the answer; absent when there was none. */
    status?: number;
    /** What went wrong; present when there was no complete answer. */
    error?: string;
  }>;
};

/** Something that happened to an object. */
export type TimelineEntry = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'timeline_entry';
  /** What kind of entry it is. The member of this name has the details. */
  type: 'audit' | 'attempt' | 'event' | 'posting' | 'mail' | 'request';
  /** What happened, in words. */
  summary: string;
  /** When it happened, in real time. In UTC epoch seconds. */
  created: number;
  /** The same in milliseconds. */
  created_ms: number;
  /**
   * Entries of one cause have the same: a request with its attempts, postings, events and deliveries. It is the id
   * of the request, or another text for what happened without one.
   */
  group: string;
  by?: TimelineActor;
  audit?: TimelineAudit;
  attempt?: Attempt;
  event?: TimelineEvent;
  posting?: TimelinePosting;
  mail?: TimelineMail;
  request?: TimelineRequest;
};

/** A change of the object, and which endpoints it was sent to. */
export type TimelineEvent = {
  /** The id of the event. */
  id: string;
  /** What has happened. */
  type: string;
  /** The id of the object that it is about. */
  object_id: string;
  /** The status of the object after it; absent for objects without one. */
  status?: string;
  /** In an update: the members that have changed, with their previous values. */
  previous_attributes?: Record<string, unknown>;
  /** The amount of the object, in the smallest unit of the currency: of an invoice, what is due. */
  amount?: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /** Of a payment: how much of it is refunded. */
  amount_refunded?: number;
  /** Of an invoice: its number. */
  number?: string;
  /** Of a dispute or a refund: its reason. Of a payment: why it was canceled. */
  reason?: string;
  /** Of what has failed: why it was declined. */
  decline_code?: string;
  /** Of what has failed: what to do after the decline. */
  advice?: 'never' | 'later' | 'another_method' | 'another_processor' | 'authenticate' | 'update_card';
  /** Of a payment method: the card. */
  card?: {
    /** Its brand. */
    brand?: string;
    /** Its last four digits. */
    last4?: string;
  };
  /**
   * The id of the request that has caused it, or of an act of the customer in the portal (`act_`); absent if it
   * happened by itself.
   */
  request?: string;
  /** To which webhook endpoints it goes, and what became of it. */
  deliveries: Array<TimelineDelivery>;
};

/** A mail to the customer, and what became of it. */
export type TimelineMail = {
  /** The id of the mail. */
  id: string;
  /** What it is about, such as `receipt`: the name by which the account has switched it on. */
  kind: string;
  /** The address; absent once it was erased with the customer. */
  to?: string;
  /** The subject, in the language of the customer. */
  subject: string;
  /**
   * `queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it; in development
   * without one, it can be read in the dashboard. `failed`: no attempt has succeeded, or the mail server has
   * refused what it says. `bounced`: the mail server has refused the address. `suppressed`: it was not sent.
   */
  status: 'queued' | 'sent' | 'failed' | 'bounced' | 'suppressed';
  /** Why the latest attempt has failed. */
  failure?: string;
  /**
   * Why it was not sent. `test_mode`: in test mode, mails go to members of the account alone. `not_configured`:
   * the operator has set up no mail server. `bounced_before`: the address was refused before. Change the email of
   * the customer. `customer_deleted`: the customer was deleted, or its details were erased.
   */
  suppressed_reason?: 'test_mode' | 'not_configured' | 'bounced_before' | 'customer_deleted';
};

/** A movement of money in the ledger. */
export type TimelinePosting = {
  /** The id of the posting. If it changes the balance, it is also that of the balance transaction. */
  id: string;
  /** What has moved the money. */
  kind:
    | 'payment'
    | 'fee'
    | 'payment_correction'
    | 'fee_correction'
    | 'refund'
    | 'refund_settled'
    | 'refund_failure'
    | 'refund_bounce'
    | 'refund_correction'
    | 'dispute'
    | 'dispute_reversal'
    | 'dispute_lost'
    | 'credit_granted'
    | 'credit_used'
    | 'credit_forfeited';
  /** The account of the ledger that it takes from. */
  debit: string;
  /** The account of the ledger that it adds to. */
  credit: string;
  /** How much, in the smallest unit of the currency. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the object that has caused it. */
  source: string;
  /** Its place in the order in which postings are sealed. Those of one commit have the same. */
  position: number;
  /** Whether it is sealed into the chain of the ledger, which takes about a second. */
  sealed: boolean;
};

/** A request that was to create or change the object. */
export type TimelineRequest = {
  /** The id of the request, by which the request log has it. */
  id: string;
  /** The method of the request. */
  method: string;
  /** The route. */
  path: string;
  /** The status of the answer. */
  status: number;
  /** The code of the refusal; absent if there was none. */
  error_code?: string;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** The id of the API key that it was sent with. */
  api_key?: string;
  /** The id of the user who has sent it from the dashboard. */
  user?: string;
};

export type TimelineListParameters = {
  /** How many objects to return; 10 when not given. */
  limit?: number | undefined;
  /** The id of an entry: the page begins with the next older one. */
  starting_after?: string | undefined;
};
