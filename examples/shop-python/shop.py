"""A shop with one product, by the standard library and the client alone."""

import html
import json
import os
import pathlib
import threading
import uuid
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Optional, Set
from urllib.parse import parse_qs, urlsplit

from tollgate import CardError, Tollgate, TollgateError, WebhookVerificationError, webhooks

# The gateway's `npm start` writes this file. In production, the address and the key come from the environment.
dev_file = pathlib.Path(__file__).resolve().parents[2] / ".tollgate" / "dev.json"
dev = json.loads(pathlib.Path(os.environ.get("TOLLGATE_DEV", dev_file)).read_text())
tollgate = Tollgate(dev["base_url"], dev["test_secret_key"], ca_file=dev["ca_file"])
port = int(os.environ.get("PORT", 3001))
address = f"http://127.0.0.1:{port}"

# In test mode the number decides the outcome. The buyer picks a card by its name: no number comes from the browser.
test_cards = {
    "approved": "4242424242424242",
    "requires 3-D Secure": "4000000000003220",
    "insufficient funds": "4000000000009995",
}


@dataclass
class Order:
    id: str
    status: str = "open"  # or pending, while a payment is under way. Only webhooks make it paid or refunded
    payment: Optional[str] = None  # that has paid it
    challenge: Optional[str] = None  # where the cardholder authenticates
    problem: str = ""
    failed: Set[str] = field(default_factory=set)  # payments; after each of them the order can be paid again

    def note_failure(self, payment: str, problem: str) -> None:  # reported by a response and a webhook, in any order
        if payment not in self.failed and self.status == "pending":
            self.status, self.problem, self.challenge = "open", problem, None
        self.failed.add(payment)


orders: Dict[str, Order] = {}  # a real shop has its orders in a database
lock = threading.Lock()  # POST requests, webhooks among them, change orders one after the other


def pay(order: Order, card: str) -> str:
    # A second click repeats the same request: it is charged once. Another card, or a try after a failure, has another key.
    key = f"{order.id}-{len(order.failed)}-{card}"
    order.status = "pending"
    try:
        method = tollgate.payment_methods.create(
            type="card", card={"number": test_cards[card], "exp_month": 12, "exp_year": 2040}, idempotency_key=f"card-{key}"
        )
        payment = tollgate.payments.create(
            amount=2000, currency="eur", payment_method=method["id"], metadata={"order": order.id},
            return_url=f"{address}/orders/{order.id}", idempotency_key=f"payment-{key}",
        )
        order.challenge = payment["next_action"]["redirect_to_url"]["url"] if "next_action" in payment else None
    except CardError as error:
        order.note_failure(error.payment, error.message)
    except Exception:
        order.status = "open"  # the outcome may be unknown: the next try with this card has the same key
        raise
    return order.challenge or f"/orders/{order.id}"


def receive(event: Any) -> None:  # events come in any order, and more than once
    payment, is_paid = event["data"]["object"], event["type"] == "payment.succeeded"
    order = orders.get(payment.get("metadata", {}).get("order"))
    if order and (is_paid or event["type"] == "payment.refunded"):
        order.payment = order.payment or payment["id"]  # the first payment that succeeds pays the order; another one is refunded
        if order.payment == payment["id"]:
            order.status = "paid" if is_paid and order.status != "refunded" else "refunded"
        elif is_paid:
            tollgate.refunds.create(payment=payment["id"], idempotency_key=f"refund-{payment['id']}")
    elif order and event["type"] in ("payment.failed", "payment.canceled"):
        order.note_failure(payment["id"], payment.get("failure_message", "The payment was canceled."))


def page(title: str, body: str = "", head: str = "") -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>{head}<h1>{title}</h1>{body}</html>'


def form(action: str, button: str, inside: str = "") -> str:
    return f'<form method="post" action="{action}">{inside} <button>{button}</button></form>'


def order_page(order: Order) -> str:
    if order.status in ("paid", "refunded"):
        return page(order.status.capitalize(), form(f"/orders/{order.id}/refund", "Refund") if order.status == "paid" else "")
    if order.status == "pending":
        link = f'<a href="{html.escape(order.challenge)}">Go to your bank</a>' if order.challenge else ""
        return page("Waiting for the payment", link, '<meta http-equiv="refresh" content="1">')
    options = "".join(f"<option>{name}</option>" for name in test_cards)
    inside = f'<p role="alert">{html.escape(order.problem)}</p><label>Test card <select name="card">{options}</select></label>'
    return page("Your order", form(f"/orders/{order.id}/pay", "Pay €20.00", inside))


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/":
            return self.answer(page("Teapot", "<p>€20.00</p>" + form("/orders", "Buy")))
        # The cardholder comes back to the order from the bank. That proves nothing: the page waits for the webhook.
        order = orders.get(urlsplit(self.path).path.split("/")[-1])
        self.answer(order_page(order) if order else "There is no such order.", 200 if order else 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            with lock:
                self.change(body, *self.path.split("/")[1:])
        except (WebhookVerificationError, LookupError) as error:
            self.answer(f"This cannot be answered: {error}", 400)
        except TollgateError as error:
            self.log_error("%s", error)
            self.answer(page("Something went wrong", "Nothing is lost. Please go back and try again."), 500)

    def change(self, body: bytes, what: str, id: str = "", verb: str = "") -> None:
        if what == "webhooks":
            receive(webhooks.verify(body, self.headers, secret))
            return self.answer("")
        order = orders[id] if id else Order(str(uuid.uuid4()))
        orders[order.id] = order
        location = pay(order, parse_qs(body.decode())["card"][0]) if verb == "pay" and not order.payment else f"/orders/{order.id}"
        if verb == "refund" and order.payment:
            tollgate.refunds.create(payment=order.payment, idempotency_key=f"refund-{order.payment}")
        self.answer("", 303, location)

    def answer(self, text: str, status: int = 200, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())


# The shop is registered anew at each start, because the secret is shown once. In production: register once, and keep the secret.
for endpoint in tollgate.webhook_endpoints.list():
    if endpoint["url"] == f"{address}/webhooks":
        tollgate.webhook_endpoints.delete(endpoint["id"])
secret = tollgate.webhook_endpoints.create(url=f"{address}/webhooks", enabled_events=["payment.*"])["secret"]
server = ThreadingHTTPServer(("127.0.0.1", port), Shop)
print(f"The shop is at {address}", flush=True)
server.serve_forever()
