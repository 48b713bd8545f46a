"""The client of the Tollgate API for Python."""

from . import webhooks
from .client import Tollgate
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    CardError,
    IdempotencyError,
    InvalidRequestError,
    PermissionDeniedError,
    RateLimitError,
    ResponseError,
    TollgateError,
    UnexpectedResponseError,
    WebhookVerificationError,
)
from .generated.version import version as __version__
from .listing import Listing, Page
from .retries import Retry
from .transport import RequestOptions

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AuthenticationError",
    "CardError",
    "IdempotencyError",
    "InvalidRequestError",
    "Listing",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "ResponseError",
    "Retry",
    "Tollgate",
    "TollgateError",
    "UnexpectedResponseError",
    "WebhookVerificationError",
    "__version__",
    "webhooks",
]
