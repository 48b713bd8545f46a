# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .payments import Payment
    from .shared import Metadata, SubscriptionItemChange
    from .subscriptions import Subscription

__all__ = [
    "Invoice",
    "InvoiceExpanded",
    "InvoiceFailure",
    "InvoiceLine",
    "InvoicesCreateParametersItems",
    "InvoicesCreateParameters",
    "InvoicesFinalizeParameters",
    "InvoicesMarkUncollectibleParameters",
    "InvoicesPayParameters",
    "InvoicesPreviewParameters",
    "InvoicesUpdateParameters",
    "InvoicesVoidParameters",
    "Period",
    "UpcomingInvoice",
    "UpcomingInvoiceExpanded",
    "InvoicesListParameters",
    "InvoicesRetrieveParameters",
]


class Invoice(TypedDict):
    """What a customer owes, and how it was paid."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["invoice"]
    """The kind of object."""
    customer: str
    """The id of the customer who owes it."""
    status: Literal["draft", "open", "paid", "void", "uncollectible"]
    """`draft`: it has no number yet. `open`: it is to be paid. `paid`: it is settled. `void`: it is not owed.
    `uncollectible`: the money is no longer expected, but it can still be paid.
    """
    billing_reason: Literal["subscription_create", "subscription_cycle", "subscription_update", "manual"]
    """`subscription_create`: the first invoice of a subscription. `subscription_cycle`: a new period.
    `subscription_update`: a change, a pause, a resumption or the end. `manual`: made by request.
    """
    currency: str
    """A three-letter ISO currency code in lower case."""
    lines: List[InvoiceLine]
    """What it is made of."""
    subtotal: int
    """The sum of the amounts of its lines."""
    discount: int
    """The sum of the discounts of its lines."""
    total: int
    """`subtotal` minus `discount`; may be below 0."""
    credit_applied: int
    """How much of the customer's credit is used for it."""
    amount_due: int
    """`total` minus `credit_applied`, or 0 if that is below 0."""
    amount_paid: int
    """The part of `amount_due` that is paid."""
    amount_remaining: int
    """The part of `amount_due` that is not paid."""
    attempt_count: int
    """How many payments were made for it."""
    period_start: int
    """When the period begins that it bills. For `manual`, the same as `created`. In UTC epoch seconds."""
    period_end: int
    """When the period ends that it bills. For `manual`, the same as `created`. In UTC epoch seconds."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    subscription: NotRequired[str]
    """The id of the subscription that it is of."""
    number: NotRequired[str]
    """`INV-000001` and so on, in the order in which invoices are finalized; present from then on."""
    hosted_url: NotRequired[str]
    """The page on which the customer sees the invoice, downloads it as PDF and pays it; present from when it is
    finalized. Everybody who has the address can do so: send it to the customer alone.
    """
    payment: NotRequired[str]
    """The id of the latest payment that was made for it."""
    next_payment_attempt: NotRequired[int]
    """When the charge is tried again; present while that is planned. In UTC epoch seconds."""
    last_failure: NotRequired[InvoiceFailure]
    paid_at: NotRequired[int]
    """When it was paid. In UTC epoch seconds."""
    voided_at: NotRequired[int]
    """When it became void. In UTC epoch seconds."""
    metadata: NotRequired[Metadata]
    expanded: NotRequired[InvoiceExpanded]


class InvoiceExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    subscription: NotRequired[Subscription]
    payment: NotRequired[Payment]


class InvoiceFailure(TypedDict):
    """Why the latest charge failed."""

    code: str
    """For programs: the code of an error, such as `card_declined`."""
    decline_code: NotRequired[str]
    """The bank's reason, if it gave one."""
    message: str
    """For people."""


class InvoiceLine(TypedDict):
    """An amount of an invoice. It never changes."""

    id: NotRequired[str]
    """An opaque text that begins with `il_`; absent in a preview."""
    amount: int
    """In the smallest unit of the currency, before the discount. Below 0 it is a credit."""
    discount: int
    """What a coupon takes off the amount."""
    description: str
    """What it is for."""
    period: Period
    proration: bool
    """Whether it is for a part of a period."""
    price: NotRequired[str]
    """The id of the price; absent for an invoice item."""
    quantity: NotRequired[int]
    """How many of the price; absent for an invoice item."""
    invoice_item: NotRequired[str]
    """The id of the invoice item that it comes from."""


