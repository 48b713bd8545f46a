"""The client against a whole gateway, over TLS. TOLLGATE_DEV names the dev.json of a gateway that may be used for tests."""

from __future__ import annotations

import http.client
import json
import os
import queue
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict, List, Tuple
from unittest import mock

from tollgate import (
    APIConnectionError,
    AuthenticationError,
    CardError,
    IdempotencyError,
    InvalidRequestError,
    Retry,
    Tollgate,
    webhooks,
)
from tollgate.types import PaymentMethodsCreateParametersCard

DEV: Dict[str, str] = {}
if "TOLLGATE_DEV" in os.environ:
    with open(os.environ["TOLLGATE_DEV"]) as file:
        DEV = json.load(file)


def card(number: str) -> PaymentMethodsCreateParametersCard:
    return {"number": number, "exp_month": 12, "exp_year": 2040}


@unittest.skipUnless(DEV, "TOLLGATE_DEV does not name the dev.json of a gateway")
class Gateway(unittest.TestCase):
    def client(self, **options: Any) -> Tollgate:
        given = {"api_key": DEV["test_secret_key"], "ca_file": DEV["ca_file"], **options}
        tollgate = Tollgate(DEV["base_url"], **given)
        self.addCleanup(tollgate.close)
        return tollgate

    def test_a_payment_is_made_refunded_and_found_again(self) -> None:
        tollgate = self.client()
        customer = tollgate.customers.create(name="Zoë", metadata={"plan": "gold"})
        method = tollgate.payment_methods.create(type="card", card=card("4242424242424242"), customer=customer["id"])
        payment = tollgate.payments.create(amount=2000, currency="eur", payment_method=method["id"])
        self.assertEqual((payment["status"], payment["amount_received"]), ("succeeded", 2000))
        self.assertEqual(tollgate.refunds.create(payment=payment["id"], amount=500)["status"], "succeeded")
        self.assertEqual(tollgate.payments.retrieve(payment["id"]).get("amount_refunded"), 500)
        self.assertEqual([one["id"] for one in tollgate.customers.list_payment_methods(customer["id"])], [method["id"]])
        tollgate.customers.update(customer["id"], name=None)
        self.assertNotIn("name", tollgate.customers.retrieve(customer["id"]))
        self.assertTrue(tollgate.customers.delete(customer["id"])["deleted"])
        document = tollgate.payments.receipt(payment["id"])
        self.assertTrue(document.startswith(b"%PDF-1.7") and document.rstrip().endswith(b"%%EOF"))
        csv = b"".join(tollgate.payments.list_csv(status="succeeded")).decode()
        self.assertIn(payment["id"], csv)

    def test_refusals_are_errors_of_their_class(self) -> None:
        tollgate = self.client()
        method = tollgate.payment_methods.create(type="card", card=card("4000000000009995"))
        with self.assertRaises(CardError) as caught:
            tollgate.payments.create(amount=700, currency="eur", payment_method=method["id"], idempotency_key="declined")
        error = caught.exception
        self.assertEqual((error.status, error.code, error.type), (402, "card_declined", "card_error"))
        self.assertEqual((error.decline_code, error.idempotency_key), ("insufficient_funds", "declined"))
        self.assertRegex(error.payment or "", "^py_")
        self.assertRegex(error.request_id or "", "^req_")
        self.assertRegex(error.help_url or "", "docs/errors#card_declined$")
        self.assertIn("card_declined, req_", str(error))
        with self.assertRaises(IdempotencyError):
            tollgate.payments.create(amount=8, currency="eur", payment_method=method["id"], idempotency_key="declined")
        with self.assertRaises(InvalidRequestError) as invalid:
            tollgate.payments.create(amount=8, currency="xxx", payment_method=method["id"])
        self.assertEqual((invalid.exception.code, invalid.exception.param), ("currency_unknown", "currency"))
        with self.assertRaises(AuthenticationError):
            self.client(api_key="sk_test_tg_wrong").balance.retrieve()

    def test_a_list_goes_over_its_pages_in_both_directions(self) -> None:
        tollgate = self.client()
        clock = tollgate.test_clocks.create(frozen_time=1893456000)
        made = [tollgate.customers.create(name=name, test_clock=clock["id"])["id"] for name in "abcdefg"]
        responses: List[int] = []
        listing = tollgate.customers.list(limit=3, options={"on_response": lambda status, _: responses.append(status)})
        found: List[str] = []
        for customer in listing:
            found.append(customer["id"])
            if len(found) == 7:
                break
        self.assertEqual((found, len(responses)), (made[::-1], 3))
        newer = [one["id"] for one in tollgate.customers.list(limit=2, ending_before=made[1])]
        self.assertEqual(newer[:5], made[2:])
        page = tollgate.customers.list(limit=2).page()
        self.assertEqual((len(page.data), page.has_more), (2, True))

    def test_a_payment_is_made_once_although_its_response_is_lost(self) -> None:
        real = http.client.HTTPConnection.getresponse
        lost: List[bytes] = []
        retries: List[Retry] = []

        def lose_two(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
            response = real(connection)
            if len(lost) < 2:
                lost.append(response.read())
                raise ConnectionResetError("other side closed")
            return response

        tollgate = self.client(on_retry=retries.append)
        method = tollgate.payment_methods.create(type="card", card=card("4242424242424242"))
        customer = tollgate.customers.create()["id"]
        with mock.patch("http.client.HTTPConnection.getresponse", lose_two):
            paid = tollgate.payments.create(amount=900, currency="eur", payment_method=method["id"], customer=customer)
        self.assertEqual([one["id"] for one in tollgate.payments.list(customer=customer)], [paid["id"]])
        self.assertEqual([retry.attempt for retry in retries], [1, 2])

    def test_a_certificate_that_is_not_trusted_is_named_with_what_to_do(self) -> None:
        retries: List[Retry] = []
        with self.assertRaises(APIConnectionError) as caught:
            self.client(ca_file=None, on_retry=retries.append).balance.retrieve()
        self.assertIn("certificate of the gateway is not trusted", str(caught.exception))
        self.assertIn('ca_file=".tollgate/tls/ca.pem"', str(caught.exception))
        self.assertEqual(retries, [])

    @unittest.skipUnless("signing_key" in DEV, "no key that requires signatures")
    def test_a_key_that_requires_signatures_accepts_signed_requests_only(self) -> None:
        with self.assertRaises(AuthenticationError) as caught:
            self.client(api_key=DEV["signing_key"]).customers.create()
        self.assertEqual(caught.exception.code, "signature_missing")
        signing = self.client(api_key=DEV["signing_key"], sign=True)
        created = signing.customers.create(name="Zoë", metadata={"a": "b c"})
        self.assertEqual(signing.customers.list(limit=1, created={"gte": 7}).page().data[0]["id"], created["id"])
        self.assertTrue(signing.customers.delete(created["id"])["deleted"])

    def test_a_webhook_of_the_gateway_is_verified_also_while_its_secret_is_rotated(self) -> None:
        received: "queue.Queue[Tuple[bytes, Any]]" = queue.Queue()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.end_headers()
                received.put((body, self.headers))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        tollgate = self.client()
        url = f"http://127.0.0.1:{server.server_address[1]}/hook"
        endpoint = tollgate.webhook_endpoints.create(url=url, enabled_events=["customer.created"])
        self.addCleanup(tollgate.webhook_endpoints.delete, endpoint["id"])
        created = tollgate.customers.create(name="Zoë")
        body, headers = received.get(timeout=60)
        event = webhooks.verify(body, headers, endpoint["secret"])
        assert event["type"] == "customer.created"
        self.assertEqual(event["data"]["object"], created)

        rotated = tollgate.webhook_endpoints.rotate_secret(endpoint["id"])
        while "X-Service-Signature-Next" not in headers:
            # A running gateway applies the change within a second.
            tollgate.webhook_endpoints.test(endpoint["id"])
            body, headers = received.get(timeout=60)
        for known in (endpoint["secret"], rotated["secret"], [endpoint["secret"], rotated["secret"]]):
            self.assertEqual(webhooks.verify(body, headers, known)["type"], "webhook_endpoint.test")


if __name__ == "__main__":
    unittest.main()
