// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { CheckoutLineItem, CheckoutSubscriptionData, CustomerDetails } from './checkout_sessions.ts';
import type { Coupon, DeletedCoupon } from './coupons.ts';
import type { Customer, DeletedCustomer } from './customers.ts';
import type { Dispute } from './disputes.ts';
import type { DeletedInvoiceItem, InvoiceItem } from './invoice_items.ts';
import type { Invoice } from './invoices.ts';
import type { PaymentLink } from './payment_links.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { Payment, PaymentProcessor } from './payments.ts';
import type { Price } from './prices.ts';
import type { Refund } from './refunds.ts';
import type { Setup } from './setups.ts';
import type { CheckoutCollect, ListParameters, Metadata, NextAction } from './shared.ts';
import type { Subscription } from './subscriptions.ts';
import type { TestClock } from './test_clocks.ts';
import type { WebhookEndpoint } from './webhook_endpoints.ts';

/** What a customer is to pay for on a page of the gateway. Without `url`. */
export type CheckoutSessionInEvent = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'checkout_session';
  /**
   * `payment`: the customer pays once. `setup`: a payment method is kept, and nothing is paid. `subscription`: the
   * customer subscribes.
   */
  mode: 'payment' | 'setup' | 'subscription';
  /**
   * `open`: it can be paid. `processing`: a try is under way, or its outcome is unknown. It becomes `complete`, or
   * `open` again after a decline. `complete`: it is paid or authorized, or the payment method is kept; see
   * `payment_status`. `expired`: it can no longer be paid.
   */
  status: 'open' | 'processing' | 'complete' | 'expired';
  /**
   * `unpaid`, `paid`, or `authorized` until the payment is captured. `no_payment_required`: nothing is due.
   * Refunds change nothing.
   */
  payment_status: 'unpaid' | 'authorized' | 'paid' | 'no_payment_required';
  /** What the customer pays, in the smallest unit of the currency; of a subscription, what is paid when it begins. */
  amount_total: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /** When it can no longer be paid, in real time. In UTC epoch seconds. */
  expires_at: number;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** What is sold; present when supplied. */
  line_items?: Array<CheckoutLineItem>;
  /** The sum of the lines before the discount; present with `line_items`. */
  amount_subtotal?: number;
  /** What a coupon takes off; present when there is one. */
  amount_discount?: number;
  /** What the amount is for; present when supplied. */
  description?: string;
  /** The id of the customer. */
  customer?: string;
  customer_details?: CustomerDetails;
  /** The id of the payment of the latest try. */
  payment?: string;
  /** The id of the setup of the latest try, where nothing is due. */
  setup?: string;
  /** The id of the subscription that it has started. */
  subscription?: string;
  /** The id of the first invoice of that subscription. */
  invoice?: string;
  /** The id of the payment method that has paid it, or is kept by it. */
  payment_method?: string;
  /** Whether the payment method is kept; present when supplied. */
  save_payment_method?: 'none' | 'offer' | 'require';
  /** Present when supplied. */
  capture_method?: 'automatic' | 'manual';
  /** Whether the customer can enter the code of a coupon; present when supplied. */
  allow_coupons?: boolean;
  subscription_data?: CheckoutSubscriptionData;
  /** The id of the coupon that is applied: that of `subscription_data`, or the one that the customer has entered. */
  coupon?: string;
  collect?: CheckoutCollect;
  /** Where the customer goes after the payment; present when supplied. */
  success_url?: string;
  /** Where the customer goes without paying; present when supplied. */
  cancel_url?: string;
  /** The language of the page; present when supplied. */
  locale?: string;
  /** The number of your order; present when supplied. */
  reference?: string;
  /** The id of the payment link that it was made by. */
  payment_link?: string;
  /** When it was completed. In UTC epoch seconds. */
  completed_at?: number;
  /**
   * `time`, `requested`, `too_many_attempts`: too many tries were declined, or `invoice_paid`: its invoice was
   * paid elsewhere. Present once it has expired.
   */
  expired_reason?: 'time' | 'requested' | 'too_many_attempts' | 'invoice_paid';
  /**
   * `true`: the payment succeeded after the session had expired. Deliver, or refund the payment, and review the
   * session.
   */
  late?: boolean;
  /** When somebody has dealt with the late payment; present once it was reviewed. In UTC epoch seconds. */
  reviewed_at?: number;
  metadata?: Metadata;
  /** The id of the test clock of the customer. */
  test_clock?: string;
  expanded?: CheckoutSessionInEventExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type CheckoutSessionInEventExpanded = {
  customer?: Customer;
  payment?: Payment;
  setup?: Setup;
  subscription?: Subscription;
  invoice?: Invoice;
  payment_method?: PaymentMethod;
  test_clock?: TestClock;
};

