"""Server-sent events: a stream that is opened again when it ends."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Generator, Iterator, List, Optional

from .errors import TollgateError
from .retries import retry_delay

REOPEN_DELAY = 1.0

Open = Callable[[Dict[str, str]], Generator[bytes, None, None]]


def followed(open_stream: Open, sleep: Callable[[float], None]) -> Iterator[Any]:
    """The data of each message.

    A connection that ends is opened again, after the last message: nothing is missed, and nothing comes twice. It ends by an
    error that another try would not resolve, such as a key that was revoked.
    """
    position: Dict[str, str] = {}
    failures = 0
    while True:
        delay: Optional[float] = REOPEN_DELAY
        try:
            for block in _blocks(open_stream(position)):
                failures = 0
                if "id" in block:
                    position = {"Last-Event-ID": block["id"]}
                if "data" in block:
                    yield json.loads(block["data"])
        except TollgateError as error:
            delay = retry_delay(error, failures)
            failures += 1
            if delay is None:
                raise
        sleep(delay)


def _blocks(chunks: Generator[bytes, None, None]) -> Iterator[Dict[str, str]]:
    """The fields of texts that end with an empty line. A part that has not arrived whole is dropped."""
    rest = b""
    try:
        for chunk in chunks:
            *texts, rest = (rest + chunk).split(b"\n\n")
            for text in texts:
                yield _fields(text.decode().split("\n"))
    finally:
        chunks.close()


def _fields(lines: List[str]) -> Dict[str, str]:
    return dict((name, value) for name, found, value in (line.partition(": ") for line in lines) if found and name)
