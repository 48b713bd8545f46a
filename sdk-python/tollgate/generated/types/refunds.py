# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .payments import Payment
    from .shared import Metadata

__all__ = [
    "Refund",
    "RefundExpanded",
    "RefundsCreateParameters",
    "RefundsUpdateParameters",
    "RefundsListParametersAmount",
    "RefundsListParametersAmountDecimal",
    "RefundsListParameters",
    "RefundsRetrieveParameters",
]


class Refund(TypedDict):
    """Money that goes back to a customer."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["refund"]
    """The kind of object."""
    amount: int
    """How much goes back, in the smallest unit of the currency."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    payment: str
    """The id of the payment that is refunded."""
    status: Literal["pending", "succeeded", "failed"]
    """`pending`: the outcome is not known yet. `succeeded`: the bank has accepted it, and may still return it.
    `failed`: the money stays with you.
    """
    reason: NotRequired[Literal["duplicate", "fraudulent", "requested_by_customer", "made_at_processor"]]
    """Why the money goes back; present when supplied. `made_at_processor`: it was made at the processor, and not
    here.
    """
    metadata: NotRequired[Metadata]
    failure_reason: NotRequired[str]
    """Why it failed: the processor's own code, or `processing_error`."""
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    expanded: NotRequired[RefundExpanded]


class RefundExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    payment: NotRequired[Payment]


class RefundsCreateParameters(TypedDict):
    payment: str
    """The id of the payment. Its status must be `succeeded`."""
    amount: NotRequired[int]
    """How much, in the smallest unit of the currency: at least 1, and at most what was received less pending and
    succeeded refunds, which is also the default.
    """
    reason: NotRequired[Literal["duplicate", "fraudulent", "requested_by_customer"]]
    """Why the money goes back."""
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class RefundsUpdateParameters(TypedDict):
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class RefundsListParametersAmount(TypedDict):
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""

    gt: NotRequired[int]
    """More than this."""
    gte: NotRequired[int]
    """This or more."""
    lt: NotRequired[int]
    """Less than this."""
    lte: NotRequired[int]
    """This or less."""


class RefundsListParametersAmountDecimal(TypedDict):
    """The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
    dinars.
    """

    gt: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    gte: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    lt: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    lte: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""


class RefundsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    payment: NotRequired[str]
    """Only those of this payment."""
    status: NotRequired[Union[Literal["pending", "succeeded", "failed"], List[Literal["pending", "succeeded", "failed"]]]]
    """Only those in this status, or in one of these."""
    currency: NotRequired[str]
    """Only those in this currency: its three-letter ISO 4217 code, in either case."""
    amount: NotRequired[RefundsListParametersAmount]
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""
    amount_decimal: NotRequired[RefundsListParametersAmountDecimal]
    """The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
    dinars.
    """
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class RefundsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
