# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "Reconciliation",
    "StatementTotals",
    "ReconciliationsListParameters",
]


class Reconciliation(TypedDict):
    """A day of the ledger that was compared with the statement of a processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["reconciliation"]
    """The kind of object."""
    date: str
    """The day that was compared. A day in UTC, such as `2027-01-31`."""
    connector: str
    """The connector that reaches the processor."""
    processor_account: NotRequired[str]
    """The id of the account at the processor; absent for a connector without accounts, such as the simulator."""
    status: Literal["matched", "open", "accepted"]
    """`matched`: the books agree. `open`: there are differences that nobody has accepted. `accepted`: all
    differences were accepted.
    """
    matched: int
    """How many lines are the same in the ledger and in the statement."""
    matched_on_another_day: int
    """How many of these are on different days: the answer of the processor was late."""
    differences: int
    """How many differences were found. The first 1,000 of them are stored."""
    open_differences: int
    """How many of them nobody has accepted."""
    totals: List[StatementTotals]
    """Fees, net and payouts as the statement has them, by currency. Sums can exceed 2^53."""
    compared_at: int
    """When the day was compared last. In UTC epoch seconds."""
    created: int
    """When the day that was compared began. In UTC epoch seconds."""


class StatementTotals(TypedDict):
    """What the statement of a processor says about a day in a currency."""

    currency: str
    """A three-letter ISO currency code in lower case."""
    fees: int
    """What the processor has kept of the lines of the day."""
    net: int
    """What is left of them after fees: payments and won disputes less refunds and disputes. It can be below 0."""
    paid_out: int
    """What the processor has paid out on this day, money of earlier days included. Below 0: it has collected from
    you.
    """


class ReconciliationsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    date: NotRequired[str]
    """Only those of this day. A day in UTC, such as `2027-01-31`."""
    connector: NotRequired[str]
    """Only those with this connector."""
    processor_account: NotRequired[str]
    """Only those with this account at a processor."""
    status: NotRequired[Literal["matched", "open", "accepted"]]
    """Only those in this status."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
