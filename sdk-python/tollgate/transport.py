"""Sends requests, and tries again where that can help."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, Mapping, Optional, Tuple, TypedDict, TypeVar
from urllib.parse import quote, urlencode

from .connections import Connections
from .errors import APIConnectionError, APITimeoutError, TollgateError, UnexpectedResponseError, error_of
from .following import followed
from .listing import Listing
from .request_signature import signature_headers
from .retries import Retry, retry_delay

if TYPE_CHECKING:
    from .options import Settings

Result = TypeVar("Result")
CHUNK_BYTES = 65_536


class RequestOptions(TypedDict, total=False):
    """What can be said about a single call, over what the client was given."""

    timeout: float
    max_retries: int
    on_retry: Callable[[Retry], None]
    on_response: Callable[[int, http.client.HTTPMessage], None]
    """Is given the status and the headers of each response, also of those that are tried again."""


@dataclass(frozen=True)
class Call:
    """A call, which is the same in each of its tries."""

    method: str
    target: str
    headers: Dict[str, str]
    body: Optional[bytes]
    idempotency_key: Optional[str]
    options: RequestOptions


class Transport:
    def __init__(self, settings: Settings, sleep: Callable[[float], None] = time.sleep) -> None:
        self._settings = settings
        self._connections = Connections(settings.address, settings.ca_file)
        self._sleep = sleep

    def send(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """A request whose response is JSON. Parameters are the query of a GET, and the JSON body of a POST."""
        call = self._call(method, path, params or {}, idempotency_key, options or {}, "application/json")
        return self._run(call, lambda response, _: _json_in(response))

    def list(self, path: str, params: Mapping[str, Any], options: Optional[RequestOptions]) -> Listing[Any]:
        return Listing(lambda position: self.send("GET", path, position, None, options), dict(params))

    def text(
        self,
        path: str,
        params: Mapping[str, Any],
        options: Optional[RequestOptions],
        accept: str,
        more: Optional[Dict[str, str]] = None,
    ) -> Generator[bytes, None, None]:
        """A GET whose response is a text of any length, in chunks. The request is sent before the first one is asked for."""
        call = self._call("GET", path, params, None, options or {}, accept)
        call.headers.update(more or {})
        return self._run(call, self._chunks)

    def file(
        self, path: str, params: Mapping[str, Any], options: Optional[RequestOptions], accept: str
    ) -> bytes:
        """A GET whose response is a file."""
        call = self._call("GET", path, params, None, options or {}, accept)
        return self._run(call, lambda response, _: response.read())

    def follow(self, path: str, params: Mapping[str, Any], options: Optional[RequestOptions]) -> Iterator[Any]:
        """Server-sent events, for as long as the caller reads them. A connection that ends is opened again."""
        return followed(lambda position: self.text(path, params, options, "text/event-stream", position), self._sleep)

    def close(self) -> None:
        self._connections.close()

    def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any],
        idempotency_key: Optional[str],
        options: RequestOptions,
        accept: str,
    ) -> Call:
        if not path.startswith("/"):
            raise ValueError(f"A path begins with a slash: {path}")
        body = json.dumps(params, allow_nan=False).encode() if method == "POST" else None
        key = None if method == "GET" else _idempotency_key(idempotency_key)
        headers = {"Authorization": f"Bearer {self._settings.api_key}", "User-Agent": self._settings.user_agent}
        headers["Accept"] = accept
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        target = self._settings.address.path + path + (_query(params) if method == "GET" else "")
        return Call(method, target, headers, body, key, options)

    def _run(self, call: Call, read: Callable[[http.client.HTTPResponse, http.client.HTTPConnection], Result]) -> Result:
        max_retries = call.options.get("max_retries", self._settings.max_retries)
        on_retry = call.options.get("on_retry", self._settings.on_retry)
        retries = 0
        while True:
            try:
                return self._attempt(call, read)
            except TollgateError as error:
                error.idempotency_key = call.idempotency_key
                delay = retry_delay(error, retries) if retries < max_retries else None
                if delay is None:
                    raise
                retries += 1
                if on_retry is not None:
                    on_retry(Retry(error, delay, retries))
            self._sleep(delay)

    def _attempt(
        self, call: Call, read: Callable[[http.client.HTTPResponse, http.client.HTTPConnection], Result]
    ) -> Result:
        timeout = call.options.get("timeout", self._settings.timeout)
        connection = self._connections.take(timeout)
        try:
            # The signature is made anew for each try, because it holds for 300 seconds.
            connection.request(call.method, call.target, call.body, {**call.headers, **self._signature(call)})
            response = connection.getresponse()
            on_response = call.options.get("on_response")
            if on_response is not None:
                on_response(response.status, response.headers)
            # A redirect is never followed, because it would hand a card number to another address.
            if response.status != 200:
                raise error_of(response.status, response.headers, response.read())
            result = read(response, connection)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _connection_error(call, timeout, error) from error
        except TollgateError:
            self._connections.give_back(connection)
            raise
        except BaseException:
            connection.close()
            raise
        if response.isclosed():
            self._connections.give_back(connection)
        return result

    def _signature(self, call: Call) -> Dict[str, str]:
        if not self._settings.sign:
            return {}
        key = self._settings.api_key
        return signature_headers(key, call.method, call.target, call.idempotency_key, call.body, int(time.time()))

    def _chunks(
        self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection
    ) -> Generator[bytes, None, None]:
        """The body, piece by piece. If the caller stops before its end, the connection is closed."""
        try:
            while True:
                chunk = response.read1(CHUNK_BYTES)
                if not chunk:
                    return
                yield chunk
        except (OSError, http.client.HTTPException) as error:
            raise APIConnectionError(f"The response broke off: {error!r}") from error
        finally:
            connection.close()


def path(template: str, *ids: str) -> str:
    """A path with ids in it. An id that would lead to another path is refused: an empty one makes another request of it."""
    for one in ids:
        if not isinstance(one, str) or one in ("", ".", ".."):
            raise ValueError(f'An id must be a text such as "cus_…", not {one!r}.')
    return template.format(*(quote(one, safe="") for one in ids))


def _query(params: Mapping[str, Any]) -> str:
    """Parameters with brackets: `{"created": {"gte": 7}}` becomes `?created%5Bgte%5D=7`."""
    pairs = [pair for name, value in params.items() for pair in _pairs(name, value)]
    return "?" + urlencode(pairs) if pairs else ""


def _pairs(name: str, value: Any) -> Iterator[Tuple[str, str]]:
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _pairs(f"{name}[{inner}]", one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _pairs(f"{name}[]", one)
    elif isinstance(value, bool):
        yield name, "true" if value else "false"
    elif value is not None:
        yield name, str(value)


def _idempotency_key(given: Optional[str]) -> str:
    """What a header can hold: spaces at the ends would get lost."""
    key = str(uuid.uuid4()) if given is None else given
    if not isinstance(key, str) or re.fullmatch(r"[!-~]([ -~]{0,253}[!-~])?", key) is None:
        raise ValueError("idempotency_key must have 1 to 255 printable ASCII characters, without spaces at the ends.")
    return key


def _json_in(response: http.client.HTTPResponse) -> Any:
    body = response.read()
    try:
        return json.loads(body)
    except ValueError:
        raise UnexpectedResponseError(response.status, response.headers, body) from None


def _connection_error(call: Call, timeout: float, error: Exception) -> APIConnectionError:
    request = f"{call.method} {call.target.split('?')[0]}"
    # The same class since Python 3.10.
    if isinstance(error, (TimeoutError, socket.timeout)):
        return APITimeoutError(f"{request}: nothing has arrived for {timeout:g} seconds")
    if isinstance(error, ssl.SSLCertVerificationError):
        return APIConnectionError(
            f"{request}: the certificate of the gateway is not trusted ({error.verify_message}). "
            'For `tollgate dev`, pass ca_file=".tollgate/tls/ca.pem", which .tollgate/dev.json names as ca_file.'
        )
    return APIConnectionError(f"{request}: {error or type(error).__name__}")
