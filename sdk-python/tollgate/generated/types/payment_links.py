# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .shared import CheckoutCollect, Metadata

__all__ = [
    "AmountChoice",
    "LinkSubscriptionData",
    "PaymentLink",
    "PaymentLinkLine",
    "PaymentLinksCreateParametersSubscriptionData",
    "PaymentLinksCreateParametersLineItems",
    "PaymentLinksCreateParametersCollect",
    "PaymentLinksCreateParametersAdjustableQuantity",
    "PaymentLinksCreateParametersAmountChoice",
    "PaymentLinksCreateParameters",
    "PaymentLinksUpdateParametersSubscriptionData",
    "PaymentLinksUpdateParametersLineItems",
    "PaymentLinksUpdateParametersCollect",
    "PaymentLinksUpdateParametersAdjustableQuantity",
    "PaymentLinksUpdateParametersAmountChoice",
    "PaymentLinksUpdateParameters",
    "QuantityBounds",
    "PaymentLinksListParameters",
]


class AmountChoice(TypedDict):
    """The customer chooses the amount."""

    min: int
    """The smallest amount."""
    max: int
    """The largest amount."""
    suggested: NotRequired[List[int]]
    """Amounts to choose."""


class LinkSubscriptionData(TypedDict):
    """What each subscription gets that is sold."""

    trial_days: NotRequired[int]
    """How many days are free."""
    metadata: NotRequired[Metadata]
    coupon: NotRequired[str]
    """The id of a coupon for its items."""


