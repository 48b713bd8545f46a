# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .payment_methods import PaymentMethod
    from .shared import Metadata, NextAction

__all__ = [
    "Setup",
    "SetupExpanded",
    "SetupsCancelParameters",
    "SetupsCreateParameters",
    "SetupsListParameters",
    "SetupsRetrieveParameters",
]


class Setup(TypedDict):
    """A payment method that is verified without a charge, and whose cardholder agrees to later charges."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["setup"]
    """The kind of object."""
    payment_method: NotRequired[str]
    """The id of the payment method that is set up. Absent while a customer has yet to choose it on a page of the
    processor; a setup that has succeeded has one.
    """
    status: Literal["requires_action", "processing", "succeeded", "failed", "canceled"]
    """`requires_action`: the cardholder must authenticate, within an hour, or choose a card on a page of the
    processor. `processing`: the outcome is unknown, and the processor is asked until it is known. `succeeded`:
    the payment method can be charged without the cardholder. `failed`: it was declined, or never reached the
    processor. `canceled`: it was canceled, or has expired.
    """
    customer: NotRequired[str]
    """The id of the customer that it belongs to."""
    checkout_session: NotRequired[str]
    """The id of the checkout session that it is a try of."""
    next_action: NotRequired[NextAction]
    failure_code: NotRequired[Literal["card_declined", "expired_card", "incorrect_cvc", "processing_error"]]
    """Why it failed, for programs: the code of an error."""
    failure_decline_code: NotRequired[str]
    """The reason that the bank gives, if it names one."""
    metadata: NotRequired[Metadata]
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    expanded: NotRequired[SetupExpanded]


class SetupExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    payment_method: NotRequired[PaymentMethod]
    customer: NotRequired[Customer]


class SetupsCancelParameters(TypedDict):
    expand: NotRequired[List[Literal["payment_method", "customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SetupsCreateParameters(TypedDict):
    payment_method: str
    """The id of the payment method to set up. It must not be detached."""
    customer: NotRequired[str]
    """The id of the customer that the setup belongs to: by default the one that the payment method is attached to. A
    payment method that is attached to another customer is refused.
    """
    return_url: NotRequired[str]
    """Where the cardholder returns to after an authentication: an https address of up to 2,048 characters, without
    user name and password. In test mode also http on this machine.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["payment_method", "customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class SetupsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those of this customer."""
    payment_method: NotRequired[str]
    """Only those of this payment method."""
    checkout_session: NotRequired[str]
    """Only the tries of this checkout session."""
    status: NotRequired[Union[Literal["requires_action", "processing", "succeeded", "failed", "canceled"], List[Literal["requires_action", "processing", "succeeded", "failed", "canceled"]]]]
    """Only those in this status, or in one of these."""
    expand: NotRequired[List[Literal["payment_method", "customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class SetupsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["payment_method", "customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
