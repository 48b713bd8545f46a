"""A gateway with scripted responses, over plain HTTP on the loopback interface."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, NamedTuple, Optional, Tuple


class Sent(NamedTuple):
    method: str
    target: str
    headers: Dict[str, str]
    body: bytes
    connection: Tuple[str, int]


class Answer(NamedTuple):
    status: int = 200
    body: bytes = b"{}"
    headers: Dict[str, str] = {}
    #: The connection is closed without a response.
    is_lost: bool = False


def ok(value: Any) -> Answer:
    return Answer(body=json.dumps(value).encode())


def refusal(status: int, type: str, code: str, headers: Optional[Dict[str, str]] = None, **more: str) -> Answer:
    error = {"code": code, "message": "Refused.", "type": type, **more}
    return Answer(status, json.dumps({"error": error}).encode(), headers or {})


class FakeGateway:
    """Gives its answers in order; the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.sent: List[Sent] = []
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                gateway.sent.append(Sent(self.command, self.path, dict(self.headers), body, self.client_address))
                answer = gateway.answers[0] if len(gateway.answers) == 1 else gateway.answers.pop(0)
                if answer.is_lost:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> "FakeGateway":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
