# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .invoices import Invoice
    from .subscriptions import Subscription

__all__ = [
    "DeletedInvoiceItem",
    "InvoiceItem",
    "InvoiceItemExpanded",
    "InvoiceItemsCreateParameters",
    "InvoiceItemsListParameters",
    "InvoiceItemsRetrieveParameters",
]


class DeletedInvoiceItem(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["invoice_item"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class InvoiceItem(TypedDict):
    """An amount that waits for an invoice, or is part of one."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["invoice_item"]
    """The kind of object."""
    customer: str
    """The id of the customer who is billed."""
    amount: int
    """In the smallest unit of the currency. Below 0 it is a deduction."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    description: str
    """What it is for."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    subscription: NotRequired[str]
    """The id of the subscription whose next invoice gets it; present when supplied."""
    invoice: NotRequired[str]
    """The id of the invoice that has it; absent while it waits."""
    expanded: NotRequired[InvoiceItemExpanded]


class InvoiceItemExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    subscription: NotRequired[Subscription]
    invoice: NotRequired[Invoice]


class InvoiceItemsCreateParameters(TypedDict):
    customer: str
    """The id of the customer whose next invoice gets the item."""
    amount: int
    """In the smallest unit of the currency: 2000 is 20.00 euros. From -999,999,999,999 to 999,999,999,999, and not
    0. Below 0 it is a deduction.
    """
    currency: str
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    description: str
    """What it is for, up to 1,000 characters."""
    subscription: NotRequired[str]
    """The id of a subscription of the customer, in this currency and not canceled. Its next invoice gets the item."""
    expand: NotRequired[List[Literal["customer", "subscription", "invoice"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoiceItemsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those of this customer."""
    expand: NotRequired[List[Literal["customer", "subscription", "invoice"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class InvoiceItemsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "subscription", "invoice"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
