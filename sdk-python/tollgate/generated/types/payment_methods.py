# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .shared import BillingDetails, Card, Metadata, ProcessorToken

__all__ = [
    "PaymentMethod",
    "PaymentMethodExpanded",
    "PaymentMethodsAttachParameters",
    "PaymentMethodsCreateParametersCard",
    "PaymentMethodsCreateParametersProcessorToken",
    "PaymentMethodsCreateParametersBillingDetailsAddress",
    "PaymentMethodsCreateParametersBillingDetails",
    "PaymentMethodsCreateParameters",
    "PaymentMethodsDetachParameters",
    "PaymentMethodsUpdateParametersCard",
    "PaymentMethodsUpdateParametersBillingDetailsAddress",
    "PaymentMethodsUpdateParametersBillingDetails",
    "PaymentMethodsUpdateParameters",
    "PaymentMethodsListParameters",
    "PaymentMethodsRetrieveParameters",
]


class PaymentMethod(TypedDict):
    """A stored payment method."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["payment_method"]
    """The kind of object."""
    type: Literal["card"]
    """The kind of payment method."""
    card: Card
    billing_details: BillingDetails
    created: int
    """When it was created. In UTC epoch seconds."""
    customer: NotRequired[str]
    """The id of the customer that it is attached to; present while it is."""
    metadata: NotRequired[Metadata]
    processor_token: NotRequired[ProcessorToken]
    expanded: NotRequired[PaymentMethodExpanded]


class PaymentMethodExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]


class PaymentMethodsAttachParameters(TypedDict):
    customer: str
    """The id of the customer to attach it to. A customer can have 100 payment methods."""
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentMethodsCreateParametersCard(TypedDict):
    """The card as a number. Send it, or `processor_token`."""

    number: str
    """The card number as a string: 12 to 19 digits with a valid check digit. Spaces and dashes are ignored."""
    exp_month: int
    """The month in which the card expires, from 1 to 12; not in the past."""
    exp_year: int
    """The year in which the card expires, four digits; not in the past, and at most 50 years ahead."""
    cvc: NotRequired[str]
    """The security code: 4 digits for American Express, 3 for other brands, 3 or 4 for an unknown one. It is used
    for one authorization, and kept for 15 minutes at most.
    """


class PaymentMethodsCreateParametersProcessorToken(TypedDict):
    """A payment method that a processor keeps. Send it in place of the parameters of the type."""

    processor_account: str
    """The id of the processor account that keeps it."""
    token: str
    """The name that the processor has given to it, up to 200 characters."""


class PaymentMethodsCreateParametersBillingDetailsAddress(TypedDict):
    """Stored for the processor, and never shown."""

    line1: NotRequired[str]
    """Street and number, up to 256 characters."""
    line2: NotRequired[str]
    """A further line, up to 256 characters."""
    city: NotRequired[str]
    """The city, up to 256 characters."""
    state: NotRequired[str]
    """The state, county or province, up to 256 characters."""
    postal_code: NotRequired[str]
    """The postal code, up to 256 characters."""
    country: NotRequired[str]
    """Two-letter country code"""


class PaymentMethodsCreateParametersBillingDetails(TypedDict):
    """Who holds the payment method. An update is merged field by field."""

    name: NotRequired[str]
    """The name of the holder, up to 256 characters."""
    email: NotRequired[str]
    """An email address of up to 254 characters."""
    address: NotRequired[PaymentMethodsCreateParametersBillingDetailsAddress]
    """Stored for the processor, and never shown."""


class PaymentMethodsCreateParameters(TypedDict):
    type: Literal["card"]
    """The kind of payment method."""
    card: NotRequired[PaymentMethodsCreateParametersCard]
    """The card as a number. Send it, or `processor_token`."""
    processor_token: NotRequired[PaymentMethodsCreateParametersProcessorToken]
    """A payment method that a processor keeps. Send it in place of the parameters of the type."""
    billing_details: NotRequired[PaymentMethodsCreateParametersBillingDetails]
    """Who holds the payment method. An update is merged field by field."""
    customer: NotRequired[str]
    """The id of a customer to attach it to. A customer can have 100 payment methods."""
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentMethodsDetachParameters(TypedDict):
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentMethodsUpdateParametersCard(TypedDict):
    """Another expiry. It cannot be removed, and that of a card that a processor keeps cannot be changed."""

    exp_month: NotRequired[Optional[int]]
    """The month in which the card expires, from 1 to 12; not in the past."""
    exp_year: NotRequired[Optional[int]]
    """The year in which the card expires, four digits; not in the past, and at most 50 years ahead."""


class PaymentMethodsUpdateParametersBillingDetailsAddress(TypedDict):
    """Stored for the processor, and never shown."""

    line1: NotRequired[Optional[str]]
    """Street and number, up to 256 characters."""
    line2: NotRequired[Optional[str]]
    """A further line, up to 256 characters."""
    city: NotRequired[Optional[str]]
    """The city, up to 256 characters."""
    state: NotRequired[Optional[str]]
    """The state, county or province, up to 256 characters."""
    postal_code: NotRequired[Optional[str]]
    """The postal code, up to 256 characters."""
    country: NotRequired[Optional[str]]
    """Two-letter country code"""


class PaymentMethodsUpdateParametersBillingDetails(TypedDict):
    """Who holds the payment method. An update is merged field by field."""

    name: NotRequired[Optional[str]]
    """The name of the holder, up to 256 characters."""
    email: NotRequired[Optional[str]]
    """An email address of up to 254 characters."""
    address: NotRequired[Optional[PaymentMethodsUpdateParametersBillingDetailsAddress]]
    """Stored for the processor, and never shown."""


class PaymentMethodsUpdateParameters(TypedDict):
    card: NotRequired[Optional[PaymentMethodsUpdateParametersCard]]
    """Another expiry. It cannot be removed, and that of a card that a processor keeps cannot be changed."""
    billing_details: NotRequired[Optional[PaymentMethodsUpdateParametersBillingDetails]]
    """Who holds the payment method. An update is merged field by field."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentMethodsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those attached to this customer."""
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class PaymentMethodsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
