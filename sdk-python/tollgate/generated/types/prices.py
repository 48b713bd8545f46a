# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .shared import Metadata

__all__ = [
    "Price",
    "PricesCreateParametersRecurring",
    "PricesCreateParameters",
    "PricesUpdateParameters",
    "Recurrence",
    "PricesListParameters",
]


class Price(TypedDict):
    """What one of something costs, for a period or once."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["price"]
    """The kind of object."""
    active: bool
    """Whether new subscriptions can have it."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    unit_amount: int
    """What one costs, for a period or once, in the smallest unit of the currency."""
    recurring: NotRequired[Recurrence]
    product_name: str
    """What is sold."""
    created: int
    """When it was created. In UTC epoch seconds."""
    metadata: NotRequired[Metadata]
    external_id: NotRequired[str]
    """The id that the object has in another system; present when supplied."""


class PricesCreateParametersRecurring(TypedDict):
    """How often the amount is billed. When not given, the price is paid once, and no subscription can have it."""

    interval: Literal["day", "week", "month", "year"]
    """The unit of a period."""
    interval_count: NotRequired[int]
    """How many intervals a period has; 1 when not given. A period is at most 1095 days, 156 weeks, 36 months or 3
    years.
    """


class PricesCreateParameters(TypedDict):
    currency: str
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    unit_amount: int
    """What one costs, for a period or once, in the smallest unit of the currency: 2000 is 20.00 euros. From 0 to
    999,999,999,999.
    """
    recurring: NotRequired[PricesCreateParametersRecurring]
    """How often the amount is billed. When not given, the price is paid once, and no subscription can have it."""
    product_name: str
    """What is sold, up to 256 characters."""
    external_id: NotRequired[str]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """


class PricesUpdateParameters(TypedDict):
    active: NotRequired[Optional[bool]]
    """Whether it is sold: whether new subscriptions can have it. Subscriptions that have it go on."""
    product_name: NotRequired[Optional[str]]
    """What is sold, up to 256 characters."""
    external_id: NotRequired[Optional[str]]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """


class Recurrence(TypedDict):
    """How often the amount is billed. Absent: it is paid once."""

    interval: Literal["day", "week", "month", "year"]
    """The unit of a period."""
    interval_count: int
    """How many intervals a period has."""


class PricesListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    active: NotRequired[bool]
    """Only active ones, or only the others."""
    external_id: NotRequired[str]
    """Only the one that has this id in another system."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
