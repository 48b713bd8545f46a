"""The options of a client, checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Optional
from urllib.parse import SplitResult, urlsplit

from .generated.version import version
from .retries import Retry

_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")


@dataclass(frozen=True)
class Settings:
    address: SplitResult
    api_key: str
    ca_file: Optional[str]
    sign: bool
    max_retries: int
    timeout: float
    on_retry: Optional[Callable[[Retry], None]]
    user_agent: str = f"tollgate-python/{version}"

    def __post_init__(self) -> None:
        if not isinstance(self.api_key, str) or re.fullmatch(r"[!-~]+", self.api_key) is None:
            raise ValueError("api_key must be an API key, such as sk_test_tg_…")
        if self.max_retries < 0:
            raise ValueError("max_retries must be 0 or more.")
        if not self.timeout > 0:
            raise ValueError("timeout must be more than 0 seconds.")


def address_of(base_url: str) -> SplitResult:
    address = urlsplit(base_url)
    if not address.hostname or address.scheme not in ("https", "http"):
        raise ValueError(f"base_url must be the address of the gateway, such as https://payments.example.com: {base_url}")
    if address.scheme == "http" and _LOOPBACK.fullmatch(address.hostname) is None:
        raise ValueError(f"base_url must begin with https://, so that nobody can read the key: {base_url}")
    if address.query or address.fragment or address.username:
        raise ValueError("base_url must be an address without a query, a fragment and a user name.")
    return address._replace(path=address.path.rstrip("/"))
