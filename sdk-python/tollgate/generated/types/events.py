# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .checkout_sessions import CheckoutLineItem, CheckoutSubscriptionData, CustomerDetails
    from .coupons import Coupon, DeletedCoupon
    from .customers import Customer, DeletedCustomer
    from .disputes import Dispute
    from .invoice_items import DeletedInvoiceItem, InvoiceItem
    from .invoices import Invoice
    from .payment_links import PaymentLink
    from .payment_methods import PaymentMethod
    from .payments import Payment, PaymentProcessor
    from .prices import Price
    from .refunds import Refund
    from .setups import Setup
    from .shared import CheckoutCollect, Metadata, NextAction
    from .subscriptions import Subscription
    from .test_clocks import TestClock
    from .webhook_endpoints import WebhookEndpoint

__all__ = [
    "CheckoutSessionInEvent",
    "CheckoutSessionInEventExpanded",
    "EventsResendParameters",
    "PaymentInEvent",
    "PaymentInEventExpanded",
    "EventsListParameters",
    "TestClockReadyEventData",
    "TestClockReadyEvent",
    "CustomerCreatedEventData",
    "CustomerCreatedEvent",
    "CustomerUpdatedEventData",
    "CustomerUpdatedEvent",
    "CustomerDeletedEventData",
    "CustomerDeletedEvent",
    "CustomerCreditBalanceUpdatedEventData",
    "CustomerCreditBalanceUpdatedEvent",
    "PaymentMethodAttachedEventData",
    "PaymentMethodAttachedEvent",
    "PaymentMethodDetachedEventData",
    "PaymentMethodDetachedEvent",
    "PaymentMethodUpdatedEventData",
    "PaymentMethodUpdatedEvent",
    "PriceCreatedEventData",
    "PriceCreatedEvent",
    "PriceUpdatedEventData",
    "PriceUpdatedEvent",
    "CouponCreatedEventData",
    "CouponCreatedEvent",
    "CouponDeletedEventData",
    "CouponDeletedEvent",
    "InvoiceItemCreatedEventData",
    "InvoiceItemCreatedEvent",
    "InvoiceItemDeletedEventData",
    "InvoiceItemDeletedEvent",
    "SetupSucceededEventData",
    "SetupSucceededEvent",
    "SetupFailedEventData",
    "SetupFailedEvent",
    "SetupRequiresActionEventData",
    "SetupRequiresActionEvent",
    "SetupCanceledEventData",
    "SetupCanceledEvent",
    "PaymentSucceededEventData",
    "PaymentSucceededEvent",
    "PaymentFailedEventData",
    "PaymentFailedEvent",
    "PaymentRequiresActionEventData",
    "PaymentRequiresActionEvent",
    "PaymentRequiresCaptureEventData",
    "PaymentRequiresCaptureEvent",
    "PaymentProcessingEventData",
    "PaymentProcessingEvent",
    "PaymentCanceledEventData",
    "PaymentCanceledEvent",
    "PaymentUpdatedEventData",
    "PaymentUpdatedEvent",
    "PaymentRefundedEventData",
    "PaymentRefundedEvent",
    "RefundCreatedEventData",
    "RefundCreatedEvent",
    "RefundUpdatedEventData",
    "RefundUpdatedEvent",
    "RefundFailedEventData",
    "RefundFailedEvent",
    "DisputeCreatedEventData",
    "DisputeCreatedEvent",
    "DisputeUpdatedEventData",
    "DisputeUpdatedEvent",
    "DisputeClosedEventData",
    "DisputeClosedEvent",
    "InvoiceCreatedEventData",
    "InvoiceCreatedEvent",
    "InvoiceUpdatedEventData",
    "InvoiceUpdatedEvent",
    "InvoiceFinalizedEventData",
    "InvoiceFinalizedEvent",
    "InvoicePaidEventData",
    "InvoicePaidEvent",
    "InvoicePaymentFailedEventData",
    "InvoicePaymentFailedEvent",
    "InvoicePaymentActionRequiredEventData",
    "InvoicePaymentActionRequiredEvent",
    "InvoiceVoidedEventData",
    "InvoiceVoidedEvent",
    "InvoiceMarkedUncollectibleEventData",
    "InvoiceMarkedUncollectibleEvent",
    "SubscriptionCreatedEventData",
    "SubscriptionCreatedEvent",
    "SubscriptionUpdatedEventData",
    "SubscriptionUpdatedEvent",
    "SubscriptionTrialWillEndEventData",
    "SubscriptionTrialWillEndEvent",
    "SubscriptionPausedEventData",
    "SubscriptionPausedEvent",
    "SubscriptionResumedEventData",
    "SubscriptionResumedEvent",
    "SubscriptionCanceledEventData",
    "SubscriptionCanceledEvent",
    "CheckoutSessionCreatedEventData",
    "CheckoutSessionCreatedEvent",
    "CheckoutSessionCompletedEventData",
    "CheckoutSessionCompletedEvent",
    "CheckoutSessionExpiredEventData",
    "CheckoutSessionExpiredEvent",
    "CheckoutSessionPaymentFailedEventData",
    "CheckoutSessionPaymentFailedEvent",
    "CheckoutSessionProcessingEventData",
    "CheckoutSessionProcessingEvent",
    "PaymentLinkCreatedEventData",
    "PaymentLinkCreatedEvent",
    "PaymentLinkUpdatedEventData",
    "PaymentLinkUpdatedEvent",
    "WebhookEndpointDisabledEventData",
    "WebhookEndpointDisabledEvent",
    "WebhookEndpointTestEventData",
    "WebhookEndpointTestEvent",
    "Event",
    "EventType",
]


