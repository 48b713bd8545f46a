# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .coupons import Coupon
    from .customers import Customer
    from .invoices import Invoice
    from .payment_methods import PaymentMethod
    from .payments import Payment
    from .setups import Setup
    from .shared import Metadata, SubscriptionItemChange
    from .test_clocks import TestClock

__all__ = [
    "Subscription",
    "SubscriptionExpanded",
    "SubscriptionItem",
    "SubscriptionItemParameters",
    "SubscriptionsCancelParameters",
    "SubscriptionsCreateParameters",
    "SubscriptionsPauseParameters",
    "SubscriptionsResumeParameters",
    "SubscriptionsUpdateParameters",
    "SubscriptionsListParameters",
    "SubscriptionsRetrieveParameters",
]


class Subscription(TypedDict):
    """What a customer pays for at regular intervals."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["subscription"]
    """The kind of object."""
    customer: str
    """The id of the customer who is billed."""
    status: Literal["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "canceled"]
    """`incomplete`: the first invoice is not paid; 23 hours after the start it is canceled. `trialing`: it is in its
    trial. `active`: it is billed, and all is well. `past_due`: a charge has failed. `unpaid`: all attempts have
    failed, and it is no longer billed. `paused`: it is not billed, by request. `canceled`: it has ended, for
    good.
    """
    currency: str
    """A three-letter ISO currency code in lower case."""
    items: List[SubscriptionItem]
    """What is billed."""
    current_period_start: int
    """When the current period began; while trialing, the trial. In UTC epoch seconds."""
    current_period_end: int
    """When the current period ends; while trialing, the trial. In UTC epoch seconds."""
    billing_cycle_anchor: int
    """The time from which all boundaries of periods are counted. In UTC epoch seconds."""
    cancel_at_period_end: bool
    """Whether it ends with the current period."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    latest_invoice: NotRequired[str]
    """The id of its latest invoice; present once there is one."""
    default_payment_method: NotRequired[str]
    """The id of the payment method that is charged; present when supplied."""
    trial_start: NotRequired[int]
    """When the trial began; present when there is or was one. In UTC epoch seconds."""
    trial_end: NotRequired[int]
    """When the trial ends or has ended; present when there is or was one. In UTC epoch seconds."""
    pending_setup: NotRequired[str]
    """The id of the setup of its payment method, while that has not ended: the cardholder is wanted, or the outcome
    is unknown.
    """
    coupon: NotRequired[str]
    """The id of its coupon; present when there is one, also after its duration."""
    canceled_at: NotRequired[int]
    """When it was canceled, or when the request was made that ends it with its period. In UTC epoch seconds."""
    cancellation_reason: NotRequired[Literal["too_expensive", "missing_features", "switched_service", "unused", "low_quality", "other"]]
    """Why it was canceled; present when that was said."""
    ended_at: NotRequired[int]
    """When it has ended; present once it is canceled. In UTC epoch seconds."""
    paused_at: NotRequired[int]
    """When it was paused; present while it is. In UTC epoch seconds."""
    metadata: NotRequired[Metadata]
    test_clock: NotRequired[str]
    """The id of the test clock of the customer; present when there is one."""
    external_id: NotRequired[str]
    """The id that the object has in another system; present when supplied."""
    expanded: NotRequired[SubscriptionExpanded]


_SubscriptionExpanded = TypedDict("_SubscriptionExpanded", {"latest_invoice.payment": "Payment"}, total=False)


class SubscriptionExpanded(_SubscriptionExpanded):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    latest_invoice: NotRequired[Invoice]
    default_payment_method: NotRequired[PaymentMethod]
    pending_setup: NotRequired[Setup]
    coupon: NotRequired[Coupon]
    test_clock: NotRequired[TestClock]


class SubscriptionItem(TypedDict):
    id: str
    """An opaque text that begins with `si_`."""
    price: str
    """The id of the price."""
    quantity: int
    """How many of the price."""


class SubscriptionItemParameters(TypedDict):
    price: str
    """The id of a price that is active."""
    quantity: NotRequired[int]
    """How many of the price, from 0 to 1,000,000; 1 when not given."""


