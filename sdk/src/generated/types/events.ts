// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Coupon, DeletedCoupon } from './coupons.ts';
import type { Customer, DeletedCustomer } from './customers.ts';
import type { Dispute } from './disputes.ts';
import type { DeletedInvoiceItem, InvoiceItem } from './invoice_items.ts';
import type { Invoice } from './invoices.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { Price } from './prices.ts';
import type { Refund } from './refunds.ts';
import type { Metadata } from './shared.ts';
import type { Subscription } from './subscriptions.ts';
import type { TestClock } from './test_clocks.ts';
import type { WebhookEndpoint } from './webhook_endpoints.ts';

export type EventsResendParameters = {
  /** Only to this one; else to all that are enabled and subscribed */
  webhook_endpoint?: string | null | undefined;
};

export type PaymentInEvent = {
  id: string;
  object: 'payment';
  amount: number;
  amount_received: number;
  currency: string;
  customer?: string;
  description?: string;
  payment_method: string;
  status: 'requires_action' | 'requires_capture' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  invoice?: string;
  metadata?: Metadata;
  capture_method?: 'automatic' | 'manual';
  amount_capturable?: number;
  next_action?: {
    type: 'redirect_to_url';
    redirect_to_url: {
      url: string;
    };
  };
  failure_code?: string;
  failure_message?: string;
  /** UTC epoch seconds */
  canceled_at?: number;
  cancellation_reason?: string;
  amount_refunded?: number;
  dispute?: string;
  processor?: {
    account: string;
    connector: string;
    reference?: string;
  };
};

export type EventsListParameters = {
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
  /** Only events of this type. */
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
    | 'webhook_endpoint.disabled'
    | 'webhook_endpoint.test'
    | undefined;
};

/** What every event has. */
export type EventOf<Type extends string, Subject> = {
  id: string;
  object: 'event';
  api_version: string;
  /** UTC epoch seconds */
  created: number;
  data: {
    object: Subject;
    /** In an update: the members that have changed, with their previous values. Null: it was not there. */
    previous_attributes?: Record<string, unknown>;
  };
  type: Type;
};

export type TestClockReadyEvent = EventOf<'test_clock.ready', TestClock>;
export type CustomerCreatedEvent = EventOf<'customer.created', Customer>;
export type CustomerUpdatedEvent = EventOf<'customer.updated', Customer>;
export type CustomerDeletedEvent = EventOf<'customer.deleted', DeletedCustomer>;
export type CustomerCreditBalanceUpdatedEvent = EventOf<'customer.credit_balance_updated', Customer>;
export type PaymentMethodAttachedEvent = EventOf<'payment_method.attached', PaymentMethod>;
export type PaymentMethodDetachedEvent = EventOf<'payment_method.detached', PaymentMethod>;
export type PaymentMethodUpdatedEvent = EventOf<'payment_method.updated', PaymentMethod>;
export type PriceCreatedEvent = EventOf<'price.created', Price>;
export type PriceUpdatedEvent = EventOf<'price.updated', Price>;
export type CouponCreatedEvent = EventOf<'coupon.created', Coupon>;
export type CouponDeletedEvent = EventOf<'coupon.deleted', DeletedCoupon>;
export type InvoiceItemCreatedEvent = EventOf<'invoice_item.created', InvoiceItem>;
export type InvoiceItemDeletedEvent = EventOf<'invoice_item.deleted', DeletedInvoiceItem>;
export type PaymentSucceededEvent = EventOf<'payment.succeeded', PaymentInEvent>;
export type PaymentFailedEvent = EventOf<'payment.failed', PaymentInEvent>;
export type PaymentRequiresActionEvent = EventOf<'payment.requires_action', PaymentInEvent>;
export type PaymentRequiresCaptureEvent = EventOf<'payment.requires_capture', PaymentInEvent>;
export type PaymentProcessingEvent = EventOf<'payment.processing', PaymentInEvent>;
export type PaymentCanceledEvent = EventOf<'payment.canceled', PaymentInEvent>;
export type PaymentUpdatedEvent = EventOf<'payment.updated', PaymentInEvent>;
export type PaymentRefundedEvent = EventOf<'payment.refunded', PaymentInEvent>;
export type RefundCreatedEvent = EventOf<'refund.created', Refund>;
export type RefundUpdatedEvent = EventOf<'refund.updated', Refund>;
export type RefundFailedEvent = EventOf<'refund.failed', Refund>;
export type DisputeCreatedEvent = EventOf<'dispute.created', Dispute>;
export type DisputeUpdatedEvent = EventOf<'dispute.updated', Dispute>;
export type DisputeClosedEvent = EventOf<'dispute.closed', Dispute>;
export type InvoiceCreatedEvent = EventOf<'invoice.created', Invoice>;
export type InvoiceUpdatedEvent = EventOf<'invoice.updated', Invoice>;
export type InvoiceFinalizedEvent = EventOf<'invoice.finalized', Invoice>;
export type InvoicePaidEvent = EventOf<'invoice.paid', Invoice>;
export type InvoicePaymentFailedEvent = EventOf<'invoice.payment_failed', Invoice>;
export type InvoicePaymentActionRequiredEvent = EventOf<'invoice.payment_action_required', Invoice>;
export type InvoiceVoidedEvent = EventOf<'invoice.voided', Invoice>;
export type InvoiceMarkedUncollectibleEvent = EventOf<'invoice.marked_uncollectible', Invoice>;
export type SubscriptionCreatedEvent = EventOf<'subscription.created', Subscription>;
export type SubscriptionUpdatedEvent = EventOf<'subscription.updated', Subscription>;
export type SubscriptionTrialWillEndEvent = EventOf<'subscription.trial_will_end', Subscription>;
export type SubscriptionPausedEvent = EventOf<'subscription.paused', Subscription>;
export type SubscriptionResumedEvent = EventOf<'subscription.resumed', Subscription>;
export type SubscriptionCanceledEvent = EventOf<'subscription.canceled', Subscription>;
export type WebhookEndpointDisabledEvent = EventOf<'webhook_endpoint.disabled', WebhookEndpoint>;
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
  | WebhookEndpointDisabledEvent
  | WebhookEndpointTestEvent;

/** The types of events. */
export type EventType = Event['type'];
