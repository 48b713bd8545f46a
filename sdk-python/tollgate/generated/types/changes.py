# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "Change",
    "ChangesFollowParameters",
]


class Change(TypedDict):
    """Something that happened in an account, as a message of `GET /v1/changes`."""

    object: Literal["change"]
    """The kind of object."""
    type: str
    """The type of an event, or `webhook_delivery.attempted`. `reload`: the position is too old, so load anew what
    you show.
    """
    subject: NotRequired[str]
    """The id of the object that it is about, such as a payment; absent in `reload`."""
    event: NotRequired[str]
    """The id of the event; absent in `reload`, and for people whose role may not read events."""
    webhook_endpoint: NotRequired[str]
    """Of an attempt: the id of the webhook endpoint."""
    status: NotRequired[int]
    """Of an attempt: the HTTP status of the answer; absent when there was none."""
    payload: NotRequired[str]
    """Of an event, if `payload` was asked for: the event as JSON, exactly the bytes that webhooks are signed and
    sent with.
    """


class ChangesFollowParameters(TypedDict):
    payload: NotRequired[bool]
    """Whether messages about events have the event itself, in `payload`. False by default."""