export type EventsResendParameters = {
  /**
   * The id of the only webhook endpoint to send it to. Without it, the event goes to all that are enabled and
   * subscribed.
   */
  webhook_endpoint?: string | null | undefined;
};

/** A payment as events have it: without `created`. */
export type PaymentInEvent = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'payment';
  /** The requested amount, in the smallest unit of the currency. */
  amount: number;
  /** What was captured, in the smallest unit of the currency; 0 until then. */
  amount_received: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the customer that it belongs to; present when supplied. */
  customer?: string;
  /** What it is for; present when supplied. */
  description?: string;
  /**
   * The id of the payment method that is charged. Absent while a customer has yet to choose it on a page of the
   * processor; a payment that has succeeded has one.
   */
  payment_method?: string;
  /**
   * `requires_action`: the cardholder must authenticate, within an hour, or pay on a page of the processor.
   * `requires_capture`: it is authorized, and waits for a capture. `processing`: the outcome is unknown, and the
   * processor is asked until it is known. `succeeded`: it is captured. `failed`: it was declined, or never reached
   * the processor. `canceled`: it was canceled or has expired, and the authorization is released.
   */
  status: 'requires_action' | 'requires_capture' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /** The id of the invoice that it was made for. */
  invoice?: string;
  /** The id of the checkout session that it is a try of. */
  checkout_session?: string;
  /**
   * Of a charge without the cardholder: the id of the setup by which the cardholder has agreed to it, where one
   * did.
   */
  setup?: string;
  metadata?: Metadata;
  /** `automatic`: captured immediately. `manual`: captured by request. Present when supplied. */
  capture_method?: 'automatic' | 'manual';
  /**
   * With `capture_method` `manual`: what can be captured, in the smallest unit of the currency. 0 in every status
   * but `requires_capture`.
   */
  amount_capturable?: number;
  /** Present if the merchant has charged it without the cardholder. */
  off_session?: true;
  next_action?: NextAction;
  /** Why it failed, for programs: the code of an error. */
  failure_code?: 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';
  /** The processor's own reason for the decline, such as `insufficient_funds`. */
  failure_decline_code?: string;
  /** Why it failed, for people. */
  failure_message?: string;
  /**
   * What to do after the decline; present when the processor has said so. `never`: do not try this payment method
   * again. `later`: the same charge may succeed another day. `another_method`: this one can never pay it.
   * `another_processor`: another processor may approve it. `authenticate`: the cardholder must be there to
   * authenticate. `update_card`: the details of the card are wrong or old.
   */
  advice?: 'never' | 'later' | 'another_method' | 'another_processor' | 'authenticate' | 'update_card';
  /** When it was canceled. In UTC epoch seconds. */
  canceled_at?: number;
  /**
   * The reason that was given for the cancel. `expired`: nobody acted in time. `made_at_processor`: it was
   * canceled at the processor, and not here.
   */
  cancellation_reason?:
    | 'abandoned'
    | 'duplicate'
    | 'fraudulent'
    | 'requested_by_customer'
    | 'expired'
    | 'made_at_processor';
  /** Present if it was captured at the processor, and not here. */
  captured_elsewhere?: true;
  /** The sum of its pending and succeeded refunds; present after the first refund. */
  amount_refunded?: number;
  /** The id of its latest dispute. */
  dispute?: string;
  processor?: PaymentProcessor;
  expanded?: PaymentInEventExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type PaymentInEventExpanded = {
  customer?: Customer;
  payment_method?: PaymentMethod;
  invoice?: Invoice;
  setup?: Setup;
  dispute?: Dispute;
};