class CheckoutSessionInEvent(TypedDict):
    """What a customer is to pay for on a page of the gateway. Without `url`."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["checkout_session"]
    """The kind of object."""
    mode: Literal["payment", "setup", "subscription"]
    """`payment`: the customer pays once. `setup`: a payment method is kept, and nothing is paid. `subscription`: the
    customer subscribes.
    """
    status: Literal["open", "processing", "complete", "expired"]
    """`open`: it can be paid. `processing`: a try is under way, or its outcome is unknown. It becomes `complete`, or
    `open` again after a decline. `complete`: it is paid or authorized, or the payment method is kept; see
    `payment_status`. `expired`: it can no longer be paid.
    """
    payment_status: Literal["unpaid", "authorized", "paid", "no_payment_required"]
    """`unpaid`, `paid`, or `authorized` until the payment is captured. `no_payment_required`: nothing is due.
    Refunds change nothing.
    """
    amount_total: int
    """What the customer pays, in the smallest unit of the currency; of a subscription, what is paid when it begins."""
    currency: NotRequired[str]
    """A three-letter ISO currency code in lower case."""
    expires_at: int
    """When it can no longer be paid, in real time. In UTC epoch seconds."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    line_items: NotRequired[List[CheckoutLineItem]]
    """What is sold; present when supplied."""
    amount_subtotal: NotRequired[int]
    """The sum of the lines before the discount; present with `line_items`."""
    amount_discount: NotRequired[int]
    """What a coupon takes off; present when there is one."""
    description: NotRequired[str]
    """What the amount is for; present when supplied."""
    customer: NotRequired[str]
    """The id of the customer."""
    customer_details: NotRequired[CustomerDetails]
    payment: NotRequired[str]
    """The id of the payment of the latest try."""
    setup: NotRequired[str]
    """The id of the setup of the latest try, where nothing is due."""
    subscription: NotRequired[str]
    """The id of the subscription that it has started."""
    invoice: NotRequired[str]
    """The id of the first invoice of that subscription."""
    payment_method: NotRequired[str]
    """The id of the payment method that has paid it, or is kept by it."""
    save_payment_method: NotRequired[Literal["none", "offer", "require"]]
    """Whether the payment method is kept; present when supplied."""
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """Present when supplied."""
    allow_coupons: NotRequired[bool]
    """Whether the customer can enter the code of a coupon; present when supplied."""
    subscription_data: NotRequired[CheckoutSubscriptionData]
    coupon: NotRequired[str]
    """The id of the coupon that is applied: that of `subscription_data`, or the one that the customer has entered."""
    collect: NotRequired[CheckoutCollect]
    success_url: NotRequired[str]
    """Where the customer goes after the payment; present when supplied."""
    cancel_url: NotRequired[str]
    """Where the customer goes without paying; present when supplied."""
    locale: NotRequired[str]
    """The language of the page; present when supplied."""
    reference: NotRequired[str]
    """The number of your order; present when supplied."""
    payment_link: NotRequired[str]
    """The id of the payment link that it was made by."""
    completed_at: NotRequired[int]
    """When it was completed. In UTC epoch seconds."""
    expired_reason: NotRequired[Literal["time", "requested", "too_many_attempts", "invoice_paid"]]
    """`time`, `requested`, `too_many_attempts`: too many tries were declined, or `invoice_paid`: its invoice was
    paid elsewhere. Present once it has expired.
    """
    late: NotRequired[bool]
    """`true`: the payment succeeded after the session had expired. Deliver, or refund the payment, and review the
    session.
    """
    reviewed_at: NotRequired[int]
    """When somebody has dealt with the late payment; present once it was reviewed. In UTC epoch seconds."""
    metadata: NotRequired[Metadata]
    test_clock: NotRequired[str]
    """The id of the test clock of the customer."""
    expanded: NotRequired[CheckoutSessionInEventExpanded]


class CheckoutSessionInEventExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    payment: NotRequired[Payment]
    setup: NotRequired[Setup]
    subscription: NotRequired[Subscription]
    invoice: NotRequired[Invoice]
    payment_method: NotRequired[PaymentMethod]
    test_clock: NotRequired[TestClock]


class EventsResendParameters(TypedDict):
    webhook_endpoint: NotRequired[Optional[str]]
    """The id of the only webhook endpoint to send it to. Without it, the event goes to all that are enabled and
    subscribed.
    """


class PaymentInEvent(TypedDict):
    """A payment as events have it: without `created`."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["payment"]
    """The kind of object."""
    amount: int
    """The requested amount, in the smallest unit of the currency."""
    amount_received: int
    """What was captured, in the smallest unit of the currency; 0 until then."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    customer: NotRequired[str]
    """The id of the customer that it belongs to; present when supplied."""
    description: NotRequired[str]
    """What it is for; present when supplied."""
    payment_method: NotRequired[str]
    """The id of the payment method that is charged. Absent while a customer has yet to choose it on a page of the
    processor; a payment that has succeeded has one.
    """
    status: Literal["requires_action", "requires_capture", "processing", "succeeded", "failed", "canceled"]
    """`requires_action`: the cardholder must authenticate, within an hour, or pay on a page of the processor.
    `requires_capture`: it is authorized, and waits for a capture. `processing`: the outcome is unknown, and the
    processor is asked until it is known. `succeeded`: it is captured. `failed`: it was declined, or never reached
    the processor. `canceled`: it was canceled or has expired, and the authorization is released.
    """
    invoice: NotRequired[str]
    """The id of the invoice that it was made for."""
    checkout_session: NotRequired[str]
    """The id of the checkout session that it is a try of."""
    setup: NotRequired[str]
    """Of a charge without the cardholder: the id of the setup by which the cardholder has agreed to it, where one
    did.
    """
    metadata: NotRequired[Metadata]
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """`automatic`: captured immediately. `manual`: captured by request. Present when supplied."""
    amount_capturable: NotRequired[int]
    """With `capture_method` `manual`: what can be captured, in the smallest unit of the currency. 0 in every status
    but `requires_capture`.
    """
    off_session: NotRequired[Literal[True]]
    """Present if the merchant has charged it without the cardholder."""
    next_action: NotRequired[NextAction]
    failure_code: NotRequired[Literal["card_declined", "expired_card", "incorrect_cvc", "processing_error"]]
    """Why it failed, for programs: the code of an error."""
    failure_decline_code: NotRequired[str]
    """The processor's own reason for the decline, such as `insufficient_funds`."""
    failure_message: NotRequired[str]
    """Why it failed, for people."""
    advice: NotRequired[Literal["never", "later", "another_method", "another_processor", "authenticate", "update_card"]]
    """What to do after the decline; present when the processor has said so. `never`: do not try this payment method
    again. `later`: the same charge may succeed another day. `another_method`: this one can never pay it.
    `another_processor`: another processor may approve it. `authenticate`: the cardholder must be there to
    authenticate. `update_card`: the details of the card are wrong or old.
    """
    canceled_at: NotRequired[int]
    """When it was canceled. In UTC epoch seconds."""
    cancellation_reason: NotRequired[Literal["abandoned", "duplicate", "fraudulent", "requested_by_customer", "expired", "made_at_processor"]]
    """The reason that was given for the cancel. `expired`: nobody acted in time. `made_at_processor`: it was
    canceled at the processor, and not here.
    """
    captured_elsewhere: NotRequired[Literal[True]]
    """Present if it was captured at the processor, and not here."""
    amount_refunded: NotRequired[int]
    """The sum of its pending and succeeded refunds; present after the first refund."""
    dispute: NotRequired[str]
    """The id of its latest dispute."""
    processor: NotRequired[PaymentProcessor]
    expanded: NotRequired[PaymentInEventExpanded]


class PaymentInEventExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    payment_method: NotRequired[PaymentMethod]
    invoice: NotRequired[Invoice]
    setup: NotRequired[Setup]
    dispute: NotRequired[Dispute]


class EventsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    type: NotRequired[Literal["test_clock.ready", "customer.created", "customer.updated", "customer.deleted", "customer.credit_balance_updated", "payment_method.attached", "payment_method.detached", "payment_method.updated", "price.created", "price.updated", "coupon.created", "coupon.deleted", "invoice_item.created", "invoice_item.deleted", "setup.succeeded", "setup.failed", "setup.requires_action", "setup.canceled", "payment.succeeded", "payment.failed", "payment.requires_action", "payment.requires_capture", "payment.processing", "payment.canceled", "payment.updated", "payment.refunded", "refund.created", "refund.updated", "refund.failed", "dispute.created", "dispute.updated", "dispute.closed", "invoice.created", "invoice.updated", "invoice.finalized", "invoice.paid", "invoice.payment_failed", "invoice.payment_action_required", "invoice.voided", "invoice.marked_uncollectible", "subscription.created", "subscription.updated", "subscription.trial_will_end", "subscription.paused", "subscription.resumed", "subscription.canceled", "checkout_session.created", "checkout_session.completed", "checkout_session.expired", "checkout_session.payment_failed", "checkout_session.processing", "payment_link.created", "payment_link.updated", "webhook_endpoint.disabled", "webhook_endpoint.test", "test_clock.*", "customer.*", "payment_method.*", "price.*", "coupon.*", "invoice_item.*", "setup.*", "payment.*", "refund.*", "dispute.*", "invoice.*", "subscription.*", "checkout_session.*", "payment_link.*", "webhook_endpoint.*"]]
    """Only events of this type, or of a family such as `payment.*`. It cannot be given with `object_id`."""
    object_id: NotRequired[str]
    """Only events about the object with this id."""


class TestClockReadyEventData(TypedDict):
    """What the event is about."""

    object: TestClock
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class TestClockReadyEvent(TypedDict):
    """An advance of a test clock has ended."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: TestClockReadyEventData
    """What the event is about."""
    type: Literal["test_clock.ready"]
    """What has happened."""


class CustomerCreatedEventData(TypedDict):
    """What the event is about."""

    object: Customer
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CustomerCreatedEvent(TypedDict):
    """A customer was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CustomerCreatedEventData
    """What the event is about."""
    type: Literal["customer.created"]
    """What has happened."""


class CustomerUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Customer
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CustomerUpdatedEvent(TypedDict):
    """A customer was changed; not if an update changed nothing."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CustomerUpdatedEventData
    """What the event is about."""
    type: Literal["customer.updated"]
    """What has happened."""


class CustomerDeletedEventData(TypedDict):
    """What the event is about."""

    object: DeletedCustomer
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CustomerDeletedEvent(TypedDict):
    """A customer was deleted."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CustomerDeletedEventData
    """What the event is about."""
    type: Literal["customer.deleted"]
    """What has happened."""


class CustomerCreditBalanceUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Customer
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CustomerCreditBalanceUpdatedEvent(TypedDict):
    """The credit of a customer changed; not if the customer was deleted."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CustomerCreditBalanceUpdatedEventData
    """What the event is about."""
    type: Literal["customer.credit_balance_updated"]
    """What has happened."""


class PaymentMethodAttachedEventData(TypedDict):
    """What the event is about."""

    object: PaymentMethod
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentMethodAttachedEvent(TypedDict):
    """A payment method was attached to a customer, or created with one."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentMethodAttachedEventData
    """What the event is about."""
    type: Literal["payment_method.attached"]
    """What has happened."""


class PaymentMethodDetachedEventData(TypedDict):
    """What the event is about."""

    object: PaymentMethod
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentMethodDetachedEvent(TypedDict):
    """A payment method was detached, also by the deletion of its customer."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentMethodDetachedEventData
    """What the event is about."""
    type: Literal["payment_method.detached"]
    """What has happened."""


class PaymentMethodUpdatedEventData(TypedDict):
    """What the event is about."""

    object: PaymentMethod
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentMethodUpdatedEvent(TypedDict):
    """A payment method was changed. If only the address changed, which is not shown, `previous_attributes` is empty."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentMethodUpdatedEventData
    """What the event is about."""
    type: Literal["payment_method.updated"]
    """What has happened."""


