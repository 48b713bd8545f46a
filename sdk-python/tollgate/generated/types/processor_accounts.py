# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "DeletedProcessorAccount",
    "ProcessorAccount",
    "ProcessorAccountsCreateParameters",
    "ProcessorAccountsUpdateParameters",
    "ProcessorCapabilitiesPage",
    "ProcessorCapabilitiesFieldsHosts",
    "ProcessorCapabilitiesFields",
    "ProcessorCapabilities",
    "ProcessorVerification",
    "ProcessorAccountsListParameters",
]


class DeletedProcessorAccount(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["processor_account"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class ProcessorAccount(TypedDict):
    """An account at a processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["processor_account"]
    """The kind of object."""
    connector: str
    """The name of the connector that speaks to the processor."""
    name: str
    """What you call the account."""
    enabled: bool
    """Whether it takes new payments."""
    settings: Dict[str, Union[str, bool]]
    """Texts and flags, by the names that the connector defines."""
    capabilities: ProcessorCapabilities
    webhook_url: str
    """Where the processor is to send its notices."""
    created: int
    """When it was created. In UTC epoch seconds."""
    last_verified: NotRequired[int]
    """When the credentials were last seen to work. In UTC epoch seconds."""


class ProcessorAccountsCreateParameters(TypedDict):
    connector: str
    """The name of the connector that speaks to the processor, such as `stripe`."""
    name: str
    """What you call the account, up to 200 characters."""
    credentials: NotRequired[Dict[str, Any]]
    """What the processor has given you, by the names that the connector defines. Never shown again. An update merges
    them member by member; null or an empty string removes one.
    """
    settings: NotRequired[Dict[str, Any]]
    """Texts and flags, by the names that the connector defines. An update merges them member by member; null or an
    empty string removes one.
    """
    enabled: NotRequired[bool]
    """Whether it takes new payments; `true` when not given. Everything about earlier payments goes on in a disabled
    account.
    """


class ProcessorAccountsUpdateParameters(TypedDict):
    name: NotRequired[Optional[str]]
    """What you call the account, up to 200 characters."""
    credentials: NotRequired[Optional[Dict[str, Any]]]
    """What the processor has given you, by the names that the connector defines. Never shown again. An update merges
    them member by member; null or an empty string removes one.
    """
    settings: NotRequired[Optional[Dict[str, Any]]]
    """Texts and flags, by the names that the connector defines. An update merges them member by member; null or an
    empty string removes one.
    """
    enabled: NotRequired[Optional[bool]]
    """Whether it takes new payments; `true` when not given. Everything about earlier payments goes on in a disabled
    account.
    """


class ProcessorCapabilitiesPage(TypedDict):
    """Present if the processor has a page that customers pay on."""

    min_minutes: int
    """The shortest time that a page can live, in minutes."""
    max_minutes: int
    """The longest time that a page can live, in minutes."""


class ProcessorCapabilitiesFieldsHosts(TypedDict):
    origin: str
    """An origin that the browser may use."""
    use: Literal["script", "frame", "connect", "image"]
    """What it may be used for."""
    reason: str
    """What it is needed for."""


class ProcessorCapabilitiesFields(TypedDict):
    """Present if the processor has fields for a page of the gateway."""

    script: str
    """The address of the script that draws them."""
    hosts: List[ProcessorCapabilitiesFieldsHosts]
    """Every origin that the script needs."""


class ProcessorCapabilities(TypedDict):
    """What the processor can do with this account."""

    currencies: NotRequired[List[str]]
    """The currencies that it takes; absent when it takes all."""
    partial_capture: bool
    """Whether less than the authorized amount can be captured."""
    authorization_days: int
    """How many days an authorization holds the money."""
    challenge: bool
    """Whether it can ask the cardholder to authenticate."""
    tokens: bool
    """Whether it takes payment methods that it keeps itself."""
    raw_cards: bool
    """Whether it takes card numbers."""
    setup: bool
    """Whether it can set up a payment method without a charge."""
    page: NotRequired[ProcessorCapabilitiesPage]
    """Present if the processor has a page that customers pay on."""
    fields: NotRequired[ProcessorCapabilitiesFields]
    """Present if the processor has fields for a page of the gateway."""


class ProcessorVerification(TypedDict):
    ok: bool
    """Whether the processor accepts the credentials."""
    message: str
    """What the processor said, in one sentence."""


class ProcessorAccountsListParameters(ListParameters):
    pass
