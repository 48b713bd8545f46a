# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .invoices import Invoice
    from .payment_methods import PaymentMethod
    from .payments import Payment
    from .setups import Setup
    from .shared import CheckoutCollect, Metadata
    from .subscriptions import Subscription
    from .test_clocks import TestClock

__all__ = [
    "CheckoutLineItem",
    "CheckoutRecurring",
    "CheckoutSession",
    "CheckoutSessionExpanded",
    "CheckoutSessionsCreateParametersSubscriptionData",
    "CheckoutSessionsCreateParametersLineItems",
    "CheckoutSessionsCreateParametersCollect",
    "CheckoutSessionsCreateParameters",
    "CheckoutSessionsExpireParameters",
    "CheckoutSessionsRedactParameters",
    "CheckoutSessionsReviewParameters",
    "CheckoutSessionsUpdateParameters",
    "CheckoutSubscriptionData",
    "CustomerDetails",
    "CheckoutSessionsListParameters",
    "CheckoutSessionsRetrieveParameters",
]


class CheckoutLineItem(TypedDict):
    """A line of a checkout session."""

    name: str
    """What is sold."""
    quantity: int
    """How many."""
    unit_amount: int
    """What one costs, in the smallest unit of the currency."""
    amount: int
    """What all of them cost, before the discount."""
    discount: NotRequired[int]
    """What a coupon takes off; present when it is not 0."""
    price: NotRequired[str]
    """The id of the price."""
    recurring: NotRequired[CheckoutRecurring]


class CheckoutRecurring(TypedDict):
    """How often it is paid; present for a price that recurs."""

    interval: Literal["day", "week", "month", "year"]
    """The unit of the period."""
    interval_count: int
    """How many of them a period has."""


class CheckoutSession(TypedDict):
    """What a customer is to pay for on a page of the gateway."""

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
    url: NotRequired[str]
    """The address of the page that the customer pays on; present while it is open. The address is the permission:
    everybody who has it sees the order and what the customer has typed, and can pay, with the saved cards of
    `customer` too. Give it to nobody else.
    """
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
    expanded: NotRequired[CheckoutSessionExpanded]


class CheckoutSessionExpanded(TypedDict):
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


class CheckoutSessionsCreateParametersSubscriptionData(TypedDict):
    """What the subscription gets, in the mode `subscription`."""

    trial_days: NotRequired[int]
    """How many days are free, from 1 to 730. The payment method is set up, and nothing is charged but lines that are
    paid once.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    coupon: NotRequired[str]
    """The id of a coupon for its items. Without a trial it must leave something to pay when the subscription begins."""


class CheckoutSessionsCreateParametersLineItems(TypedDict):
    """A price, or a name with an amount of its own."""

    price: NotRequired[str]
    """The id of an active price; in the mode `payment` one that is paid once. Not together with `name`,
    `unit_amount` and `currency`.
    """
    name: NotRequired[str]
    """What is sold, up to 256 characters."""
    unit_amount: NotRequired[int]
    """What one costs, in the smallest unit of the currency."""
    currency: NotRequired[str]
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    quantity: NotRequired[int]
    """How many, from 1 to 999; 1 when not given."""


class CheckoutSessionsCreateParametersCollect(TypedDict):
    """What the page asks the customer for, beside the email address."""

    name: NotRequired[bool]
    """Whether the name is required."""
    phone: NotRequired[bool]
    """Whether a phone number is required."""
    billing_address: NotRequired[Literal["none", "country", "full"]]
    """`none` when not given; `country`: the country and what the bank compares; `full`: the whole address."""
    terms: NotRequired[bool]
    """Whether the customer must agree to your terms. The branding must have the link to them."""


class CheckoutSessionsCreateParameters(TypedDict):
    mode: NotRequired[Literal["payment", "setup", "subscription"]]
    """`payment`: the customer pays once. It is the default. `setup`: nothing is paid, and a payment method is kept
    for later charges. `subscription`: prices that recur start a subscription, and lines that are paid once join
    its first invoice.
    """
    subscription_data: NotRequired[CheckoutSessionsCreateParametersSubscriptionData]
    """What the subscription gets, in the mode `subscription`."""
    amount: NotRequired[int]
    """What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together
    with `line_items`.
    """
    currency: NotRequired[str]
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    description: NotRequired[str]
    """What `amount` is for, up to 1,000 characters. The customer sees it."""
    line_items: NotRequired[List[CheckoutSessionsCreateParametersLineItems]]
    """What is sold: 1 to 100 lines in one currency. Not together with `amount`."""
    save_payment_method: NotRequired[Literal["none", "offer", "require"]]
    """Whether the payment method is kept for later charges without the customer, in the mode `payment`. `none` is
    the default. `offer`: the customer chooses. `require`: it is kept. A session without a customer then makes one
    with the payment.
    """
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """`automatic` captures immediately, and is the default. `manual` only authorizes: capture the payment within 7
    days.
    """
    allow_coupons: NotRequired[bool]
    """Whether the customer can enter the `code` of a coupon."""
    collect: NotRequired[CheckoutSessionsCreateParametersCollect]
    """What the page asks the customer for, beside the email address."""
    success_url: NotRequired[str]
    """Where the customer goes after the payment, as a hint: retrieve the session, or wait for
    `checkout_session.completed`: an https address of up to 2,048 characters, without user name and password. In
    test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id. Without one, our own page
    says how it went.
    """
    cancel_url: NotRequired[str]
    """Where the customer goes to leave the page without paying: an https address of up to 2,048 characters, without
    user name and password. In test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id.
    Without one, our own page says how it went.
    """
    locale: NotRequired[Literal["auto", "bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he"]]
    """The language of the page; `auto`, the default: that of the browser."""
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    customer: NotRequired[str]
    """The id of the customer who pays. The page offers the saved payment methods of this customer. Not together with
    `customer_email`.
    """
    customer_email: NotRequired[str]
    """The email address of the customer. The page shows it, and asks for none."""
    expires_in: NotRequired[int]
    """After how many seconds it can no longer be paid: 1,800 to 86,400, which is the default."""
    reference: NotRequired[str]
    """The number of your order, up to 200 characters. It need not be unique."""
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CheckoutSessionsExpireParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CheckoutSessionsRedactParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CheckoutSessionsReviewParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CheckoutSessionsUpdateParameters(TypedDict):
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CheckoutSubscriptionData(TypedDict):
    """What the subscription gets; present when supplied."""

    trial_days: NotRequired[int]
    """How many days are free."""
    metadata: NotRequired[Metadata]


class CustomerDetails(TypedDict):
    """What the customer has typed. It is erased with the events of the session, or by a redaction."""

    email: NotRequired[str]
    """The email address."""
    name: NotRequired[str]
    """The name."""
    phone: NotRequired[str]
    """The phone number."""
    address: NotRequired[Dict[str, str]]
    """The billing address, as far as it was asked for."""


class CheckoutSessionsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    status: NotRequired[Union[Literal["open", "processing", "complete", "expired"], List[Literal["open", "processing", "complete", "expired"]]]]
    """Only those with this status, or these."""
    customer: NotRequired[str]
    """Only those of this customer."""
    payment_link: NotRequired[str]
    """Only those that were made by this payment link."""
    reference: NotRequired[str]
    """Only those with this reference."""
    currency: NotRequired[str]
    """Only those in this currency: its three-letter ISO 4217 code, in either case."""
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class CheckoutSessionsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "payment", "setup", "subscription", "invoice", "payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