export type EventsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only events of this type, or of a family such as `payment.*`. It cannot be given with `object_id`. */
  type?:
    | 'test_clock.ready'
    | 'customer.created'
    | 'customer.updated'
    | 'customer.deleted'
    | 'customer.credit_balance_updated'
    | 'payment_method.attached'
    | 'payment_method.detached'
    | 'payment_method.updated'
    | 'price.created'
    | 'price.updated'
    | 'coupon.created'
    | 'coupon.deleted'
    | 'invoice_item.created'
    | 'invoice_item.deleted'
    | 'setup.succeeded'
    | 'setup.failed'
    | 'setup.requires_action'
    | 'setup.canceled'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.requires_action'
    | 'payment.requires_capture'
    | 'payment.processing'
    | 'payment.canceled'
    | 'payment.updated'
    | 'payment.refunded'
    | 'refund.created'
    | 'refund.updated'
    | 'refund.failed'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.closed'
    | 'invoice.created'
    | 'invoice.updated'
    | 'invoice.finalized'
    | 'invoice.paid'
    | 'invoice.payment_failed'
    | 'invoice.payment_action_required'
    | 'invoice.voided'
    | 'invoice.marked_uncollectible'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.trial_will_end'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.canceled'
    | 'checkout_session.created'
    | 'checkout_session.completed'
    | 'checkout_session.expired'
    | 'checkout_session.payment_failed'
    | 'checkout_session.processing'
    | 'payment_link.created'
    | 'payment_link.updated'
    | 'webhook_endpoint.disabled'
    | 'webhook_endpoint.test'
    | 'test_clock.*'
    | 'customer.*'
    | 'payment_method.*'
    | 'price.*'
    | 'coupon.*'
    | 'invoice_item.*'
    | 'setup.*'
    | 'payment.*'
    | 'refund.*'
    | 'dispute.*'
    | 'invoice.*'
    | 'subscription.*'
    | 'checkout_session.*'
    | 'payment_link.*'
    | 'webhook_endpoint.*'
    | undefined;
  /** Only events about the object with this id. */
  object_id?: string | undefined;
};

/** What every event has. */
export type EventOf<Type extends string, Subject> = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'event';
  /** The date of the version of the API that defines the shape of the event. */
  api_version: string;
  /** When it happened, by the test clock of the customer if there is one. In UTC epoch seconds. */
  created: number;
  /** What the event is about. */
  data: {
    object: Subject;
    /** In an update: the members that have changed, with their previous values. Null: it was not there. */
    previous_attributes?: Record<string, unknown>;
  };
  type: Type;
};

