# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from ...transport import Transport
from .balance import BalanceResource
from .changes import ChangesResource
from .checkout_sessions import CheckoutSessionsResource
from .coupons import CouponsResource
from .customers import CustomersResource
from .disputes import DisputesResource
from .events import EventsResource
from .invoice_items import InvoiceItemsResource
from .invoices import InvoicesResource
from .mails import MailsResource
from .notes import NotesResource
from .payment_links import PaymentLinksResource
from .payment_methods import PaymentMethodsResource
from .payments import PaymentsResource
from .portal_sessions import PortalSessionsResource
from .prices import PricesResource
from .processor_accounts import ProcessorAccountsResource
from .reconciliation_differences import ReconciliationDifferencesResource
from .reconciliations import ReconciliationsResource
from .refunds import RefundsResource
from .request_logs import RequestLogsResource
from .routing import RoutingResource
from .search import SearchResource
from .setups import SetupsResource
from .subscriptions import SubscriptionsResource
from .test_clocks import TestClocksResource
from .timeline import TimelineResource
from .webhook_endpoints import WebhookEndpointsResource


class Resources:
    """All resources of the API."""

    def __init__(self, transport: Transport) -> None:
        self.balance = BalanceResource(transport)
        self.changes = ChangesResource(transport)
        self.checkout_sessions = CheckoutSessionsResource(transport)
        self.coupons = CouponsResource(transport)
        self.customers = CustomersResource(transport)
        self.disputes = DisputesResource(transport)
        self.events = EventsResource(transport)
        self.invoice_items = InvoiceItemsResource(transport)
        self.invoices = InvoicesResource(transport)
        self.mails = MailsResource(transport)
        self.notes = NotesResource(transport)
        self.payment_links = PaymentLinksResource(transport)
        self.payment_methods = PaymentMethodsResource(transport)
        self.payments = PaymentsResource(transport)
        self.portal_sessions = PortalSessionsResource(transport)
        self.prices = PricesResource(transport)
        self.processor_accounts = ProcessorAccountsResource(transport)
        self.reconciliation_differences = ReconciliationDifferencesResource(transport)
        self.reconciliations = ReconciliationsResource(transport)
        self.refunds = RefundsResource(transport)
        self.request_logs = RequestLogsResource(transport)
        self.routing = RoutingResource(transport)
        self.search = SearchResource(transport)
        self.setups = SetupsResource(transport)
        self.subscriptions = SubscriptionsResource(transport)
        self.test_clocks = TestClocksResource(transport)
        self.timeline = TimelineResource(transport)
        self.webhook_endpoints = WebhookEndpointsResource(transport)
