"""Verifies webhooks: `event = webhooks.verify(body, headers, secret)`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import time
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Protocol, Sequence, Tuple, Union

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from .types import Event


Payload = Union[bytes, bytearray, memoryview, str]
"""The body of a webhook, exactly as it was received."""


class Headers(Protocol):
    """The headers of a request: a dict, or those of `http.server`, Flask, Django and others."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


def verify(
    payload: Payload,
    headers: Headers,
    secret: Union[str, Sequence[str]],
    tolerance: float = 300,
) -> Event:
    """The event in a webhook, after its signatures were checked.

    While a secret is rotated, either secret verifies; several may be given.
    `tolerance` is how far the time of a webhook may be from now, in seconds. With `math.inf` the time does not matter, and a
    webhook needs no other signature than `X-Service-Signature`: recorded ones can then be sent again.
    """
    body = _bytes_of(payload)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    given = {name.lower(): value for name, value in headers.items()}
    is_standard = _check_standard(body, given, secrets, tolerance)
    is_signed = _check_service(body, given, secrets)
    if not is_standard and tolerance != math.inf:
        raise WebhookVerificationError(
            "The headers webhook-id, webhook-timestamp and webhook-signature are missing. "
            "Pass the headers of the request as they were received."
        )
    if not is_standard and not is_signed:
        raise WebhookVerificationError("The webhook is not signed.")
    return _event_in(body)


def sign(
    payload: Payload, secret: str, *, id: Optional[str] = None, timestamp: Optional[int] = None
) -> Dict[str, str]:
    """The headers with which Tollgate would send this payload, for tests of a receiver."""
    body = _bytes_of(payload)
    event_id = id if id is not None else _event_in(body).get("id")
    if not isinstance(event_id, str):
        raise TypeError('The payload has no id. Pass one: id="evt_…".')
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    standard = _hmac(_standard_key(secret), _standard_message(event_id, seconds, body))
    return {
        "X-Service-Signature": _hmac(secret.encode(), body).hex(),
        "webhook-id": event_id,
        "webhook-timestamp": seconds,
        "webhook-signature": "v1," + base64.b64encode(standard).decode(),
    }


def _check_standard(body: bytes, headers: Dict[str, str], secrets: List[str], tolerance: float) -> bool:
    """Standard Webhooks: id, time and body are signed. False when there is no such signature; a wrong one is an error."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    if not all(name in headers for name in names):
        return False
    event_id, timestamp, signatures = (headers[name] for name in names)
    given = [_from_base64(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
    message = _standard_message(event_id, timestamp, body)
    if not _is_signed_by_any([_standard_key(secret) for secret in secrets], given, message):
        raise _mismatch("webhook-signature")
    # A time that is no number is not within the tolerance either.
    if not _age(timestamp) <= tolerance:
        raise WebhookVerificationError(
            f"The webhook was sent at {timestamp}, more than {tolerance:g} seconds from now: "
            "it may be a recorded one, or a clock is wrong."
        )
    return True


def _age(timestamp: str) -> float:
    try:
        return abs(time.time() - float(timestamp))
    except ValueError:
        return math.inf


def _check_service(body: bytes, headers: Dict[str, str], secrets: List[str]) -> bool:
    """The body is signed. While a secret is rotated, the second header has the signature with the new one."""
    names = ("x-service-signature", "x-service-signature-next")
    values = [headers[name] for name in names if name in headers]
    if not values:
        return False
    given = [_from_hex(value[len("sha256=") :] if value.startswith("sha256=") else value) for value in values]
    if not _is_signed_by_any([secret.encode() for secret in secrets], given, body):
        raise _mismatch("X-Service-Signature")
    return True


def _is_signed_by_any(keys: List[bytes], signatures: List[Optional[bytes]], message: bytes) -> bool:
    """Every pair is compared, in constant time, whatever the earlier ones gave."""
    results = [
        hmac.compare_digest(_hmac(key, message), signature)
        for key in keys
        for signature in signatures
        if signature is not None
    ]
    return True in results


def _mismatch(header: str) -> WebhookVerificationError:
    return WebhookVerificationError(
        f"{header} does not match. Either the secret is another endpoint's, or these are not the bytes that were received: "
        "a body that was parsed and written again differs."
    )


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _standard_message(event_id: str, timestamp: str, body: bytes) -> bytes:
    return f"{event_id}.{timestamp}.".encode() + body


def _standard_key(secret: str) -> bytes:
    key = _from_base64(secret[len("whsec_") :]) if secret.startswith("whsec_") else None
    if not key:
        raise ValueError("The secret of a webhook endpoint begins with whsec_.")
    return key


def _from_base64(text: str) -> Optional[bytes]:
    """None when the text is not base64. Padding may be left out."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _from_hex(text: str) -> Optional[bytes]:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def _bytes_of(payload: Payload) -> bytes:
    if isinstance(payload, str):
        return payload.encode()
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    raise WebhookVerificationError(
        "Not verified: the body was parsed before verification. Pass the bytes as they were received: "
        "request.get_data() with Flask, request.body with Django, await request.body() with FastAPI."
    )


def _event_in(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise WebhookVerificationError("The body is not JSON.") from None
