"""Every error that the client raises. Names that Python itself uses for other errors begin with API."""

from __future__ import annotations

import email.utils
import json
import re
import time
from http.client import HTTPMessage
from typing import TYPE_CHECKING, Any, Dict, Optional, Type

if TYPE_CHECKING:
    from .generated.errors import ErrorCode, ErrorType


class TollgateError(Exception):
    """Every error of this package is one."""

    idempotency_key: Optional[str] = None
    """Of a POST or DELETE: the key that it was sent with. A later call with the same key and parameters is still the same call."""


class APIConnectionError(TollgateError):
    """No complete response has arrived. A POST or DELETE may have taken effect: call again with the `idempotency_key` of this error."""


class APITimeoutError(APIConnectionError):
    """Nothing has arrived for `timeout` seconds."""


class UnexpectedResponseError(TollgateError):
    """The response is not one of Tollgate: something between, such as a proxy, has answered."""

    def __init__(self, status: int, headers: HTTPMessage, body: bytes) -> None:
        start = body[:200].decode("utf-8", "replace")
        super().__init__(f"The response with status {status} is not one of Tollgate. It begins: {start}")
        self.status = status
        self.retry_after = _seconds_of(headers.get("Retry-After"))


class WebhookVerificationError(TollgateError):
    """A webhook that must not be trusted. Answer it with status 400."""


class ResponseError(TollgateError):
    """The gateway has refused the request. The classes below tell the kinds apart."""

    def __init__(self, status: int, headers: HTTPMessage, details: Dict[str, Any]) -> None:
        self.status = status
        #: For programs. A newer gateway may have codes that this version does not know.
        self.code: ErrorCode = details["code"]
        self.type: ErrorType = details.get("type", "api_error")
        self.message: str = details["message"]
        #: The parameter, header or part of the path at fault, such as `card.number`.
        self.param: Optional[str] = details.get("param")
        #: The id of the request. Quote it when you report a problem.
        self.request_id: Optional[str] = headers.get("Request-Id")
        #: The page of the gateway that explains the code.
        self.help_url = _help_url(headers.get("Link"))
        #: In how many seconds the gateway wants the next try.
        self.retry_after = _seconds_of(headers.get("Retry-After"))
        #: All that the gateway says about the error, also what this version does not know.
        self.details = details
        super().__init__(f"{self.message} ({self.code}, {self.request_id})")


class InvalidRequestError(ResponseError):
    """The parameters are not acceptable, or the object does not exist or does not allow this now: status 400 or 404."""


class IdempotencyError(ResponseError):
    """The idempotency key was already used for something else."""


class AuthenticationError(ResponseError):
    """The API key or the signature is missing or not valid."""


class PermissionDeniedError(ResponseError):
    """The API key does not permit this."""


class CardError(ResponseError):
    """The card was not charged, or not set up."""

    def __init__(self, status: int, headers: HTTPMessage, details: Dict[str, Any]) -> None:
        super().__init__(status, headers, details)
        #: The reason that the bank gives, such as `insufficient_funds`.
        self.decline_code: Optional[str] = details.get("decline_code")
        #: The id of the payment that has failed.
        self.payment: Optional[str] = details.get("payment")
        #: The id of the setup that has failed.
        self.setup: Optional[str] = details.get("setup")


class RateLimitError(ResponseError):
    """Too many requests, or the object is being changed by another one."""


class APIError(ResponseError):
    """A fault of the gateway. A POST or DELETE may have taken effect: call again with the `idempotency_key` of this error."""


_classes: Dict[str, Type[ResponseError]] = {
    "invalid_request_error": InvalidRequestError,
    "idempotency_error": IdempotencyError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "card_error": CardError,
    "rate_limit_error": RateLimitError,
    "api_error": APIError,
}


def error_of(status: int, headers: HTTPMessage, body: bytes) -> TollgateError:
    """The error that a response stands for."""
    try:
        details = json.loads(body)["error"]
        kind = _classes.get(details.get("type"), ResponseError)
        return kind(status, headers, details)
    except (ValueError, KeyError, TypeError, AttributeError):
        return UnexpectedResponseError(status, headers, body)


def _help_url(link: Optional[str]) -> Optional[str]:
    found = re.search(r'<([^>]+)>; *rel="?help', link or "")
    return found.group(1) if found else None


def _seconds_of(value: Optional[str]) -> Optional[float]:
    """Of `Retry-After`: seconds, or a date."""
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
