# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "Attempt",
    "BillingDetails",
    "Card",
    "CheckoutCollect",
    "Metadata",
    "NextActionRedirectToUrl",
    "NextAction",
    "ProcessorToken",
    "SubscriptionItemChange",
    "WebhookAttempt",
    "WebhookDelivery",
    "ListParametersCreated",
    "ListParameters",
]


class Attempt(TypedDict):
    """One request to a processor."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["attempt"]
    """The kind of object."""
    verb: Literal["authorize", "capture", "cancel", "refund", "contest", "concede", "setup"]
    """What was asked for. `contest` submits evidence, `concede` closes a dispute, `setup` verifies a payment method
    without a charge.
    """
    processor_account: NotRequired[str]
    """The id of the account that was asked; absent for the processor of a mode without accounts."""
    state: Literal["open", "approved", "declined", "challenged", "canceled", "pending", "unknown", "lost", "not_sent"]
    """`open`: it is in flight. `approved` and `declined`: the processor has decided. `challenged`: the cardholder
    must authenticate. `canceled`: it was canceled before it was decided. `pending`: the processor has not decided
    yet. `unknown`: there was no answer. `lost`: it never reached the processor. `not_sent`: the processor
    provably did not act.
    """
    reference: NotRequired[str]
    """The processor's own name for it."""
    decline_code: NotRequired[str]
    """Why it was declined."""
    advice: NotRequired[Literal["never", "later", "another_method", "another_processor", "authenticate", "update_card"]]
    """What the processor advises after a decline."""
    reason: str
    """Why this processor was chosen, and which ones were passed over."""
    created: int
    """When it was made. In UTC epoch seconds."""
    finished: NotRequired[int]
    """When it was decided; absent until then. In UTC epoch seconds."""


class BillingDetails(TypedDict):
    """What is shown about the holder. The address is not."""

    name: NotRequired[str]
    """The name of the holder; present when supplied."""
    email: NotRequired[str]
    """The email address of the holder; present when supplied."""


class Card(TypedDict):
    """What may be shown of a card."""

    brand: Literal["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"]
    """By the first digits of the number; for a card that a processor keeps, what the processor says."""
    last4: str
    """The last four digits of the number."""
    exp_month: int
    """The month in which the card expires, from 1 to 12."""
    exp_year: int
    """The year in which the card expires, four digits."""


class CheckoutCollect(TypedDict):
    """What the page asks for; present when supplied."""

    name: NotRequired[bool]
    """Whether the name is required."""
    phone: NotRequired[bool]
    """Whether a phone number is required."""
    billing_address: NotRequired[Literal["none", "country", "full"]]
    """How much of the address is required."""
    terms: NotRequired[bool]
    """Whether the customer must agree to the terms."""


Metadata = Dict[str, Union[str, float, bool]]
"""Keys and values of your own."""


class NextActionRedirectToUrl(TypedDict):
    """Where the cardholder authenticates."""

    url: str
    """Where to send the browser. Anybody with this address can decide: give it to the cardholder alone."""


class NextAction(TypedDict):
    """What must happen next; present while the status is `requires_action`."""

    type: Literal["redirect_to_url"]
    """What to do with the browser of the cardholder."""
    redirect_to_url: NextActionRedirectToUrl
    """Where the cardholder authenticates."""


class ProcessorToken(TypedDict):
    """Present if a processor keeps the payment method. The token is not shown."""

    processor_account: str
    """The id of the processor account that keeps the payment method."""


class SubscriptionItemChange(TypedDict):
    id: NotRequired[str]
    """The id of an item that the subscription has; a new item has none."""
    price: NotRequired[str]
    """The id of the price of a new item, or of another price for an item."""
    quantity: NotRequired[int]
    """How many of the price, from 0 to 1,000,000."""
    deleted: NotRequired[bool]
    """`true` removes the item."""


class WebhookAttempt(TypedDict):
    at: int
    """When it was made. In UTC epoch seconds."""
    duration_ms: int
    """How long it took, in milliseconds."""
    status: NotRequired[int]
    """The HTTP status of the answer; absent when there was none."""
    error: NotRequired[str]
    """What went wrong; present when there was no complete answer."""
    response: NotRequired[str]
    """The beginning of the answer: 4 KiB for the latest attempt, 256 bytes for earlier ones."""


class WebhookDelivery(TypedDict):
    """One event for one webhook endpoint."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["webhook_delivery"]
    """The kind of object."""
    event: str
    """The id of the event."""
    event_type: NotRequired[str]
    """The type of the event; absent once the event was deleted."""
    webhook_endpoint: str
    """The id of the webhook endpoint."""
    status: Literal["pending", "delivered", "exhausted", "canceled"]
    """`pending`: it is tried, or tried again. `delivered`: the receiver has answered with success. `exhausted`: all
    attempts have failed. `canceled`: the endpoint was disabled or deleted.
    """
    attempts: List[WebhookAttempt]
    """The latest 10 attempts, oldest first."""
    next_attempt_at: NotRequired[int]
    """When it is tried next; present while it is `pending`. In UTC epoch seconds."""
    created: int
    """When the event happened. In UTC epoch seconds."""


class ListParametersCreated(TypedDict):
    """Only objects that were created within these bounds, in real time: test clocks do not count."""

    gt: NotRequired[int]
    """After this time, in UTC epoch seconds."""
    gte: NotRequired[int]
    """At this time or after it, in UTC epoch seconds."""
    lt: NotRequired[int]
    """Before this time, in UTC epoch seconds."""
    lte: NotRequired[int]
    """At this time or before it, in UTC epoch seconds."""


class ListParameters(TypedDict):
    """Which page of a list."""

    limit: NotRequired[int]
    """How many objects to return; 10 when not given."""
    starting_after: NotRequired[str]
    """An id: the page begins with the next older object. Excludes `ending_before`."""
    ending_before: NotRequired[str]
    """An id: the page ends with the next newer object. Excludes `starting_after`."""
    created: NotRequired[ListParametersCreated]
    """Only objects that were created within these bounds, in real time: test clocks do not count."""
