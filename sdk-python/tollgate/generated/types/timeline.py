# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .shared import Attempt

__all__ = [
    "TimelineActor",
    "TimelineAudit",
    "TimelineDeliveryAttempts",
    "TimelineDelivery",
    "TimelineEntry",
    "TimelineEventCard",
    "TimelineEvent",
    "TimelineMail",
    "TimelinePosting",
    "TimelineRequest",
    "TimelineListParameters",
]


class TimelineActor(TypedDict):
    """Who has caused it; absent for what happened without a request, or is no longer known."""

    user: NotRequired[str]
    """The id of a person."""
    api_key: NotRequired[str]
    """The id of an API key."""
    name: NotRequired[str]
    """The email of the person, the name of an operator, or `the customer`, who did it in the portal; for people."""


class TimelineAudit(TypedDict):
    """A change by a person, an operator or a customer in the portal, as the audit log has it."""

    action: str
    """What was done."""
    actor: str
    """Who did it: the email of a person, the name of an operator, or `the customer` in the portal."""
    subject: str
    """The id of the object that was changed."""
    user: NotRequired[str]
    """The id of the user; absent for an operator."""
    address: NotRequired[str]
    """The IP address that it came from; absent for an operator, and for those who may not read the audit log."""
    request: NotRequired[str]
    """The id of the request; that of an act (`act_`), which the request log does not have, for a customer. Absent
    for a command of an operator.
    """


class TimelineDeliveryAttempts(TypedDict):
    at_ms: int
    """When it was made, in UTC epoch milliseconds."""
    duration_ms: int
    """How long it took, in milliseconds."""
    status: NotRequired[int]
    """The HTTP status of the answer; absent when there was none."""
    error: NotRequired[str]
    """What went wrong; present when there was no complete answer."""


class TimelineDelivery(TypedDict):
    """The event on its way to one webhook endpoint."""

    id: str
    """The id of the delivery."""
    webhook_endpoint: str
    """The id of the webhook endpoint."""
    status: Literal["pending", "delivered", "exhausted", "canceled"]
    """What became of it."""
    next_attempt_at: NotRequired[int]
    """When it is tried next; present while it is `pending`. In UTC epoch seconds."""
    attempts: List[TimelineDeliveryAttempts]
    """The latest 10 attempts, oldest first."""


class TimelineEntry(TypedDict):
    """Something that happened to an object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["timeline_entry"]
    """The kind of object."""
    type: Literal["audit", "attempt", "event", "posting", "mail", "request"]
    """What kind of entry it is. The member of this name has the details."""
    summary: str
    """What happened, in words."""
    created: int
    """When it happened, in real time. In UTC epoch seconds."""
    created_ms: int
    """The same in milliseconds."""
    group: str
    """Entries of one cause have the same: a request with its attempts, postings, events and deliveries. It is the id
    of the request, or another text for what happened without one.
    """
    by: NotRequired[TimelineActor]
    audit: NotRequired[TimelineAudit]
    attempt: NotRequired[Attempt]
    event: NotRequired[TimelineEvent]
    posting: NotRequired[TimelinePosting]
    mail: NotRequired[TimelineMail]
    request: NotRequired[TimelineRequest]


class TimelineEventCard(TypedDict):
    """Of a payment method: the card."""

    brand: NotRequired[str]
    """Its brand."""
    last4: NotRequired[str]
    """Its last four digits."""


class TimelineEvent(TypedDict):
    """A change of the object, and which endpoints it was sent to."""

    id: str
    """The id of the event."""
    type: str
    """What has happened."""
    object_id: str
    """The id of the object that it is about."""
    status: NotRequired[str]
    """The status of the object after it; absent for objects without one."""
    previous_attributes: NotRequired[Dict[str, Any]]
    """In an update: the members that have changed, with their previous values."""
    amount: NotRequired[int]
    """The amount of the object, in the smallest unit of the currency: of an invoice, what is due."""
    currency: NotRequired[str]
    """A three-letter ISO currency code in lower case."""
    amount_refunded: NotRequired[int]
    """Of a payment: how much of it is refunded."""
    number: NotRequired[str]
    """Of an invoice: its number."""
    reason: NotRequired[str]
    """Of a dispute or a refund: its reason. Of a payment: why it was canceled."""
    decline_code: NotRequired[str]
    """Of what has failed: why it was declined."""
    advice: NotRequired[Literal["never", "later", "another_method", "another_processor", "authenticate", "update_card"]]
    """Of what has failed: what to do after the decline."""
    card: NotRequired[TimelineEventCard]
    """Of a payment method: the card."""
    request: NotRequired[str]
    """The id of the request that has caused it, or of an act of the customer in the portal (`act_`); absent if it
    happened by itself.
    """
    deliveries: List[TimelineDelivery]
    """To which webhook endpoints it goes, and what became of it."""


class TimelineMail(TypedDict):
    """A mail to the customer, and what became of it."""

    id: str
    """The id of the mail."""
    kind: str
    """What it is about, such as `receipt`: the name by which the account has switched it on."""
    to: NotRequired[str]
    """The address; absent once it was erased with the customer."""
    subject: str
    """The subject, in the language of the customer."""
    status: Literal["queued", "sent", "failed", "bounced", "suppressed"]
    """`queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it; in development
    without one, it can be read in the dashboard. `failed`: no attempt has succeeded, or the mail server has
    refused what it says. `bounced`: the mail server has refused the address. `suppressed`: it was not sent.
    """
    failure: NotRequired[str]
    """Why the latest attempt has failed."""
    suppressed_reason: NotRequired[Literal["test_mode", "not_configured", "bounced_before", "customer_deleted"]]
    """Why it was not sent. `test_mode`: in test mode, mails go to members of the account alone. `not_configured`:
    the operator has set up no mail server. `bounced_before`: the address was refused before. Change the email of
    the customer. `customer_deleted`: the customer was deleted, or its details were erased.
    """


class TimelinePosting(TypedDict):
    """A movement of money in the ledger."""

    id: str
    """The id of the posting. If it changes the balance, it is also that of the balance transaction."""
    kind: Literal["payment", "fee", "payment_correction", "fee_correction", "refund", "refund_settled", "refund_failure", "refund_bounce", "refund_correction", "dispute", "dispute_reversal", "dispute_lost", "credit_granted", "credit_used", "credit_forfeited"]
    """What has moved the money."""
    debit: str
    """The account of the ledger that it takes from."""
    credit: str
    """The account of the ledger that it adds to."""
    amount: int
    """How much, in the smallest unit of the currency."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    source: str
    """The id of the object that has caused it."""
    position: int
    """Its place in the order in which postings are sealed. Those of one commit have the same."""
    sealed: bool
    """Whether it is sealed into the chain of the ledger, which takes about a second."""


class TimelineRequest(TypedDict):
    """A request that was to create or change the object."""

    id: str
    """The id of the request, by which the request log has it."""
    method: str
    """The method of the request."""
    path: str
    """The route."""
    status: int
    """The status of the answer."""
    error_code: NotRequired[str]
    """The code of the refusal; absent if there was none."""
    duration_ms: int
    """How long it took, in milliseconds."""
    api_key: NotRequired[str]
    """The id of the API key that it was sent with."""
    user: NotRequired[str]
    """The id of the user who has sent it from the dashboard."""


class TimelineListParameters(TypedDict):
    limit: NotRequired[int]
    """How many objects to return; 10 when not given."""
    starting_after: NotRequired[str]
    """The id of an entry: the page begins with the next older one."""