/** An advance of a test clock has ended. */
export type TestClockReadyEvent = EventOf<'test_clock.ready', TestClock>;
/** A customer was created. */
export type CustomerCreatedEvent = EventOf<'customer.created', Customer>;
/** A customer was changed; not if an update changed nothing. */
export type CustomerUpdatedEvent = EventOf<'customer.updated', Customer>;
/** A customer was deleted. */
export type CustomerDeletedEvent = EventOf<'customer.deleted', DeletedCustomer>;
/** The credit of a customer changed; not if the customer was deleted. */
export type CustomerCreditBalanceUpdatedEvent = EventOf<'customer.credit_balance_updated', Customer>;
/** A payment method was attached to a customer, or created with one. */
export type PaymentMethodAttachedEvent = EventOf<'payment_method.attached', PaymentMethod>;
/** A payment method was detached, also by the deletion of its customer. */
export type PaymentMethodDetachedEvent = EventOf<'payment_method.detached', PaymentMethod>;
/** A payment method was changed. If only the address changed, which is not shown, `previous_attributes` is empty. */
export type PaymentMethodUpdatedEvent = EventOf<'payment_method.updated', PaymentMethod>;
/** A price was created. */
export type PriceCreatedEvent = EventOf<'price.created', Price>;
/** A price was changed; not if an update changed nothing. */
export type PriceUpdatedEvent = EventOf<'price.updated', Price>;
/** A coupon was created. */
export type CouponCreatedEvent = EventOf<'coupon.created', Coupon>;
/** A coupon was deleted. */
export type CouponDeletedEvent = EventOf<'coupon.deleted', DeletedCoupon>;
/** An invoice item was created. */
export type InvoiceItemCreatedEvent = EventOf<'invoice_item.created', InvoiceItem>;
/** An invoice item was deleted, also by the deletion of its customer. */
export type InvoiceItemDeletedEvent = EventOf<'invoice_item.deleted', DeletedInvoiceItem>;
/** A payment method was verified, and its cardholder has agreed to later charges. */
export type SetupSucceededEvent = EventOf<'setup.succeeded', Setup>;
/** A setup was declined, or never reached the processor. */
export type SetupFailedEvent = EventOf<'setup.failed', Setup>;
/** The cardholder must authenticate. */
export type SetupRequiresActionEvent = EventOf<'setup.requires_action', Setup>;
/** A setup was canceled, or expired. */
export type SetupCanceledEvent = EventOf<'setup.canceled', Setup>;
/** A payment was captured. */
export type PaymentSucceededEvent = EventOf<'payment.succeeded', PaymentInEvent>;
/** A payment was declined, or never reached the processor. */
export type PaymentFailedEvent = EventOf<'payment.failed', PaymentInEvent>;
/** The cardholder must authenticate. */
export type PaymentRequiresActionEvent = EventOf<'payment.requires_action', PaymentInEvent>;
/** A payment was authorized. */
export type PaymentRequiresCaptureEvent = EventOf<'payment.requires_capture', PaymentInEvent>;
/** The outcome of a payment is unknown. */
export type PaymentProcessingEvent = EventOf<'payment.processing', PaymentInEvent>;
/** A payment was canceled, or expired. */
export type PaymentCanceledEvent = EventOf<'payment.canceled', PaymentInEvent>;
/** Description or metadata of a payment changed, or the payment was linked to an invoice. */
export type PaymentUpdatedEvent = EventOf<'payment.updated', PaymentInEvent>;
/** A refund of a payment succeeded. */
export type PaymentRefundedEvent = EventOf<'payment.refunded', PaymentInEvent>;
/** A refund was created. */
export type RefundCreatedEvent = EventOf<'refund.created', Refund>;
/** A pending refund succeeded, or its metadata changed. */
export type RefundUpdatedEvent = EventOf<'refund.updated', Refund>;
/** A refund failed, immediately or later. */
export type RefundFailedEvent = EventOf<'refund.failed', Refund>;
/** A payment was disputed. */
export type DisputeCreatedEvent = EventOf<'dispute.created', Dispute>;
/** Evidence was collected or submitted, or metadata changed. */
export type DisputeUpdatedEvent = EventOf<'dispute.updated', Dispute>;
/** A dispute was won or lost. */
export type DisputeClosedEvent = EventOf<'dispute.closed', Dispute>;
/** A draft of an invoice was created; an invoice of a subscription begins as one too. */
export type InvoiceCreatedEvent = EventOf<'invoice.created', Invoice>;
/** The metadata of an invoice changed. */
export type InvoiceUpdatedEvent = EventOf<'invoice.updated', Invoice>;
/** An invoice got its number and is open. */
export type InvoiceFinalizedEvent = EventOf<'invoice.finalized', Invoice>;
/** An invoice was paid, by a payment, by credit, or because nothing was due. */
export type InvoicePaidEvent = EventOf<'invoice.paid', Invoice>;
/** A payment of an invoice failed, or there was no method to charge. */
export type InvoicePaymentFailedEvent = EventOf<'invoice.payment_failed', Invoice>;
/** A payment of an invoice needs the cardholder, who is not on its page. */
export type InvoicePaymentActionRequiredEvent = EventOf<'invoice.payment_action_required', Invoice>;
/** An invoice became void. */
export type InvoiceVoidedEvent = EventOf<'invoice.voided', Invoice>;
/** An invoice was given up, by a request or at the end of the retries. */
export type InvoiceMarkedUncollectibleEvent = EventOf<'invoice.marked_uncollectible', Invoice>;
/** A subscription was created. */
export type SubscriptionCreatedEvent = EventOf<'subscription.created', Subscription>;
/**
 * A subscription was changed, by a request, a new period or one of its invoices; not if nothing that is shown
 * changed.
 */
export type SubscriptionUpdatedEvent = EventOf<'subscription.updated', Subscription>;
/** A trial ends in three days, or in less if it is shorter. */
export type SubscriptionTrialWillEndEvent = EventOf<'subscription.trial_will_end', Subscription>;
/** A subscription was paused. */
export type SubscriptionPausedEvent = EventOf<'subscription.paused', Subscription>;
/** A paused subscription was resumed. */
export type SubscriptionResumedEvent = EventOf<'subscription.resumed', Subscription>;
/**
 * A subscription has ended, by a request, with its period, at the end of the retries, because its first invoice
 * was not paid, or with its customer.
 */
