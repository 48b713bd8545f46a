import json, os, pathlib, ssl, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

dev_file = pathlib.Path(__file__).resolve().parents[2] / ".tollgate" / "dev.json"
dev = json.loads(pathlib.Path(os.environ.get("TOLLGATE_DEV", dev_file)).read_text())
port = int(os.environ.get("PORT", 3001))
sessions = {}  # order -> checkout session; a real shop has its orders in a database

def api(path, body=None):
    headers = {"Authorization": f"Bearer {dev['test_secret_key']}", "Content-Type": "application/json"}
    request = Request(dev["base_url"] + path, json.dumps(body).encode() if body else None, headers)
    return json.load(urlopen(request, context=ssl.create_default_context(cafile=dev["ca_file"])))

class Shop(BaseHTTPRequestHandler):
    def answer(self, status, text="", **headers):
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **headers}.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())
    def do_GET(self):
        order = self.path.rsplit("/", 1)[-1]
        if order not in sessions: return self.answer(200, "<h1>Teapot</h1><form method=post><button>Buy for €20.00</button></form>")
        session = api(f"/v1/checkout_sessions/{sessions[order]}")  # that the customer is back proves nothing
        self.answer(200, "<h1>Paid</h1>" if session["payment_status"] == "paid" else "<h1>Waiting for the payment</h1>")
    def do_POST(self):
        order, line = str(uuid.uuid4()), {"name": "Teapot", "unit_amount": 2000, "currency": "eur"}
        success = f"http://127.0.0.1:{port}/orders/{order}"
        session = api("/v1/checkout_sessions", {"line_items": [line], "reference": order, "success_url": success})
        sessions[order] = session["id"]
        self.answer(303, Location=session["url"])

print(f"The shop is at http://127.0.0.1:{port}", flush=True)
ThreadingHTTPServer(("127.0.0.1", port), Shop).serve_forever()
