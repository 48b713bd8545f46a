# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .shared import Metadata

__all__ = [
    "Coupon",
    "CouponsCreateParameters",
    "DeletedCoupon",
    "CouponsListParameters",
]


class Coupon(TypedDict):
    """A discount for subscriptions and checkouts."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["coupon"]
    """The kind of object."""
    percent_off: NotRequired[float]
    """The percentage that it takes off each charge of the subscription."""
    amount_off: NotRequired[int]
    """The amount that it takes off an invoice, in the smallest unit of the currency."""
    currency: NotRequired[str]
    """The currency of `amount_off`, in lower case."""
    duration: Literal["once", "repeating", "forever"]
    """How long a subscription has the discount. `once`: until the first invoice with a discount. `repeating`: for
    some months. `forever`: as long as it has the coupon.
    """
    duration_in_months: NotRequired[int]
    """How many months a `repeating` discount lasts."""
    name: NotRequired[str]
    """What it is called; present when supplied."""
    code: NotRequired[str]
    """What a customer types; present when supplied."""
    created: int
    """When it was created. In UTC epoch seconds."""
    metadata: NotRequired[Metadata]


class CouponsCreateParameters(TypedDict):
    percent_off: NotRequired[float]
    """A percentage from 0.01 to 100, with at most two decimals. Send it, or `amount_off`."""
    amount_off: NotRequired[int]
    """An amount from 1 to 999,999,999,999, in the smallest unit of `currency`. Send it, or `percent_off`."""
    currency: NotRequired[str]
    """The currency of `amount_off`, and required with it: a three-letter ISO currency code, in either case."""
    duration: Literal["once", "repeating", "forever"]
    """How long a subscription has the discount. `once`: until the first invoice with a discount. `repeating`: for
    some months. `forever`: as long as it has the coupon.
    """
    duration_in_months: NotRequired[int]
    """How many months a `repeating` discount lasts, from 1 to 36. Required there, and refused with other durations."""
    name: NotRequired[str]
    """What it is called, up to 256 characters."""
    code: NotRequired[str]
    """What a customer types at a checkout, in either case: up to 40 characters, without spaces. No other coupon may
    have it; a deleted one gives it up. Without a code, a coupon cannot be typed.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """


class DeletedCoupon(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["coupon"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class CouponsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    code: NotRequired[str]
    """Only the one with this code, in either case."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