export type SubscriptionCanceledEvent = EventOf<'subscription.canceled', Subscription>;
/** A checkout session was created. */
export type CheckoutSessionCreatedEvent = EventOf<'checkout_session.created', CheckoutSessionInEvent>;
/** A customer has paid, or nothing was to pay. There is one for each session that completes. */
export type CheckoutSessionCompletedEvent = EventOf<'checkout_session.completed', CheckoutSessionInEvent>;
/**
 * A checkout session can no longer be paid: its time is over, it was requested, too many tries failed, or its
 * invoice was paid elsewhere.
 */
export type CheckoutSessionExpiredEvent = EventOf<'checkout_session.expired', CheckoutSessionInEvent>;
/**
 * A try has failed, to pay or to keep a payment method: it was declined, the customer was not authenticated, or
 * the processor never received it.
 */
export type CheckoutSessionPaymentFailedEvent = EventOf<'checkout_session.payment_failed', CheckoutSessionInEvent>;
/** The outcome of a try is unknown, or the processor takes its time. */
export type CheckoutSessionProcessingEvent = EventOf<'checkout_session.processing', CheckoutSessionInEvent>;
/** A payment link was created. */
export type PaymentLinkCreatedEvent = EventOf<'payment_link.created', PaymentLink>;
/** A payment link was changed; not if an update changed nothing, nor by a sale. */
export type PaymentLinkUpdatedEvent = EventOf<'payment_link.updated', PaymentLink>;
/** A webhook endpoint was disabled because of failures. */
export type WebhookEndpointDisabledEvent = EventOf<'webhook_endpoint.disabled', WebhookEndpoint>;
/** A test event was requested. */
export type WebhookEndpointTestEvent = EventOf<'webhook_endpoint.test', WebhookEndpoint>;

/** An event. Its `type` says what `data.object` is. A newer gateway may send types that are not listed here. */
export type Event =
  | TestClockReadyEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerDeletedEvent
  | CustomerCreditBalanceUpdatedEvent
  | PaymentMethodAttachedEvent
  | PaymentMethodDetachedEvent
  | PaymentMethodUpdatedEvent
  | PriceCreatedEvent
  | PriceUpdatedEvent
  | CouponCreatedEvent
  | CouponDeletedEvent
  | InvoiceItemCreatedEvent
  | InvoiceItemDeletedEvent
  | SetupSucceededEvent
  | SetupFailedEvent
  | SetupRequiresActionEvent
  | SetupCanceledEvent
  | PaymentSucceededEvent
  | PaymentFailedEvent
  | PaymentRequiresActionEvent
  | PaymentRequiresCaptureEvent
  | PaymentProcessingEvent
  | PaymentCanceledEvent
  | PaymentUpdatedEvent
  | PaymentRefundedEvent
  | RefundCreatedEvent
  | RefundUpdatedEvent
  | RefundFailedEvent
  | DisputeCreatedEvent
  | DisputeUpdatedEvent
  | DisputeClosedEvent
  | InvoiceCreatedEvent
  | InvoiceUpdatedEvent
  | InvoiceFinalizedEvent
  | InvoicePaidEvent
  | InvoicePaymentFailedEvent
  | InvoicePaymentActionRequiredEvent
  | InvoiceVoidedEvent
  | InvoiceMarkedUncollectibleEvent
  | SubscriptionCreatedEvent
  | SubscriptionUpdatedEvent
  | SubscriptionTrialWillEndEvent
  | SubscriptionPausedEvent
  | SubscriptionResumedEvent
  | SubscriptionCanceledEvent
  | CheckoutSessionCreatedEvent
  | CheckoutSessionCompletedEvent
  | CheckoutSessionExpiredEvent
  | CheckoutSessionPaymentFailedEvent
  | CheckoutSessionProcessingEvent
  | PaymentLinkCreatedEvent
  | PaymentLinkUpdatedEvent
  | WebhookEndpointDisabledEvent
  | WebhookEndpointTestEvent;

/** The types of events. */
export type EventType = Event['type'];
