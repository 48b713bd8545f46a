# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .shared import Metadata

__all__ = [
    "DeletedWebhookEndpoint",
    "WebhookEndpoint",
    "WebhookEndpointWithSecret",
    "WebhookEndpointsCreateParameters",
    "WebhookEndpointsRecoverParameters",
    "WebhookEndpointsRotateSecretParameters",
    "WebhookEndpointsUpdateParameters",
    "WebhookRecovery",
    "WebhookEndpointsListParameters",
    "WebhookEndpointsListDeliveriesParameters",
    "WebhookEndpointsListAllDeliveriesParameters",
]


class DeletedWebhookEndpoint(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["webhook_endpoint"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class WebhookEndpoint(TypedDict):
    """A receiver of events."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["webhook_endpoint"]
    """The kind of object."""
    url: str
    """Where events are sent to."""
    enabled_events: List[str]
    """The types and families of events that it gets, or `*` for all."""
    status: Literal["enabled", "disabled"]
    """`enabled`, or `disabled`: by you, or because of failures."""
    disabled_at: NotRequired[int]
    """When it was disabled because of failures. In UTC epoch seconds."""
    disabled_reason: NotRequired[Literal["gone", "failing"]]
    """Why: `gone`, the receiver has answered 410; `failing`, five days without a success."""
    description: NotRequired[str]
    """What it is for; present when supplied."""
    metadata: Metadata
    created: int
    """When it was created. In UTC epoch seconds."""


class WebhookEndpointWithSecret(TypedDict):
    """A receiver of events, with its secret."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["webhook_endpoint"]
    """The kind of object."""
    url: str
    """Where events are sent to."""
    enabled_events: List[str]
    """The types and families of events that it gets, or `*` for all."""
    status: Literal["enabled", "disabled"]
    """`enabled`, or `disabled`: by you, or because of failures."""
    disabled_at: NotRequired[int]
    """When it was disabled because of failures. In UTC epoch seconds."""
    disabled_reason: NotRequired[Literal["gone", "failing"]]
    """Why: `gone`, the receiver has answered 410; `failing`, five days without a success."""
    description: NotRequired[str]
    """What it is for; present when supplied."""
    metadata: Metadata
    created: int
    """When it was created. In UTC epoch seconds."""
    secret: str
    """What deliveries are signed with. It is not shown again."""


class WebhookEndpointsCreateParameters(TypedDict):
    url: str
    """Where events are sent to, up to 2,048 characters: an https address that leads to a public host. In test mode
    also http.
    """
    enabled_events: List[str]
    """1 to 100 event types and families such as `payment.*`, or `*` alone for all."""
    description: NotRequired[str]
    """What the endpoint is for, up to 1,000 characters."""
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """


class WebhookEndpointsRecoverParameters(TypedDict):
    since: int
    """From when on events are sent, in UTC epoch seconds: 30 days ago at most, and not in the future."""


class WebhookEndpointsRotateSecretParameters(TypedDict):
    overlap_hours: NotRequired[int]
    """How many hours the old secret is used beside the new one, from 0 to 168; 24 when not given."""


class WebhookEndpointsUpdateParameters(TypedDict):
    url: NotRequired[Optional[str]]
    """Where events are sent to, up to 2,048 characters: an https address that leads to a public host. In test mode
    also http.
    """
    enabled_events: NotRequired[Optional[List[str]]]
    """1 to 100 event types and families such as `payment.*`, or `*` alone for all."""
    status: NotRequired[Literal["enabled", "disabled", None]]
    """A `disabled` endpoint gets no new deliveries. Enabling it restarts the five days after which failures disable
    it.
    """
    description: NotRequired[Optional[str]]
    """What the endpoint is for, up to 1,000 characters."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """


class WebhookRecovery(TypedDict):
    object: Literal["webhook_recovery"]
    """The kind of object."""
    webhook_endpoint: str
    """The id of the webhook endpoint."""
    since: int
    """From when on events are sent. In UTC epoch seconds."""


class WebhookEndpointsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""


class WebhookEndpointsListDeliveriesParameters(ListParameters):
    status: NotRequired[Literal["pending", "delivered", "exhausted", "canceled"]]
    """Only deliveries in this status."""


class WebhookEndpointsListAllDeliveriesParameters(ListParameters):
    object_id: NotRequired[str]
    """The id of an object: only those of the newest 100 events about it."""
