# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "SearchResult",
    "SearchResults",
    "SearchQueryParameters",
]


class SearchResult(TypedDict):
    """An object that was found."""

    id: str
    """The id of the object."""
    object: str
    """The kind of object."""
    title: str
    """What identifies it for people: an amount, a name, a number."""
    subtitle: NotRequired[str]
    """More about it, such as its status; absent if there is nothing to say."""
    created: int
    """When it was created. In UTC epoch seconds."""


class SearchResults(TypedDict):
    """Objects that match a search."""

    object: Literal["search_results"]
    """The kind of object."""
    is_complete: bool
    """False if more than the 20 that are shown were found."""
    data: List[SearchResult]
    """What was found, newest first, up to 20."""


class SearchQueryParameters(TypedDict):
    q: str
    """An id, the email of a customer, the last four digits of a payment method and an amount (`4242 2000`), the
    number of an invoice, or the reference of a processor.
    """