class PaymentLink(TypedDict):
    """An address that sells the same thing to anybody."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["payment_link"]
    """The kind of object."""
    active: bool
    """Whether it sells."""
    url: str
    """The address of the page."""
    mode: Literal["payment", "setup", "subscription"]
    """What a session of it does."""
    completed: int
    """How many sessions were completed."""
    created: int
    """When it was created. In UTC epoch seconds."""
    amount: NotRequired[int]
    """What is paid, in the smallest unit of the currency."""
    currency: NotRequired[str]
    """A three-letter ISO currency code in lower case."""
    description: NotRequired[str]
    """What the amount is for."""
    line_items: NotRequired[List[PaymentLinkLine]]
    """What is sold."""
    adjustable_quantity: NotRequired[QuantityBounds]
    amount_choice: NotRequired[AmountChoice]
    limit: NotRequired[int]
    """How many sessions can be completed."""
    inactive_message: NotRequired[str]
    """What the page says when the link is inactive or sold out."""
    save_payment_method: NotRequired[Literal["none", "offer", "require"]]
    """Whether the payment method is kept for later charges."""
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """Whether payments are captured immediately."""
    allow_coupons: NotRequired[bool]
    """Whether the page takes the code of a coupon."""
    subscription_data: NotRequired[LinkSubscriptionData]
    collect: NotRequired[CheckoutCollect]
    success_url: NotRequired[str]
    """Where the customer goes after the payment."""
    cancel_url: NotRequired[str]
    """Where the customer goes without paying."""
    locale: NotRequired[str]
    """The language of the page."""
    metadata: NotRequired[Metadata]


class PaymentLinkLine(TypedDict):
    """Something that is sold, as it was supplied."""

    price: NotRequired[str]
    """The id of the price."""
    name: NotRequired[str]
    """What is sold."""
    unit_amount: NotRequired[int]
    """What one costs, in the smallest unit of the currency."""
    currency: NotRequired[str]
    """A three-letter ISO currency code in lower case."""
    quantity: NotRequired[int]
    """How many; 1 when not given."""


class PaymentLinksCreateParametersSubscriptionData(TypedDict):
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


class PaymentLinksCreateParametersLineItems(TypedDict):
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


class PaymentLinksCreateParametersCollect(TypedDict):
    """What the page asks the customer for, beside the email address."""

    name: NotRequired[bool]
    """Whether the name is required."""
    phone: NotRequired[bool]
    """Whether a phone number is required."""
    billing_address: NotRequired[Literal["none", "country", "full"]]
    """`none` when not given; `country`: the country and what the bank compares; `full`: the whole address."""
    terms: NotRequired[bool]
    """Whether the customer must agree to your terms. The branding must have the link to them."""


class PaymentLinksCreateParametersAdjustableQuantity(TypedDict):
    """The customer chooses how many of the one line, from `min` to `max`."""

    min: int
    """The fewest."""
    max: int
    """The most."""


class PaymentLinksCreateParametersAmountChoice(TypedDict):
    """The customer chooses the amount, as for donations. It needs `currency`."""

    min: int
    """The smallest amount. In the smallest unit of the currency."""
    max: int
    """The largest amount. In the smallest unit of the currency."""
    suggested: NotRequired[List[int]]
    """Up to 10 amounts to choose."""


class PaymentLinksCreateParameters(TypedDict):
    mode: NotRequired[Literal["payment", "setup", "subscription"]]
    """`payment`: the customer pays once. It is the default. `setup`: nothing is paid, and a payment method is kept
    for later charges. `subscription`: prices that recur start a subscription, and lines that are paid once join
    its first invoice.
    """
    subscription_data: NotRequired[PaymentLinksCreateParametersSubscriptionData]
    """What the subscription gets, in the mode `subscription`."""
    amount: NotRequired[int]
    """What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together
    with `line_items`.
    """
    currency: NotRequired[str]
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    description: NotRequired[str]
    """What `amount` is for, up to 1,000 characters. The customer sees it."""
    line_items: NotRequired[List[PaymentLinksCreateParametersLineItems]]
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
    collect: NotRequired[PaymentLinksCreateParametersCollect]
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
    adjustable_quantity: NotRequired[PaymentLinksCreateParametersAdjustableQuantity]
    """The customer chooses how many of the one line, from `min` to `max`."""
    amount_choice: NotRequired[PaymentLinksCreateParametersAmountChoice]
    """The customer chooses the amount, as for donations. It needs `currency`."""
    limit: NotRequired[int]
    """How many sessions can be completed. A place is held from the press of the button to the outcome, and a session
    lives for 30 minutes.
    """
    inactive_message: NotRequired[str]
    """What the page says when the link is inactive or sold out, up to 500 characters."""


class PaymentLinksUpdateParametersSubscriptionData(TypedDict):
    """What the subscription gets, in the mode `subscription`."""

    trial_days: NotRequired[Optional[int]]
    """How many days are free, from 1 to 730. The payment method is set up, and nothing is charged but lines that are
    paid once.
    """
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    coupon: NotRequired[Optional[str]]
    """The id of a coupon for its items. Without a trial it must leave something to pay when the subscription begins."""


class PaymentLinksUpdateParametersLineItems(TypedDict):
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


class PaymentLinksUpdateParametersCollect(TypedDict):
    """What the page asks the customer for, beside the email address."""

    name: NotRequired[Optional[bool]]
    """Whether the name is required."""
    phone: NotRequired[Optional[bool]]
    """Whether a phone number is required."""
    billing_address: NotRequired[Literal["none", "country", "full", None]]
    """`none` when not given; `country`: the country and what the bank compares; `full`: the whole address."""
    terms: NotRequired[Optional[bool]]
    """Whether the customer must agree to your terms. The branding must have the link to them."""


class PaymentLinksUpdateParametersAdjustableQuantity(TypedDict):
    """The customer chooses how many of the one line, from `min` to `max`."""

    min: int
    """The fewest."""
    max: int
    """The most."""


class PaymentLinksUpdateParametersAmountChoice(TypedDict):
    """The customer chooses the amount, as for donations. It needs `currency`."""

    min: int
    """The smallest amount. In the smallest unit of the currency."""
    max: int
    """The largest amount. In the smallest unit of the currency."""
    suggested: NotRequired[Optional[List[int]]]
    """Up to 10 amounts to choose."""


class PaymentLinksUpdateParameters(TypedDict):
    active: NotRequired[Optional[bool]]
    """Whether it sells."""
    subscription_data: NotRequired[Optional[PaymentLinksUpdateParametersSubscriptionData]]
    """What the subscription gets, in the mode `subscription`."""
    amount: NotRequired[Optional[int]]
    """What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together
    with `line_items`.
    """
    currency: NotRequired[Optional[str]]
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    description: NotRequired[Optional[str]]
    """What `amount` is for, up to 1,000 characters. The customer sees it."""
    line_items: NotRequired[Optional[List[PaymentLinksUpdateParametersLineItems]]]
    """What is sold: 1 to 100 lines in one currency. Not together with `amount`."""
    save_payment_method: NotRequired[Literal["none", "offer", "require", None]]
    """Whether the payment method is kept for later charges without the customer, in the mode `payment`. `none` is
    the default. `offer`: the customer chooses. `require`: it is kept. A session without a customer then makes one
    with the payment.
    """
    capture_method: NotRequired[Literal["automatic", "manual", None]]
    """`automatic` captures immediately, and is the default. `manual` only authorizes: capture the payment within 7
    days.
    """
    allow_coupons: NotRequired[Optional[bool]]
    """Whether the customer can enter the `code` of a coupon."""
    collect: NotRequired[Optional[PaymentLinksUpdateParametersCollect]]
    """What the page asks the customer for, beside the email address."""
    success_url: NotRequired[Optional[str]]
    """Where the customer goes after the payment, as a hint: retrieve the session, or wait for
    `checkout_session.completed`: an https address of up to 2,048 characters, without user name and password. In
    test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id. Without one, our own page
    says how it went.
    """
    cancel_url: NotRequired[Optional[str]]
    """Where the customer goes to leave the page without paying: an https address of up to 2,048 characters, without
    user name and password. In test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id.
    Without one, our own page says how it went.
    """
    locale: NotRequired[Literal["auto", "bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he", None]]
    """The language of the page; `auto`, the default: that of the browser."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    adjustable_quantity: NotRequired[Optional[PaymentLinksUpdateParametersAdjustableQuantity]]
    """The customer chooses how many of the one line, from `min` to `max`."""
    amount_choice: NotRequired[Optional[PaymentLinksUpdateParametersAmountChoice]]
    """The customer chooses the amount, as for donations. It needs `currency`."""
    limit: NotRequired[Optional[int]]
    """How many sessions can be completed. A place is held from the press of the button to the outcome, and a session
    lives for 30 minutes.
    """
    inactive_message: NotRequired[Optional[str]]
    """What the page says when the link is inactive or sold out, up to 500 characters."""


class QuantityBounds(TypedDict):
    """The customer chooses how many of the one line."""

    min: int
    """The fewest."""
    max: int
    """The most."""


class PaymentLinksListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    active: NotRequired[bool]
    """Only active ones, or only the others."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
