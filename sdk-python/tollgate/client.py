"""The client of the API."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from .generated.resources import Resources
from .options import Settings, address_of
from .retries import Retry
from .transport import RequestOptions, Transport


class Tollgate(Resources):
    """A client of the API: `tollgate.payments.create(amount=2000, currency="eur", payment_method="pm_…")`.

    It may be shared by threads. As a context manager, it closes its connections at the end.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        ca_file: Optional[str] = None,
        sign: bool = False,
        max_retries: int = 2,
        timeout: float = 30,
        on_retry: Optional[Callable[[Retry], None]] = None,
    ) -> None:
        """
        base_url: the address of the gateway, such as `https://payments.example.com`
        api_key: a secret or restricted key; keep it on the server
        ca_file: the certificates to trust in place of the system's, such as `.tollgate/tls/ca.pem` of `tollgate dev`
        sign: whether every request is signed, as keys that require signatures demand
        max_retries: how often a failed call is tried again
        timeout: after how many seconds without a byte a try ends; the gateway answers within 25
        on_retry: is called before the client waits for another try
        """
        settings = Settings(address_of(base_url), api_key, ca_file, sign, max_retries, timeout, on_retry)
        self._transport = Transport(settings)
        super().__init__(self._transport)

    def request(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """Any request, for operations that this version does not know yet: `tollgate.request("GET", "/v1/balance")`."""
        return self._transport.send(method, path, params, idempotency_key, options)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> "Tollgate":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
