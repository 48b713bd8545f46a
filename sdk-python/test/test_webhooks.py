"""Which webhooks are trusted."""

from __future__ import annotations

import json
import math
import time
import unittest

from tollgate import WebhookVerificationError, webhooks

SECRET = "whsec_eOeN6EXokIQmuAqnMQe2Pw7hv05Z5FANbcITQhC98zjK"
OTHER = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = json.dumps({"id": "evt_1", "type": "customer.created", "data": {"object": {"name": "Zoë"}}}).encode()


class Verify(unittest.TestCase):
    def refused(self, reason: str, *args: object, **options: float) -> None:
        with self.assertRaisesRegex(WebhookVerificationError, reason):
            webhooks.verify(*args, **options)  # type: ignore[arg-type]

    def test_a_signed_body_is_an_event(self) -> None:
        headers = webhooks.sign(BODY, SECRET)
        for body in (BODY, BODY.decode(), bytearray(BODY)):
            self.assertEqual(webhooks.verify(body, headers, SECRET)["id"], "evt_1")
        upper = {name.upper(): value for name, value in headers.items()}
        self.assertEqual(webhooks.verify(BODY, upper, [OTHER, SECRET])["id"], "evt_1")

    def test_anything_else_is_refused(self) -> None:
        headers = webhooks.sign(BODY, SECRET)
        self.refused("webhook-signature does not match", BODY + b" ", headers, SECRET)
        self.refused("webhook-signature does not match", BODY, headers, OTHER)
        self.refused("webhook-signature does not match", BODY, {**headers, "webhook-id": "evt_2"}, SECRET)
        self.refused("webhook-signature does not match", BODY, {**headers, "webhook-signature": "v1,?"}, SECRET)
        self.refused("X-Service-Signature does not match", BODY, {**headers, "X-Service-Signature": "00"}, SECRET)
        self.refused("are missing", BODY, {}, SECRET)
        self.refused("parsed before verification", json.loads(BODY), headers, SECRET)
        self.refused("not JSON", b"7 7", webhooks.sign(b"7 7", SECRET, id="evt_1"), SECRET)
        with self.assertRaisesRegex(ValueError, "whsec_"):
            webhooks.verify(BODY, headers, "secret")

    def test_the_time_may_differ_by_the_tolerance(self) -> None:
        old = webhooks.sign(BODY, SECRET, timestamp=int(time.time()) - 301)
        self.refused("more than 300 seconds from now", BODY, old, SECRET)
        webhooks.verify(BODY, old, SECRET, tolerance=600)
        ahead = webhooks.sign(BODY, SECRET, timestamp=int(time.time()) + 301)
        self.refused("more than 300 seconds from now", BODY, ahead, SECRET)

    def test_x_service_signature_alone_is_enough_when_the_time_does_not_matter(self) -> None:
        only = {"X-Service-Signature": webhooks.sign(BODY, SECRET)["X-Service-Signature"]}
        self.refused("are missing", BODY, only, SECRET)
        webhooks.verify(BODY, only, SECRET, tolerance=math.inf)
        self.refused("not signed", BODY, {}, SECRET, tolerance=math.inf)

    def test_the_signatures_are_those_of_the_typescript_client(self) -> None:
        """Made by `webhooks.sign` of @tollgate/node, and equal to those of other Standard Webhooks libraries."""
        self.assertEqual(
            webhooks.sign('{"id":"evt_1"}', SECRET, timestamp=1794727700),
            {
                "X-Service-Signature": "c271023c750c1c428d01c4d0b2e100b35080f1a5fd26b0cb9c86238e50119fdb",
                "webhook-id": "evt_1",
                "webhook-timestamp": "1794727700",
                "webhook-signature": "v1,AxjBrnwR6xgoKGjdkCPyRvip01qNtcZm5dF7/M26k0s=",
            },
        )


if __name__ == "__main__":
    unittest.main()
