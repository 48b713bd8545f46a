# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict

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


class RefundsListParameters(ListParameters):
    payment: NotRequired[str]
    """Only those of this payment."""
    status: NotRequired[Literal["pending", "succeeded", "failed"]]
    """Only those in this status."""
    currency: NotRequired[str]
    """Only those in this currency: its three-letter ISO 4217 code, in either case."""
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class RefundsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
