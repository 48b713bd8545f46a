"""The client against answers that a real gateway seldom gives."""

from __future__ import annotations

import ast
import json
import pathlib
import ssl
import unittest
from typing import Any, Dict, Generator, List
from unittest import mock

import tollgate as package
from tollgate import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    CardError,
    RateLimitError,
    Retry,
    Tollgate,
    UnexpectedResponseError,
)
from tollgate.following import followed
from tollgate.retries import retry_delay

from .fake_gateway import Answer, FakeGateway, ok, refusal

KEY = "sk_test_tg_1"
LOST = Answer(is_lost=True)


def client(gateway: FakeGateway, waits: List[float], **options: Any) -> Tollgate:
    """It does not wait; it notes how long it would have waited."""
    tollgate = Tollgate(gateway.url, KEY, **options)
    tollgate._transport._sleep = waits.append
    return tollgate


class Requests(unittest.TestCase):
    def test_parameters_are_the_body_of_a_post_and_the_query_of_a_get(self) -> None:
        with FakeGateway(ok({"object": "list", "data": [], "has_more": False})) as gateway:
            tollgate = client(gateway, [])
            tollgate.customers.update("cus_1", name=None, metadata={"Zoë": True})
            tollgate.payments.list(created={"gte": 7}, status="succeeded").page()
            tollgate.customers.delete("cus/1", idempotency_key="key 1")
            tollgate.request("GET", "/v1/any", {"expand": ["a", "b"], "deep": {"x": True}})
        post, get, delete, other = gateway.sent
        self.assertEqual(json.loads(post.body), {"name": None, "metadata": {"Zoë": True}})
        self.assertEqual(post.headers["Content-Type"], "application/json")
        self.assertEqual(get.target, "/v1/payments?created%5Bgte%5D=7&status=succeeded")
        self.assertNotIn("Idempotency-Key", get.headers)
        self.assertEqual((delete.method, delete.target, delete.body), ("DELETE", "/v1/customers/cus%2F1", b""))
        self.assertEqual(delete.headers["Idempotency-Key"], "key 1")
        self.assertEqual(other.target, "/v1/any?expand%5B%5D=a&expand%5B%5D=b&deep%5Bx%5D=true")
        self.assertEqual(post.headers["Authorization"], f"Bearer {KEY}")
        self.assertEqual(post.headers["User-Agent"], f"tollgate-python/{package.__version__}")

    def test_one_connection_serves_many_requests_also_after_refusals(self) -> None:
        with FakeGateway(refusal(404, "invalid_request_error", "resource_missing"), ok({})) as gateway:
            tollgate = client(gateway, [])
            for _ in range(3):
                try:
                    tollgate.balance.retrieve()
                except package.InvalidRequestError:
                    pass
        self.assertEqual(len({sent.connection for sent in gateway.sent}), 1)

    def test_an_id_that_would_make_another_request_is_refused(self) -> None:
        with FakeGateway(ok({})) as gateway:
            for id in ("", ".", "..", None):
                with self.assertRaisesRegex(ValueError, "An id must be"):
                    client(gateway, []).customers.delete(id)  # type: ignore[arg-type]
        self.assertEqual(gateway.sent, [])

    def test_options_that_cannot_work_are_refused(self) -> None:
        for options, reason in (
            ({"base_url": "http://payments.example.com"}, "https://"),
            ({"base_url": "payments.example.com"}, "address of the gateway"),
            ({"base_url": "https://user@payments.example.com"}, "user name"),
            ({"api_key": "sk test"}, "api_key"),
            ({"timeout": 0}, "timeout"),
            ({"max_retries": -1}, "max_retries"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, reason):
                Tollgate(**{"base_url": "https://localhost", "api_key": KEY, **options})  # type: ignore[arg-type]
        with self.assertRaisesRegex(FileNotFoundError, "ca_file does not exist: nowhere.pem"):
            Tollgate("https://localhost", KEY, ca_file="nowhere.pem")
        with FakeGateway(ok({})) as gateway, self.assertRaisesRegex(ValueError, "idempotency_key"):
            client(gateway, []).customers.create(idempotency_key=" ")


class Retries(unittest.TestCase):
    def test_all_tries_of_a_call_have_the_same_key_and_another_call_has_another(self) -> None:
        waits: List[float] = []
        seen: List[Retry] = []
        with FakeGateway(LOST, refusal(500, "api_error", "unavailable"), ok({"id": "cus_1"})) as gateway:
            tollgate = client(gateway, waits, on_retry=seen.append)
            self.assertEqual(tollgate.customers.create(name="Ada")["id"], "cus_1")
            tollgate.customers.create(name="Ada")
        keys = [sent.headers["Idempotency-Key"] for sent in gateway.sent]
        self.assertEqual(len(set(keys[:3])), 1)
        self.assertNotEqual(keys[2], keys[3])
        self.assertEqual(waits, [retry.delay for retry in seen])
        self.assertEqual([retry.attempt for retry in seen], [1, 2])
        self.assertIsInstance(seen[0].error, APIConnectionError)
        self.assertIsInstance(seen[1].error, APIError)

    def test_retry_after_is_honoured_up_to_a_minute(self) -> None:
        waits: List[float] = []
        limited = refusal(429, "rate_limit_error", "rate_limited", {"Retry-After": "7", "Request-Id": "req_1"})
        with FakeGateway(limited, ok({})) as gateway:
            client(gateway, waits).balance.retrieve()
        self.assertEqual(len(waits), 1)
        self.assertTrue(7 <= waits[0] <= 7.25, waits)
        longer = refusal(429, "rate_limit_error", "rate_limited", {"Retry-After": "61"})
        with FakeGateway(longer) as gateway, self.assertRaises(RateLimitError) as caught:
            client(gateway, waits).balance.retrieve()
        self.assertEqual((len(gateway.sent), caught.exception.retry_after), (1, 61.0))

    def test_the_last_failure_is_raised_with_the_key(self) -> None:
        waits: List[float] = []
        with FakeGateway(LOST) as gateway, self.assertRaises(APIConnectionError) as caught:
            client(gateway, waits).payments.cancel("py_1", idempotency_key="mine", options={"max_retries": 1})
        self.assertEqual((len(gateway.sent), len(waits), caught.exception.idempotency_key), (2, 1, "mine"))

    def test_a_refusal_is_not_tried_again(self) -> None:
        declined = refusal(402, "card_error", "card_declined", decline_code="insufficient_funds", payment="py_1")
        with FakeGateway(declined) as gateway, self.assertRaises(CardError) as caught:
            client(gateway, []).payments.create(amount=1, currency="eur", payment_method="pm_1")
        self.assertEqual(len(gateway.sent), 1)
        self.assertEqual((caught.exception.decline_code, caught.exception.payment), ("insufficient_funds", "py_1"))

    def test_waits_double_up_to_eight_seconds(self) -> None:
        error = APIConnectionError("lost")
        self.assertEqual([retry_delay(error, n, lambda: 1.0) for n in range(6)], [0.5, 1, 2, 4, 8, 8])
        self.assertEqual([retry_delay(error, n, lambda: 0.0) for n in range(2)], [0.25, 0.5])
        self.assertEqual(retry_delay(error, 5_000, lambda: 1.0), 8)

    def test_a_gateway_that_stays_silent_is_a_timeout(self) -> None:
        with mock.patch("http.client.HTTPConnection.getresponse", side_effect=TimeoutError()):
            with FakeGateway(ok({})) as gateway, self.assertRaisesRegex(APITimeoutError, "for 3 seconds"):
                client(gateway, [], timeout=3).balance.retrieve()

    def test_an_answer_of_something_else_is_named_as_such(self) -> None:
        for answer in (Answer(502, b"<h1>Bad gateway</h1>"), Answer(200, b"<h1>Bad gateway</h1>"), Answer(302)):
            with FakeGateway(answer) as gateway, self.assertRaises(UnexpectedResponseError) as caught:
                client(gateway, []).balance.retrieve()
            self.assertEqual(caught.exception.status, answer.status)
            self.assertEqual(len(gateway.sent), 3 if answer.status == 502 else 1)


class Following(unittest.TestCase):
    def test_a_stream_that_ends_is_opened_again_after_its_last_message(self) -> None:
        first = Answer(body=b': hello\n\nid: 7\ndata: {"n": 1}\n\ndata: {"n"')
        with FakeGateway(first, LOST, Answer(body=b'id: 8\ndata: {"n": 2}\n\n')) as gateway:
            stream = client(gateway, []).changes.follow(payload=True, options={"max_retries": 0})
            self.assertEqual([next(stream), next(stream)], [{"n": 1}, {"n": 2}])
        self.assertEqual([sent.headers.get("Last-Event-ID") for sent in gateway.sent], [None, "7", "7"])
        with FakeGateway(refusal(401, "authentication_error", "api_key_revoked")) as gateway:
            with self.assertRaises(package.AuthenticationError):
                next(client(gateway, []).changes.follow())

    def test_a_stream_ends_by_a_certificate_that_is_not_trusted(self) -> None:
        def open_stream(_: Dict[str, str]) -> Generator[bytes, None, None]:
            raise APIConnectionError("not trusted") from ssl.SSLCertVerificationError()

        with self.assertRaises(APIConnectionError):
            next(followed(open_stream, lambda _: self.fail("it waits")))


class Source(unittest.TestCase):
    def test_it_is_python_3_9(self) -> None:
        files = list(pathlib.Path(package.__file__).parent.rglob("*.py"))
        self.assertGreater(len(files), 40)
        for file in files:
            ast.parse(file.read_text("utf-8"), str(file), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