class PriceCreatedEventData(TypedDict):
    """What the event is about."""

    object: Price
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PriceCreatedEvent(TypedDict):
    """A price was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PriceCreatedEventData
    """What the event is about."""
    type: Literal["price.created"]
    """What has happened."""


class PriceUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Price
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PriceUpdatedEvent(TypedDict):
    """A price was changed; not if an update changed nothing."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PriceUpdatedEventData
    """What the event is about."""
    type: Literal["price.updated"]
    """What has happened."""


class CouponCreatedEventData(TypedDict):
    """What the event is about."""

    object: Coupon
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CouponCreatedEvent(TypedDict):
    """A coupon was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CouponCreatedEventData
    """What the event is about."""
    type: Literal["coupon.created"]
    """What has happened."""


class CouponDeletedEventData(TypedDict):
    """What the event is about."""

    object: DeletedCoupon
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CouponDeletedEvent(TypedDict):
    """A coupon was deleted."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CouponDeletedEventData
    """What the event is about."""
    type: Literal["coupon.deleted"]
    """What has happened."""


class InvoiceItemCreatedEventData(TypedDict):
    """What the event is about."""

    object: InvoiceItem
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceItemCreatedEvent(TypedDict):
    """An invoice item was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceItemCreatedEventData
    """What the event is about."""
    type: Literal["invoice_item.created"]
    """What has happened."""


class InvoiceItemDeletedEventData(TypedDict):
    """What the event is about."""

    object: DeletedInvoiceItem
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceItemDeletedEvent(TypedDict):
    """An invoice item was deleted, also by the deletion of its customer."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceItemDeletedEventData
    """What the event is about."""
    type: Literal["invoice_item.deleted"]
    """What has happened."""


class SetupSucceededEventData(TypedDict):
    """What the event is about."""

    object: Setup
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SetupSucceededEvent(TypedDict):
    """A payment method was verified, and its cardholder has agreed to later charges."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SetupSucceededEventData
    """What the event is about."""
    type: Literal["setup.succeeded"]
    """What has happened."""


class SetupFailedEventData(TypedDict):
    """What the event is about."""

    object: Setup
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SetupFailedEvent(TypedDict):
    """A setup was declined, or never reached the processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SetupFailedEventData
    """What the event is about."""
    type: Literal["setup.failed"]
    """What has happened."""


class SetupRequiresActionEventData(TypedDict):
    """What the event is about."""

    object: Setup
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SetupRequiresActionEvent(TypedDict):
    """The cardholder must authenticate."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SetupRequiresActionEventData
    """What the event is about."""
    type: Literal["setup.requires_action"]
    """What has happened."""


class SetupCanceledEventData(TypedDict):
    """What the event is about."""

    object: Setup
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SetupCanceledEvent(TypedDict):
    """A setup was canceled, or expired."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SetupCanceledEventData
    """What the event is about."""
    type: Literal["setup.canceled"]
    """What has happened."""


class PaymentSucceededEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentSucceededEvent(TypedDict):
    """A payment was captured."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentSucceededEventData
    """What the event is about."""
    type: Literal["payment.succeeded"]
    """What has happened."""


class PaymentFailedEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentFailedEvent(TypedDict):
    """A payment was declined, or never reached the processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentFailedEventData
    """What the event is about."""
    type: Literal["payment.failed"]
    """What has happened."""


class PaymentRequiresActionEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentRequiresActionEvent(TypedDict):
    """The cardholder must authenticate."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentRequiresActionEventData
    """What the event is about."""
    type: Literal["payment.requires_action"]
    """What has happened."""


class PaymentRequiresCaptureEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentRequiresCaptureEvent(TypedDict):
    """A payment was authorized."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentRequiresCaptureEventData
    """What the event is about."""
    type: Literal["payment.requires_capture"]
    """What has happened."""


class PaymentProcessingEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentProcessingEvent(TypedDict):
    """The outcome of a payment is unknown."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentProcessingEventData
    """What the event is about."""
    type: Literal["payment.processing"]
    """What has happened."""


class PaymentCanceledEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentCanceledEvent(TypedDict):
    """A payment was canceled, or expired."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentCanceledEventData
    """What the event is about."""
    type: Literal["payment.canceled"]
    """What has happened."""


class PaymentUpdatedEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentUpdatedEvent(TypedDict):
    """Description or metadata of a payment changed, or the payment was linked to an invoice."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentUpdatedEventData
    """What the event is about."""
    type: Literal["payment.updated"]
    """What has happened."""


class PaymentRefundedEventData(TypedDict):
    """What the event is about."""

    object: PaymentInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentRefundedEvent(TypedDict):
    """A refund of a payment succeeded."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentRefundedEventData
    """What the event is about."""
    type: Literal["payment.refunded"]
    """What has happened."""


class RefundCreatedEventData(TypedDict):
    """What the event is about."""

    object: Refund
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class RefundCreatedEvent(TypedDict):
    """A refund was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: RefundCreatedEventData
    """What the event is about."""
    type: Literal["refund.created"]
    """What has happened."""


class RefundUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Refund
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class RefundUpdatedEvent(TypedDict):
    """A pending refund succeeded, or its metadata changed."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: RefundUpdatedEventData
    """What the event is about."""
    type: Literal["refund.updated"]
    """What has happened."""


class RefundFailedEventData(TypedDict):
    """What the event is about."""

    object: Refund
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class RefundFailedEvent(TypedDict):
    """A refund failed, immediately or later."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: RefundFailedEventData
    """What the event is about."""
    type: Literal["refund.failed"]
    """What has happened."""


class DisputeCreatedEventData(TypedDict):
    """What the event is about."""

    object: Dispute
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class DisputeCreatedEvent(TypedDict):
    """A payment was disputed."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: DisputeCreatedEventData
    """What the event is about."""
    type: Literal["dispute.created"]
    """What has happened."""


class DisputeUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Dispute
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class DisputeUpdatedEvent(TypedDict):
    """Evidence was collected or submitted, or metadata changed."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: DisputeUpdatedEventData
    """What the event is about."""
    type: Literal["dispute.updated"]
    """What has happened."""


class DisputeClosedEventData(TypedDict):
    """What the event is about."""

    object: Dispute
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class DisputeClosedEvent(TypedDict):
    """A dispute was won or lost."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: DisputeClosedEventData
    """What the event is about."""
    type: Literal["dispute.closed"]
    """What has happened."""


class InvoiceCreatedEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceCreatedEvent(TypedDict):
    """A draft of an invoice was created; an invoice of a subscription begins as one too."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceCreatedEventData
    """What the event is about."""
    type: Literal["invoice.created"]
    """What has happened."""


class InvoiceUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceUpdatedEvent(TypedDict):
    """The metadata of an invoice changed."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceUpdatedEventData
    """What the event is about."""
    type: Literal["invoice.updated"]
    """What has happened."""


class InvoiceFinalizedEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceFinalizedEvent(TypedDict):
    """An invoice got its number and is open."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceFinalizedEventData
    """What the event is about."""
    type: Literal["invoice.finalized"]
    """What has happened."""


class InvoicePaidEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoicePaidEvent(TypedDict):
    """An invoice was paid, by a payment, by credit, or because nothing was due."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoicePaidEventData
    """What the event is about."""
    type: Literal["invoice.paid"]
    """What has happened."""


class InvoicePaymentFailedEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoicePaymentFailedEvent(TypedDict):
    """A payment of an invoice failed, or there was no method to charge."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoicePaymentFailedEventData
    """What the event is about."""
    type: Literal["invoice.payment_failed"]
    """What has happened."""


class InvoicePaymentActionRequiredEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoicePaymentActionRequiredEvent(TypedDict):
    """A payment of an invoice needs the cardholder, who is not on its page."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoicePaymentActionRequiredEventData
    """What the event is about."""
    type: Literal["invoice.payment_action_required"]
    """What has happened."""


class InvoiceVoidedEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceVoidedEvent(TypedDict):
    """An invoice became void."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceVoidedEventData
    """What the event is about."""
    type: Literal["invoice.voided"]
    """What has happened."""


class InvoiceMarkedUncollectibleEventData(TypedDict):
    """What the event is about."""

    object: Invoice
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class InvoiceMarkedUncollectibleEvent(TypedDict):
    """An invoice was given up, by a request or at the end of the retries."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: InvoiceMarkedUncollectibleEventData
    """What the event is about."""
    type: Literal["invoice.marked_uncollectible"]
    """What has happened."""


class SubscriptionCreatedEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionCreatedEvent(TypedDict):
    """A subscription was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionCreatedEventData
    """What the event is about."""
    type: Literal["subscription.created"]
    """What has happened."""


class SubscriptionUpdatedEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionUpdatedEvent(TypedDict):
    """A subscription was changed, by a request, a new period or one of its invoices; not if nothing that is shown
    changed.
    """

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionUpdatedEventData
    """What the event is about."""
    type: Literal["subscription.updated"]
    """What has happened."""


class SubscriptionTrialWillEndEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionTrialWillEndEvent(TypedDict):
    """A trial ends in three days, or in less if it is shorter."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionTrialWillEndEventData
    """What the event is about."""
    type: Literal["subscription.trial_will_end"]
    """What has happened."""


class SubscriptionPausedEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionPausedEvent(TypedDict):
    """A subscription was paused."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionPausedEventData
    """What the event is about."""
    type: Literal["subscription.paused"]
    """What has happened."""


class SubscriptionResumedEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionResumedEvent(TypedDict):
    """A paused subscription was resumed."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionResumedEventData
    """What the event is about."""
    type: Literal["subscription.resumed"]
    """What has happened."""


class SubscriptionCanceledEventData(TypedDict):
    """What the event is about."""

    object: Subscription
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class SubscriptionCanceledEvent(TypedDict):
    """A subscription has ended, by a request, with its period, at the end of the retries, because its first invoice
    was not paid, or with its customer.
    """

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: SubscriptionCanceledEventData
    """What the event is about."""
    type: Literal["subscription.canceled"]
    """What has happened."""


class CheckoutSessionCreatedEventData(TypedDict):
    """What the event is about."""

    object: CheckoutSessionInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CheckoutSessionCreatedEvent(TypedDict):
    """A checkout session was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CheckoutSessionCreatedEventData
    """What the event is about."""
    type: Literal["checkout_session.created"]
    """What has happened."""


class CheckoutSessionCompletedEventData(TypedDict):
    """What the event is about."""

    object: CheckoutSessionInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CheckoutSessionCompletedEvent(TypedDict):
    """A customer has paid, or nothing was to pay. There is one for each session that completes."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CheckoutSessionCompletedEventData
    """What the event is about."""
    type: Literal["checkout_session.completed"]
    """What has happened."""


class CheckoutSessionExpiredEventData(TypedDict):
    """What the event is about."""

    object: CheckoutSessionInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CheckoutSessionExpiredEvent(TypedDict):
    """A checkout session can no longer be paid: its time is over, it was requested, too many tries failed, or its
    invoice was paid elsewhere.
    """

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CheckoutSessionExpiredEventData
    """What the event is about."""
    type: Literal["checkout_session.expired"]
    """What has happened."""


class CheckoutSessionPaymentFailedEventData(TypedDict):
    """What the event is about."""

    object: CheckoutSessionInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CheckoutSessionPaymentFailedEvent(TypedDict):
    """A try has failed, to pay or to keep a payment method: it was declined, the customer was not authenticated, or
    the processor never received it.
    """

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CheckoutSessionPaymentFailedEventData
    """What the event is about."""
    type: Literal["checkout_session.payment_failed"]
    """What has happened."""


class CheckoutSessionProcessingEventData(TypedDict):
    """What the event is about."""

    object: CheckoutSessionInEvent
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class CheckoutSessionProcessingEvent(TypedDict):
    """The outcome of a try is unknown, or the processor takes its time."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: CheckoutSessionProcessingEventData
    """What the event is about."""
    type: Literal["checkout_session.processing"]
    """What has happened."""


class PaymentLinkCreatedEventData(TypedDict):
    """What the event is about."""

    object: PaymentLink
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentLinkCreatedEvent(TypedDict):
    """A payment link was created."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentLinkCreatedEventData
    """What the event is about."""
    type: Literal["payment_link.created"]
    """What has happened."""


class PaymentLinkUpdatedEventData(TypedDict):
    """What the event is about."""

    object: PaymentLink
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class PaymentLinkUpdatedEvent(TypedDict):
    """A payment link was changed; not if an update changed nothing, nor by a sale."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: PaymentLinkUpdatedEventData
    """What the event is about."""
    type: Literal["payment_link.updated"]
    """What has happened."""


class WebhookEndpointDisabledEventData(TypedDict):
    """What the event is about."""

    object: WebhookEndpoint
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class WebhookEndpointDisabledEvent(TypedDict):
    """A webhook endpoint was disabled because of failures."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: WebhookEndpointDisabledEventData
    """What the event is about."""
    type: Literal["webhook_endpoint.disabled"]
    """What has happened."""


