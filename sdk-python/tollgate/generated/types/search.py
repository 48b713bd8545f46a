# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "SearchResult",
    "SearchResults",
    "SearchQueryParameters",
]


class SearchResult(TypedDict):
    """An object that was found."""

    object: str
    """The kind of object."""
    id: str
    """The id of the object."""
    title: str
    """What identifies it for people: an amount, a name, a number."""
    subtitle: NotRequired[str]
    """More about it, such as whose it is and its status; absent if there is nothing to say."""
    created: int
    """When it was created. In UTC epoch seconds."""
    matched: List[Literal["id", "name", "email", "phone", "description", "product", "number", "amount", "card", "reference", "external_id", "code", "url", "customer"]]
    """What it was found by. Empty if only operators, such as `status:failed`, were searched for."""


class SearchResults(TypedDict):
    """Objects that match a search."""

    object: Literal["search_results"]
    """The kind of object."""
    data: List[SearchResult]
    """What was found, kind by kind, newest first in each."""
    counts: Dict[str, int]
    """How many were found, by kind. It has every kind that was searched."""
    is_complete: bool
    """False if a word is so frequent that not all objects with it were looked at: more may match than were counted."""


class SearchQueryParameters(TypedDict):
    q: str
    """Words, each of which begins a word of the object: of names, emails, phone numbers, descriptions, products,
    references, external ids and codes of coupons; the last four digits of a card, an amount (`129`, `129.00`,
    `€129`), the number of an invoice, or the beginning of an id. Further `status:failed`, `amount:>100`,
    `amount:100..200`, `card:4242`, `customer:ada`, `created:2026-03`, and words in quotes that follow each other.
    """
    kind: NotRequired[Literal["balance_transaction", "checkout_session", "coupon", "customer", "dispute", "event", "invoice", "invoice_item", "payment", "payment_link", "payment_method", "price", "processor_account", "refund", "request_log", "setup", "subscription", "test_clock", "webhook_endpoint"]]
    """Only objects of this kind. Without it, of every kind that the key may read."""
    limit: NotRequired[int]
    """How many objects of each kind are shown at most, 1 to 100; 10 by default."""
