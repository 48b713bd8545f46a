# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "RequestErrorGroup",
    "RequestErrors",
    "RequestLog",
    "RequestLogsListParameters",
    "RequestLogsListErrorsParametersCreated",
    "RequestLogsListErrorsParameters",
]


class RequestErrorGroup(TypedDict):
    """Refusals with the same code at the same route."""

    error_code: str
    """The code of the refusals."""
    status: int
    """The status of the answer."""
    method: str
    """The method of the request."""
    path: str
    """The route, with `:id` in place of the id of an object; the path as it was sent, if there is no such route."""
    operation: NotRequired[str]
    """The operation that was asked for; absent if there is none at this path."""
    count: int
    """How many there were."""
    first_created: int
    """When the oldest of them was received. In UTC epoch seconds."""
    latest_created: int
    """When the newest of them was received. In UTC epoch seconds."""
    latest_request: str
    """The id of the newest of them."""


class RequestErrors(TypedDict):
    """The refused requests of a time, by error code and route."""

    object: Literal["request_errors"]
    """The kind of object."""
    is_complete: bool
    """False if there were more than 20,000 refusals of one status: then only the newest were counted."""
    data: List[RequestErrorGroup]
    """The groups, the largest first, up to 100."""


class RequestLog(TypedDict):
    """A request, and how it was answered."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["request_log"]
    """The kind of object."""
    status: int
    """The status of the answer."""
    method: str
    """The method of the request."""
    path: str
    """The route, with `:id` in place of the id of an object; the path as it was sent, if there is no such route."""
    operation: NotRequired[str]
    """The operation that was asked for; absent if there is none at this path."""
    url: NotRequired[str]
    """The path with the id that was sent. Present where `parameters` are as they were sent."""
    error_code: NotRequired[str]
    """The code of the refusal; absent if there was none."""
    error_param: NotRequired[str]
    """The parameter that the refusal is about; absent if it is about none."""
    error_message: NotRequired[str]
    """The message of the refusal, up to 500 characters."""
    duration_ms: int
    """How long it took, in milliseconds."""
    api_key: NotRequired[str]
    """The id of the API key that it was sent with."""
    user: NotRequired[str]
    """The id of the user who has sent it from the dashboard."""
    address: str
    """The IP address that it came from."""
    idempotency_key: NotRequired[str]
    """The idempotency key that it was sent with, as far as it may be shown."""
    object_id: NotRequired[str]
    """The id of the object that it created, changed or retrieved."""
    parameters: NotRequired[Dict[str, Any]]
    """What was sent, with `[redacted]` in place of personal data and secrets, and of what a parameter that does not
    exist was given. In test mode, when a single request is retrieved within 7 days: as it was sent, with
    `[redacted]` in place of what is confidential alone.
    """
    parameters_start: NotRequired[str]
    """In place of the parameters as they were sent, if those have more than 8 KiB: how their JSON begins."""
    answer: NotRequired[Dict[str, Any]]
    """The body of the answer, with `[redacted]` in place of what is shown once, such as a new key. Present when a
    single request is retrieved, in test mode, within 7 days, if the caller may read such objects.
    """
    answer_start: NotRequired[str]
    """In place of `answer`, if it has more than 8 KiB: how its JSON begins."""
    created: int
    """When it was created. In UTC epoch seconds."""
    created_ms: int
    """The same in milliseconds."""


class RequestLogsListParameters(ListParameters):
    status: NotRequired[str]
    """Only those that were answered with this status, such as 402, or with one of a class, such as 4xx."""
    method: NotRequired[str]
    """Only those with this method: GET, POST or DELETE."""
    path: NotRequired[str]
    """Only those to this route, such as `/v1/payments/:id`."""
    operation: NotRequired[str]
    """Only those that asked for this operation, such as `payments.create`."""
    api_key: NotRequired[str]
    """The id of an API key: only those that were sent with it."""
    user: NotRequired[str]
    """The id of a user: only those of this person, in the dashboard."""
    sent_by: NotRequired[Literal["key", "person"]]
    """Only those with an API key (`key`), or only those of people in the dashboard (`person`)."""
    dashboard_reads: NotRequired[bool]
    """False leaves out what people have only read in the dashboard. True when not given."""
    object_id: NotRequired[str]
    """The id of an object: only those that created, changed or retrieved it."""
    error_code: NotRequired[str]
    """Only those that were refused with this code."""


class RequestLogsListErrorsParametersCreated(TypedDict):
    """Only objects that were created within these bounds, in real time: test clocks do not count."""

    gt: NotRequired[int]
    """After this time, in UTC epoch seconds."""
    gte: NotRequired[int]
    """At this time or after it, in UTC epoch seconds."""
    lt: NotRequired[int]
    """Before this time, in UTC epoch seconds."""
    lte: NotRequired[int]
    """At this time or before it, in UTC epoch seconds."""


class RequestLogsListErrorsParameters(TypedDict):
    created: NotRequired[RequestLogsListErrorsParametersCreated]
    """Only objects that were created within these bounds, in real time: test clocks do not count."""
