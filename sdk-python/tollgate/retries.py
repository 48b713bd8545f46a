"""When a call is tried again, and how long it waits before."""

from __future__ import annotations

import random
import ssl
from dataclasses import dataclass
from typing import Callable, Optional

from .errors import APIConnectionError, ResponseError, TollgateError, UnexpectedResponseError

FIRST_DELAY = 0.5
DELAY_MAX = 8.0
#: Rate limits are counted by the minute. A server that asks for a longer wait is not waited for.
RETRY_AFTER_MAX = 60.0


@dataclass(frozen=True)
class Retry:
    """What `on_retry` is given before the client waits."""

    error: TollgateError
    """Why the last try failed."""
    delay: float
    """How long the client waits, in seconds."""
    attempt: int
    """Which retry follows: 1 is the first."""


def retry_delay(
    error: TollgateError, retries: int, rand: Callable[[], float] = random.random
) -> Optional[float]:
    """How long to wait before the next try, in seconds; None when another try would not help.

    Every call can be repeated: a GET changes nothing, and a POST or DELETE has an idempotency key.
    """
    if not _may_pass(error):
        return None
    # A stream that is opened again and again may fail thousands of times, and no float has such a power.
    backoff = min(DELAY_MAX, FIRST_DELAY * 2 ** min(retries, 10))
    # Between half and all of it, so that clients which failed together do not come back together.
    delay: float = backoff * (0.5 + rand() / 2)
    retry_after: Optional[float] = getattr(error, "retry_after", None)
    if retry_after is None:
        return delay
    return None if retry_after > RETRY_AFTER_MAX else retry_after + delay - backoff / 2


def _may_pass(error: TollgateError) -> bool:
    if isinstance(error, APIConnectionError):
        # A certificate does not become valid by waiting.
        return not isinstance(error.__cause__, ssl.SSLCertVerificationError)
    if isinstance(error, (ResponseError, UnexpectedResponseError)):
        return error.status == 429 or error.status >= 500
    return False
