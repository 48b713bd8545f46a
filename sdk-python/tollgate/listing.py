"""Lists, which request their pages as they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: List[Item]
    has_more: bool
    """Whether there are more behind this page."""
    searched_to: Optional[str] = None
    """Where a search has stopped before the page was full: the next page begins here."""


class Listing(Generic[Item]):
    """A list. Iteration goes through all of its objects, and requests pages as they are needed.

    With `ending_before` it goes from older to newer objects.
    """

    def __init__(self, request: Callable[[Dict[str, Any]], Dict[str, Any]], params: Dict[str, Any]) -> None:
        self._request = request
        self._params = params
        self._first: Optional[Page[Item]] = None

    def page(self) -> Page[Item]:
        """The first page. It is requested once, however often it is asked for."""
        if self._first is None:
            self._first = self._requested(self._params)
        return self._first

    def pages(self) -> Iterator[Page[Item]]:
        """All pages, from the first one on."""
        cursor, end = ("ending_before", 0) if self._is_backward else ("starting_after", -1)
        page = self.page()
        yield page
        while page.has_more and (page.searched_to or page.data):
            last: Any = page.searched_to or page.data[end]
            position = last if isinstance(last, str) else last["id"]
            page = self._requested({**self._params, cursor: position})
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from reversed(page.data) if self._is_backward else page.data

    @property
    def _is_backward(self) -> bool:
        return self._params.get("ending_before") is not None

    def _requested(self, params: Dict[str, Any]) -> Page[Item]:
        answer = self._request(params)
        return Page(answer["data"], answer["has_more"], answer.get("searched_to"))
