# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer

__all__ = [
    "PortalSession",
    "PortalSessionExpanded",
    "PortalSessionsCreateParameters",
]


class PortalSession(TypedDict):
    """A link by which a customer signs in to the portal once."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["portal_session"]
    """The kind of object."""
    customer: str
    """The id of the customer."""
    url: str
    """The link. Send it to the customer alone: the first person to use it is signed in as the customer."""
    expires_at: int
    """When the link can no longer be used: after five minutes. In UTC epoch seconds."""
    expanded: NotRequired[PortalSessionExpanded]


class PortalSessionExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]


class PortalSessionsCreateParameters(TypedDict):
    customer: str
    """The id of the customer who gets the link."""
    return_url: NotRequired[str]
    """Where the portal leads back to: an https address of up to 2,048 characters (in test mode also http to
    localhost).
    """
    flow: NotRequired[Literal["payment_method_update", "subscription_cancel", "subscription_update", "invoice_pay"]]
    """Where the link leads to within the portal: to the payment methods, to canceling or changing `subscription`, or
    to paying `invoice`.
    """
    subscription: NotRequired[str]
    """The id of a subscription of the customer. Required for the flows about one."""
    invoice: NotRequired[str]
    """The id of an open invoice of the customer. Required for the flow `invoice_pay`."""
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