class InvoicesCreateParametersItems(TypedDict):
    amount: NotRequired[int]
    """In the smallest unit of the currency. Not 0; below 0 it is a deduction. Excludes `price`."""
    price: NotRequired[str]
    """The id of an active price. Its amount, times `quantity`, is charged once."""
    quantity: NotRequired[int]
    """How many of the price; 1 when not given."""
    description: NotRequired[str]
    """What it is for, up to 1,000 characters. Required with `amount`; by default the product of the price."""


class InvoicesCreateParameters(TypedDict):
    customer: str
    """The id of the customer whose waiting items become the lines, up to 250, oldest first."""
    currency: NotRequired[str]
    """Only items in this currency, in either case. Required if items wait in several, or for an amount in `items` if
    none waits.
    """
    items: NotRequired[List[InvoicesCreateParametersItems]]
    """Further items, up to 50, which are created with the invoice. They become the last lines."""
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesFinalizeParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesMarkUncollectibleParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesPayParameters(TypedDict):
    payment_method: NotRequired[str]
    """The id of the payment method to charge. By default that of the subscription, or else the default of the
    customer.
    """
    return_url: NotRequired[str]
    """Says that the cardholder is present and can authenticate, and where the browser returns to: an https address
    of up to 2,048 characters. Without it the payment is initiated by the merchant.
    """
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesPreviewParameters(TypedDict):
    customer: NotRequired[str]
    """The id of the customer who would be billed. Required without `subscription`."""
    subscription: NotRequired[str]
    """The id of the subscription whose next invoice is shown."""
    items: NotRequired[List[SubscriptionItemChange]]
    """The items to change, to add and to remove: 1 to 40. Others stay as they are. At least one must be left, and 20
    at most.
    """
    proration: NotRequired[Literal["create", "invoice_now", "none"]]
    """As in an update of the subscription. `invoice_now` shows the invoice that would be made now."""
    proration_date: NotRequired[int]
    """The time of the change, for proration, in UTC epoch seconds: within the current period, and not before the
    latest change of an item that was prorated; now when not given.
    """
    coupon: NotRequired[str]
    """The id of a coupon that discounts its invoices. One with `amount_off` must be in the currency of the prices."""
    expand: NotRequired[List[Literal["customer", "subscription"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesUpdateParameters(TypedDict):
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoicesVoidParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class Period(TypedDict):
    """The time that it bills."""

    start: int
    """When it begins. In UTC epoch seconds."""
    end: int
    """When it ends. In UTC epoch seconds."""


class UpcomingInvoice(TypedDict):
    """What the next invoice would be. It has no id and no number."""

    object: Literal["invoice"]
    """The kind of object."""
    customer: str
    """The id of the customer who owes it."""
    status: Literal["draft", "open", "paid", "void", "uncollectible"]
    """`draft`: it has no number yet. `open`: it is to be paid. `paid`: it is settled. `void`: it is not owed.
    `uncollectible`: the money is no longer expected, but it can still be paid.
    """
    billing_reason: Literal["subscription_create", "subscription_cycle", "subscription_update", "manual"]
    """`subscription_create`: the first invoice of a subscription. `subscription_cycle`: a new period.
    `subscription_update`: a change, a pause, a resumption or the end. `manual`: made by request.
    """
    currency: str
    """A three-letter ISO currency code in lower case."""
    lines: List[InvoiceLine]
    """What it is made of."""
    subtotal: int
    """The sum of the amounts of its lines."""
    discount: int
    """The sum of the discounts of its lines."""
    total: int
    """`subtotal` minus `discount`; may be below 0."""
    credit_applied: int
    """How much of the customer's credit is used for it."""
    amount_due: int
    """`total` minus `credit_applied`, or 0 if that is below 0."""
    amount_paid: int
    """The part of `amount_due` that is paid."""
    amount_remaining: int
    """The part of `amount_due` that is not paid."""
    attempt_count: int
    """How many payments were made for it."""
    period_start: int
    """When the period begins that it bills. For `manual`, the same as `created`. In UTC epoch seconds."""
    period_end: int
    """When the period ends that it bills. For `manual`, the same as `created`. In UTC epoch seconds."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    subscription: NotRequired[str]
    """The id of the subscription that it is of."""
    expanded: NotRequired[UpcomingInvoiceExpanded]


class UpcomingInvoiceExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    subscription: NotRequired[Subscription]


class InvoicesListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those of this customer."""
    subscription: NotRequired[str]
    """Only those of this subscription."""
    status: NotRequired[Union[Literal["draft", "open", "paid", "void", "uncollectible"], List[Literal["draft", "open", "paid", "void", "uncollectible"]]]]
    """Only those in this status, or in one of these."""
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class InvoicesRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "subscription", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
