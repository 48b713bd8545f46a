"""A shop with one product, by the standard library and the client alone."""

import html
import json
import os
import pathlib
import threading
import uuid
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Optional
from urllib.parse import urlsplit

from tollgate import Tollgate, TollgateError, WebhookVerificationError, webhooks

# The gateway's `npm start` writes this file. In production, the address and the key come from the environment.
dev_file = pathlib.Path(__file__).resolve().parents[2] / ".tollgate" / "dev.json"
dev = json.loads(pathlib.Path(os.environ.get("TOLLGATE_DEV", dev_file)).read_text())
tollgate = Tollgate(dev["base_url"], dev["test_secret_key"], ca_file=dev["ca_file"])
port = int(os.environ.get("PORT", 3001))
address = f"http://127.0.0.1:{port}"


@dataclass
class Order:
    id: str
    checkout: str  # the page to pay on
    session: str
    status: str = "open"  # or paid, refunded, expired: only webhooks change it
    payment: Optional[str] = None  # that has paid it
    customer: Optional[str] = None  # of a subscription


orders: Dict[str, Order] = {}  # a real shop has its orders in a database
lock = threading.Lock()  # POST requests, webhooks among them, change orders one after the other


def buy(**sold: Any) -> str:
    id = str(uuid.uuid4())
    urls = {"success_url": f"{address}/orders/{id}", "cancel_url": address}
    session = tollgate.checkout_sessions.create(reference=id, **urls, **sold)
    orders[id] = Order(id, session["url"], session["id"])
    return session["url"]


def refund(order: Order) -> str:
    if order.payment:  # however often the button is pressed, the same request is sent
        tollgate.refunds.create(payment=order.payment, idempotency_key=f"refund-{order.id}")
    return f"/orders/{order.id}"


def manage(order: Order) -> str:  # the link works once: it is made when the button is pressed
    back = f"{address}/orders/{order.id}"
    return tollgate.portal_sessions.create(customer=order.customer, return_url=back)["url"] if order.customer else back


def receive(event: Any) -> None:  # events come in any order, and more than once: each of them may only lead on
    about, what = event["data"]["object"], event["type"]
    if what == "payment.refunded":
        for order in orders.values():
            if order.session == about.get("checkout_session"):
                order.status, order.payment = "refunded", about["id"]
        return
    order = orders.get(about.get("reference", ""))
    if order and what == "checkout_session.completed" and order.status in ("open", "expired"):
        print(f"Deliver order {order.id}", flush=True)
        order.status, order.payment = "paid", about.get("payment")
        if "subscription" in about:
            order.payment, order.customer = None, about["customer"]
    elif order and what == "checkout_session.expired" and order.status == "open":
        order.status = "expired"


def page(title: str, body: str = "", head: str = "") -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>{head}<h1>{title}</h1>{body}</html>'


def form(action: str, button: str) -> str:
    return f'<form method="post" action="{action}"><button>{button}</button></form>'


def order_page(order: Order) -> str:
    if order.status == "paid":
        verb, button = ("manage", "Manage subscription") if order.customer else ("refund", "Refund")
        return page("Paid", form(f"/orders/{order.id}/{verb}", button))
    if order.status == "refunded":
        return page("Refunded")
    if order.status == "expired":
        return page("Not paid", '<a href="/">Order again</a>')
    link = f'<a href="{html.escape(order.checkout)}">Pay</a>'
    return page("Waiting for the payment", link, '<meta http-equiv="refresh" content="1">')


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/":
            club_form = "<h2>Tea club</h2><p>€9.00 a month</p>" + form("/subscriptions", "Subscribe")
            return self.answer(page("Teapot", "<p>€20.00</p>" + form("/orders", "Buy") + club_form))
        # The customer comes back to the order after the payment. That proves nothing: the page waits for the webhook.
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
        if verb:
            return self.answer("", 303, {"refund": refund, "manage": manage}[verb](orders[id]))
        self.answer("", 303, buy(**products[what]))

    def answer(self, text: str, status: int = 200, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())


known = (price for price in tollgate.prices.list(active=True) if price["product_name"] == "Tea club")
club = next(known, None) or tollgate.prices.create(
    product_name="Tea club", unit_amount=900, currency="eur", recurring={"interval": "month"})
products = {
    "orders": {"line_items": [{"name": "Teapot", "unit_amount": 2000, "currency": "eur"}]},
    "subscriptions": {"mode": "subscription", "line_items": [{"price": club["id"]}]},
}

# The shop is registered anew at each start, because the secret is shown once. In production: register once, and keep the secret.
for endpoint in tollgate.webhook_endpoints.list():
    if endpoint["url"] == f"{address}/webhooks":
        tollgate.webhook_endpoints.delete(endpoint["id"])
wanted = ["checkout_session.completed", "checkout_session.expired", "payment.refunded"]
secret = tollgate.webhook_endpoints.create(url=f"{address}/webhooks", enabled_events=wanted)["secret"]
server = ThreadingHTTPServer(("127.0.0.1", port), Shop)
print(f"The shop is at {address}", flush=True)
server.serve_forever()
