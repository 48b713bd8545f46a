from __future__ import annotations

from .transport import Transport


class Resource:
    """The operations of one resource."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