class WebhookEndpointTestEventData(TypedDict):
    """What the event is about."""

    object: WebhookEndpoint
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values. Null: it was not there."""


class WebhookEndpointTestEvent(TypedDict):
    """A test event was requested."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["event"]
    """The kind of object."""
    api_version: str
    """The date of the version of the API that defines the shape of the event."""
    created: int
    """When it happened, by the test clock of the customer if there is one. In UTC epoch seconds."""
    data: WebhookEndpointTestEventData
    """What the event is about."""
    type: Literal["webhook_endpoint.test"]
    """What has happened."""


Event = Union[
    "TestClockReadyEvent",
    "CustomerCreatedEvent",
    "CustomerUpdatedEvent",
    "CustomerDeletedEvent",
    "CustomerCreditBalanceUpdatedEvent",
    "PaymentMethodAttachedEvent",
    "PaymentMethodDetachedEvent",
    "PaymentMethodUpdatedEvent",
    "PriceCreatedEvent",
    "PriceUpdatedEvent",
    "CouponCreatedEvent",
    "CouponDeletedEvent",
    "InvoiceItemCreatedEvent",
    "InvoiceItemDeletedEvent",
    "SetupSucceededEvent",
    "SetupFailedEvent",
    "SetupRequiresActionEvent",
    "SetupCanceledEvent",
    "PaymentSucceededEvent",
    "PaymentFailedEvent",
    "PaymentRequiresActionEvent",
    "PaymentRequiresCaptureEvent",
    "PaymentProcessingEvent",
    "PaymentCanceledEvent",
    "PaymentUpdatedEvent",
    "PaymentRefundedEvent",
    "RefundCreatedEvent",
    "RefundUpdatedEvent",
    "RefundFailedEvent",
    "DisputeCreatedEvent",
    "DisputeUpdatedEvent",
    "DisputeClosedEvent",
    "InvoiceCreatedEvent",
    "InvoiceUpdatedEvent",
    "InvoiceFinalizedEvent",
    "InvoicePaidEvent",
    "InvoicePaymentFailedEvent",
    "InvoicePaymentActionRequiredEvent",
    "InvoiceVoidedEvent",
    "InvoiceMarkedUncollectibleEvent",
    "SubscriptionCreatedEvent",
    "SubscriptionUpdatedEvent",
    "SubscriptionTrialWillEndEvent",
    "SubscriptionPausedEvent",
    "SubscriptionResumedEvent",
    "SubscriptionCanceledEvent",
    "CheckoutSessionCreatedEvent",
    "CheckoutSessionCompletedEvent",
    "CheckoutSessionExpiredEvent",
    "CheckoutSessionPaymentFailedEvent",
    "CheckoutSessionProcessingEvent",
    "PaymentLinkCreatedEvent",
    "PaymentLinkUpdatedEvent",
    "WebhookEndpointDisabledEvent",
    "WebhookEndpointTestEvent",
]
"""An event. Its `type` says what `data["object"]` is. A newer gateway may send types that are not listed here."""

EventType = Literal[
    "test_clock.ready",
    "customer.created",
    "customer.updated",
    "customer.deleted",
    "customer.credit_balance_updated",
    "payment_method.attached",
    "payment_method.detached",
    "payment_method.updated",
    "price.created",
    "price.updated",
    "coupon.created",
    "coupon.deleted",
    "invoice_item.created",
    "invoice_item.deleted",
    "setup.succeeded",
    "setup.failed",
    "setup.requires_action",
    "setup.canceled",
    "payment.succeeded",
    "payment.failed",
    "payment.requires_action",
    "payment.requires_capture",
    "payment.processing",
    "payment.canceled",
    "payment.updated",
    "payment.refunded",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "dispute.created",
    "dispute.updated",
    "dispute.closed",
    "invoice.created",
    "invoice.updated",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_failed",
    "invoice.payment_action_required",
    "invoice.voided",
    "invoice.marked_uncollectible",
    "subscription.created",
    "subscription.updated",
    "subscription.trial_will_end",
    "subscription.paused",
    "subscription.resumed",
    "subscription.canceled",
    "checkout_session.created",
    "checkout_session.completed",
    "checkout_session.expired",
    "checkout_session.payment_failed",
    "checkout_session.processing",
    "payment_link.created",
    "payment_link.updated",
    "webhook_endpoint.disabled",
    "webhook_endpoint.test",
]
"""The types of events."""
