"""Signatures of requests, for keys that require them."""

from __future__ import annotations

import hashlib
import hmac
from typing import Dict, Optional


def signature_headers(
    api_key: str, method: str, target: str, idempotency_key: Optional[str], body: Optional[bytes], seconds: int
) -> Dict[str, str]:
    """The headers that prove that the sender has the key, and that the request is unchanged.

    `target` is the path and the query, exactly as on the request line. The gateway accepts a difference of 300 seconds.
    """
    digest = hashlib.sha256(body or b"").hexdigest()
    lines = "\n".join([str(seconds), method, target, idempotency_key or "", digest])
    signature = hmac.new(api_key.encode(), lines.encode(), hashlib.sha256).hexdigest()
    return {"X-Service-Timestamp": str(seconds), "X-Service-Signature": f"sha256={signature}"}
