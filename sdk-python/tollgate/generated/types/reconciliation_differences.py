# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .payments import Payment
    from .reconciliations import Reconciliation

__all__ = [
    "BookedAmounts",
    "ComparedAmount",
    "DecidedBy",
    "ReconciliationDifference",
    "ReconciliationDifferenceExpanded",
    "ReconciliationDifferencesAcceptParameters",
    "ReconciliationDifferencesFollowUpParameters",
    "ReconciliationDifferencesRetrieveParameters",
    "ReconciliationDifferencesListParameters",
]


class BookedAmounts(TypedDict):
    """What the processor has booked, of `gross_differs` and `net_differs`."""

    gross: int
    """What it adds to the balance at the processor before fees; below 0 it takes away."""
    fee: int
    """What the processor has kept."""
    net: int
    """What the processor says is left."""


class ComparedAmount(TypedDict):
    """What one of the two books has. Absent if it has no such line."""

    amount: int
    """In the smallest unit of the currency."""
    currency: str
    """A three-letter ISO currency code in lower case."""


class DecidedBy(TypedDict):
    """Who has decided the status: a person, an API key, or the operator."""

    user: NotRequired[str]
    """The id of the person; absent for an API key and for the operator."""
    api_key: NotRequired[str]
    """The id of the API key; absent for a person and for the operator."""
    name: str
    """The email of the person, the name of the key, or that of the operator, at that time."""


class ReconciliationDifference(TypedDict):
    """A line that differs between the ledger and the statement of a processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["reconciliation_difference"]
    """The kind of object."""
    reconciliation: NotRequired[str]
    """The comparison that has found it."""
    date: str
    """The day that was compared. A day in UTC, such as `2027-01-31`."""
    connector: str
    """The connector that reaches the processor."""
    processor_account: NotRequired[str]
    """The id of the account at the processor; absent for a connector without accounts, such as the simulator."""
    what: Literal["missing_in_ledger", "missing_at_processor", "amount_differs", "currency_differs", "doubled_in_ledger", "doubled_at_processor", "gross_differs", "net_differs"]
    """`missing_in_ledger`: missing in our ledger. `missing_at_processor`: missing at the processor.
    `amount_differs`: the amount differs. `currency_differs`: the currency differs. `doubled_in_ledger`: once more
    in our ledger. `doubled_at_processor`: once more at the processor. `gross_differs`: booked with another amount
    or in the wrong direction. `net_differs`: booked with a net that is not the gross less the fee.
    """
    kind: str
    """What the line is about, such as `payment`, `refund` or `dispute`."""
    reference: str
    """By what both sides know the line: an attempt, or the reference of the processor."""
    payment: NotRequired[str]
    """The payment that the line is about, if it is known here."""
    ledger: NotRequired[ComparedAmount]
    processor: NotRequired[ComparedAmount]
    booked: NotRequired[BookedAmounts]
    status: Literal["open", "following_up", "accepted"]
    """`open`: nobody has decided about it. `following_up`: somebody is looking into it. `accepted`: it is explained,
    and stays as it is.
    """
    note: NotRequired[str]
    """What was written down about the status."""
    changed_by: NotRequired[DecidedBy]
    changed_at: NotRequired[int]
    """When the status was decided. In UTC epoch seconds."""
    created: int
    """When it was created. In UTC epoch seconds."""
    expanded: NotRequired[ReconciliationDifferenceExpanded]


class ReconciliationDifferenceExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    reconciliation: NotRequired[Reconciliation]
    payment: NotRequired[Payment]


class ReconciliationDifferencesAcceptParameters(TypedDict):
    note: str
    """Why it is accepted, up to 1,000 characters. It must not be blank."""
    expand: NotRequired[List[Literal["reconciliation", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class ReconciliationDifferencesFollowUpParameters(TypedDict):
    note: NotRequired[str]
    """What is being done about it, up to 1,000 characters."""
    expand: NotRequired[List[Literal["reconciliation", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class ReconciliationDifferencesRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["reconciliation", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class ReconciliationDifferencesListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    reconciliation: NotRequired[str]
    """Only those that this comparison has found."""
    payment: NotRequired[str]
    """Only those about this payment."""
    date: NotRequired[str]
    """Only those of this day. A day in UTC, such as `2027-01-31`."""
    status: NotRequired[Literal["open", "following_up", "accepted"]]
    """Only those in this status."""
    expand: NotRequired[List[Literal["reconciliation", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