class SubscriptionsCancelParameters(TypedDict):
    at_period_end: NotRequired[bool]
    """Whether it ends with the current period, or with its trial."""
    reason: NotRequired[Literal["too_expensive", "missing_features", "switched_service", "unused", "low_quality", "other"]]
    """Why the customer cancels."""
    proration: NotRequired[Literal["create", "none"]]
    """`create` credits the rest of the period; `none`, the default, credits nothing."""
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SubscriptionsCreateParameters(TypedDict):
    customer: str
    """The id of the customer who is billed."""
    items: List[SubscriptionItemParameters]
    """What is billed: 1 to 20 items, whose prices have one currency and one period. Together they cost at most
    999,999,999,999 for a period.
    """
    default_payment_method: NotRequired[str]
    """The id of a payment method that is attached to the customer. Without one, the customer's default is charged."""
    trial_days: NotRequired[int]
    """How many days are not billed, from 1 to 730. Excludes `trial_end`."""
    trial_end: NotRequired[int]
    """Until when nothing is billed, in UTC epoch seconds: at most 730 days from now. Excludes `trial_days`."""
    billing_cycle_anchor: NotRequired[int]
    """The first boundary of periods, in UTC epoch seconds: after the start or the end of the trial, by one period at
    most. By default the start, or the end of the trial.
    """
    proration: NotRequired[Literal["create", "invoice_now", "none"]]
    """`none`: a first period that `billing_cycle_anchor` shortens is not billed. By default its share is."""
    coupon: NotRequired[str]
    """The id of a coupon that discounts its invoices. One with `amount_off` must be in the currency of the prices."""
    cancel_at_period_end: NotRequired[bool]
    """Whether it ends with the current period, or with its trial."""
    return_url: NotRequired[str]
    """Where the cardholder returns to after an authentication of the first payment, or of the setup of the payment
    method: an https address of up to 2,048 characters.
    """
    off_session: NotRequired[bool]
    """`true`: the cardholder is not there. The payment method is not set up, and a bank that requires authentication
    declines the first payment. Not together with `return_url`.
    """
    payment_behavior: NotRequired[Literal["allow_incomplete", "error_if_incomplete"]]
    """When a payment of this request is declined. `allow_incomplete`, the default: the subscription is `incomplete`,
    and its first invoice stays open. `error_if_incomplete`: the answer is 402, and there is no subscription and
    no invoice; a cardholder who would have to authenticate counts as a decline. Where nothing is charged, it
    applies to the setup of the payment method; by default, the subscription starts although that is declined.
    """
    external_id: NotRequired[str]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SubscriptionsPauseParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SubscriptionsResumeParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SubscriptionsUpdateParameters(TypedDict):
    items: NotRequired[Optional[List[SubscriptionItemChange]]]
    """The items to change, to add and to remove: 1 to 40. Others stay as they are. At least one must be left, and 20
    at most.
    """
    proration: NotRequired[Literal["create", "invoice_now", "none", None]]
    """For a change of items. `create`, the default, prorates the rest of the period on the next invoice,
    `invoice_now` on an invoice now, `none` not at all.
    """
    proration_date: NotRequired[Optional[int]]
    """The time of the change, for proration, in UTC epoch seconds: within the current period, and not before the
    latest change of an item that was prorated; now when not given.
    """
    default_payment_method: NotRequired[Optional[str]]
    """The id of a payment method that is attached to the customer. Without one, the customer's default is charged."""
    coupon: NotRequired[Optional[str]]
    """The id of another coupon, whose duration begins now. Null or an empty string removes the coupon."""
    trial_end: NotRequired[Union[int, Literal["now"]]]
    """While trialing: another end of the trial, or `now`."""
    cancel_at_period_end: NotRequired[Optional[bool]]
    """Whether it ends with the current period, or with its trial."""
    payment_behavior: NotRequired[Literal["allow_incomplete", "error_if_incomplete", None]]
    """When a payment of this request is declined. `allow_incomplete`, the default: the change is made, and the
    subscription is `past_due`. `error_if_incomplete`: the answer is 402, and nothing of the request has changed
    the subscription; a cardholder who would have to authenticate counts as a decline. Where nothing is charged,
    it has no effect.
    """
    external_id: NotRequired[Optional[str]]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SubscriptionsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those of this customer."""
    status: NotRequired[Union[Literal["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "canceled"], List[Literal["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "canceled"]]]]
    """Only those in this status, or in one of these."""
    price: NotRequired[str]
    """Only those with an item of this price."""
    coupon: NotRequired[str]
    """Only those that have this coupon."""
    test_clock: NotRequired[str]
    """Only those of customers with this test clock."""
    external_id: NotRequired[str]
    """Only the one that has this id in another system."""
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class SubscriptionsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "latest_invoice", "latest_invoice.payment", "default_payment_method", "pending_setup", "coupon", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
