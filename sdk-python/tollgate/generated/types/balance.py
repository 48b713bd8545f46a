# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .disputes import Dispute
    from .payments import Payment
    from .refunds import Refund

__all__ = [
    "Balance",
    "BalanceAmount",
    "BalanceBreakdown",
    "BalanceParts",
    "BalanceTransaction",
    "BalanceTransactionExpanded",
    "UpcomingBalance",
    "BalanceListTransactionsParameters",
    "BalanceRetrieveTransactionParameters",
]


class Balance(TypedDict):
    object: Literal["balance"]
    """The kind of object."""
    available: List[BalanceAmount]
    """What is available today, by currency. It can be below 0."""
    pending: List[BalanceAmount]
    """Payments less fees that become available on a later day, by currency."""
    disputed: List[BalanceAmount]
    """What open disputes are about, by currency. It is not part of the other two."""


class BalanceAmount(TypedDict):
    amount: int
    """In the smallest unit of the currency. It may exceed 2^53."""
    currency: str
    """A three-letter ISO currency code in lower case."""


class BalanceBreakdown(TypedDict):
    object: Literal["balance_breakdown"]
    """The kind of object."""
    since: int
    """Midnight of the first day whose movements are listed separately: 30 days ago. In UTC epoch seconds."""
    data: List[BalanceParts]
    """One entry for each currency in which money has ever moved."""


class BalanceParts(TypedDict):
    """What the balance of a currency is made of."""

    currency: str
    """A three-letter ISO currency code in lower case."""
    available: int
    """What is available today: the next five members together. It may exceed 2^53."""
    opening: int
    """What was available when the first day began. It may exceed 2^53."""
    payments: int
    """Payments that have become available since then. It may exceed 2^53."""
    fees: int
    """Their fees; below 0. It may exceed 2^53."""
    refunds: int
    """Refunds since then, less those that failed; below 0. It may exceed 2^53."""
    disputes: int
    """What disputes have withdrawn since then, less what was won back; below 0. It may exceed 2^53."""
    pending: int
    """Payments less fees that become available on a later day. It may exceed 2^53."""
    disputed: int
    """What open disputes are about. It may exceed 2^53."""
    upcoming: List[UpcomingBalance]
    """When what is pending becomes available, by day."""
    covered_on: NotRequired[int]
    """If less than nothing is available: midnight of the day from which on that is no longer so, if nothing else
    happens. Absent if pending payments do not cover it. In UTC epoch seconds.
    """


class BalanceTransaction(TypedDict):
    """One movement of the balance."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["balance_transaction"]
    """The kind of object."""
    amount: int
    """What it adds to the balance, in the smallest unit of the currency; below 0 it takes away."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    type: Literal["payment", "fee", "payment_correction", "fee_correction", "refund", "refund_failure", "refund_correction", "dispute", "dispute_reversal"]
    """What has moved the money."""
    source: str
    """The id of the payment, refund or dispute that has caused it."""
    payment: str
    """The id of the payment: the source itself, or the one that was refunded or disputed."""
    status: Literal["pending", "available"]
    """`pending` until the day of `available_on` begins, then `available`."""
    available_on: int
    """Midnight of the day on which the amount becomes available. In UTC epoch seconds."""
    created: int
    """When it was created. In UTC epoch seconds."""
    expanded: NotRequired[BalanceTransactionExpanded]


class BalanceTransactionExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    source: NotRequired[Union[Payment, Refund, Dispute]]
    """One of Payment, Refund, Dispute."""
    payment: NotRequired[Payment]


class UpcomingBalance(TypedDict):
    """What becomes available on a later day."""

    available_on: int
    """Midnight of the day. In UTC epoch seconds."""
    amount: int
    """What becomes available on this day. It may exceed 2^53."""
    available_after: int
    """What is available then, if nothing else happens. It may exceed 2^53."""


class BalanceListTransactionsParameters(ListParameters):
    type: NotRequired[Literal["payment", "fee", "payment_correction", "fee_correction", "refund", "refund_failure", "refund_correction", "dispute", "dispute_reversal"]]
    """Only transactions of this type."""
    source: NotRequired[str]
    """The id of a payment, refund or dispute: only the transactions that it has caused."""
    payment: NotRequired[str]
    """The id of a payment: only its transactions, and those of its refunds and disputes."""
    expand: NotRequired[List[Literal["source", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class BalanceRetrieveTransactionParameters(TypedDict):
    expand: NotRequired[List[Literal["source", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
