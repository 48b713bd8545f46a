# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "Routing",
    "RoutingConditionAmount",
    "RoutingCondition",
    "RoutingRule",
    "RoutingRuleParametersWhenAmount",
    "RoutingRuleParametersWhen",
    "RoutingRuleParameters",
    "RoutingUpdateParameters",
]


class Routing(TypedDict):
    object: Literal["routing"]
    """The kind of object."""
    rules: List[RoutingRule]
    """The first rule that matches a payment decides."""


class RoutingConditionAmount(TypedDict):
    """The amount of the payment, in the smallest unit of its currency."""

    gte: NotRequired[int]
    """This amount, or more."""
    lt: NotRequired[int]
    """Less than this amount."""


class RoutingCondition(TypedDict):
    """A payment must meet all of it. Absent: the rule matches every payment."""

    currency: NotRequired[List[str]]
    """Any of these currencies."""
    brand: NotRequired[List[str]]
    """Any of these brands of the payment method."""
    country: NotRequired[List[str]]
    """Any of these countries of the billing address."""
    amount: NotRequired[RoutingConditionAmount]
    """The amount of the payment, in the smallest unit of its currency."""


class RoutingRule(TypedDict):
    when: NotRequired[RoutingCondition]
    use: List[str]
    """The ids of up to 3 processor accounts, in the order in which they are tried."""


class RoutingRuleParametersWhenAmount(TypedDict):
    """The amount of the payment, in the smallest unit of its currency."""

    gte: NotRequired[int]
    """This amount, or more."""
    lt: NotRequired[int]
    """Less than this amount."""


class RoutingRuleParametersWhen(TypedDict):
    """The payment must meet every condition that is named. Without any, the rule matches every payment."""

    currency: NotRequired[List[str]]
    """Any of these currencies: 1 to 200 codes."""
    brand: NotRequired[List[Literal["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"]]]
    """Any of these brands of the payment method: 1 to 200 names."""
    country: NotRequired[List[str]]
    """Any of these countries of the billing address: 1 to 200 codes. A payment method without a country matches
    none.
    """
    amount: NotRequired[RoutingRuleParametersWhenAmount]
    """The amount of the payment, in the smallest unit of its currency."""


class RoutingRuleParameters(TypedDict):
    when: NotRequired[RoutingRuleParametersWhen]
    """The payment must meet every condition that is named. Without any, the rule matches every payment."""
    use: List[str]
    """The ids of up to 3 processor accounts, in the order in which they are tried."""


class RoutingUpdateParameters(TypedDict):
    rules: List[RoutingRuleParameters]
    """All rules, at most 100: they replace those that were there. The first one that matches a payment says which
    processors are tried. Without rules the enabled accounts are, oldest first.
    """
