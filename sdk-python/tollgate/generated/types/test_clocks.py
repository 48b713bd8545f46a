# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "DeletedTestClock",
    "TestClock",
    "TestClocksAdvanceParameters",
    "TestClocksCreateParameters",
    "TestClocksListParameters",
]


class DeletedTestClock(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["test_clock"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class TestClock(TypedDict):
    """A clock of test mode."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["test_clock"]
    """The kind of object."""
    name: NotRequired[str]
    """A name for people."""
    frozen_time: int
    """Where the clock is; while it advances, how far it has come. In UTC epoch seconds."""
    status: Literal["ready", "advancing"]
    """`ready`: it stands still. `advancing`: what is due happens, and its customers cannot be changed."""
    created: int
    """When the clock was created, in real time. In UTC epoch seconds."""


class TestClocksAdvanceParameters(TypedDict):
    frozen_time: int
    """Where the clock is advanced to, in UTC epoch seconds: later than the clock is, by ten years at most."""


class TestClocksCreateParameters(TypedDict):
    frozen_time: int
    """Where the clock begins, in UTC epoch seconds: from the year 2000 to the beginning of 2100."""
    name: NotRequired[str]
    """A name for people, up to 256 characters."""


class TestClocksListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
