"""Connections to one gateway, which are kept open between requests and shared by all threads."""

from __future__ import annotations

import http.client
import os
import ssl
import threading
import time
from typing import List, Optional, Tuple
from urllib.parse import SplitResult

#: The gateway closes an idle connection after 65 seconds; what stands in front of it may be less patient.
IDLE_MAX = 30.0


class Connections:
    def __init__(self, address: SplitResult, ca_file: Optional[str]) -> None:
        # First, because __del__ needs them also when the file is missing.
        self._idle: List[Tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()
        self._address = address
        self._context = _context(ca_file) if address.scheme == "https" else None
        self._process = os.getpid()

    def take(self, timeout: float) -> http.client.HTTPConnection:
        """An idle connection that is fresh enough, or a new one, which is opened by its first request."""
        connection = self._take_idle() or self._new()
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        """For later requests, once the response has been read to its end."""
        if connection.sock is not None:
            with self._lock:
                self._idle.append((time.monotonic(), connection))

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    __del__ = close

    def _take_idle(self) -> Optional[http.client.HTTPConnection]:
        with self._lock:
            if self._process != os.getpid():
                # After a fork, the connections belong to the parent.
                self._process, self._idle = os.getpid(), []
            oldest = time.monotonic() - IDLE_MAX
            while self._idle:
                since, connection = self._idle.pop()
                if since >= oldest:
                    return connection
                connection.close()
        return None

    def _new(self) -> http.client.HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._context is None:
            return http.client.HTTPConnection(host, port)
        return http.client.HTTPSConnection(host, port, context=self._context)


def _context(ca_file: Optional[str]) -> ssl.SSLContext:
    """With a file, only the authorities in it are trusted, as `curl --cacert` does."""
    if ca_file is not None and not os.path.isfile(ca_file):
        raise FileNotFoundError(f"ca_file does not exist: {ca_file}. `tollgate dev` writes .tollgate/tls/ca.pem.")
    context = ssl.create_default_context(cafile=ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
