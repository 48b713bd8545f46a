// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Transport } from '../transport.ts';
import { BalanceResource } from './resources/balance.ts';
import { CouponsResource } from './resources/coupons.ts';
import { CustomersResource } from './resources/customers.ts';
import { DisputesResource } from './resources/disputes.ts';
import { EventsResource } from './resources/events.ts';
import { InvoiceItemsResource } from './resources/invoice_items.ts';
import { InvoicesResource } from './resources/invoices.ts';
import { PaymentMethodsResource } from './resources/payment_methods.ts';
import { PaymentsResource } from './resources/payments.ts';
import { PricesResource } from './resources/prices.ts';
import { ProcessorAccountsResource } from './resources/processor_accounts.ts';
import { RefundsResource } from './resources/refunds.ts';
import { RoutingResource } from './resources/routing.ts';
import { SubscriptionsResource } from './resources/subscriptions.ts';
import { TestClocksResource } from './resources/test_clocks.ts';
import { WebhookEndpointsResource } from './resources/webhook_endpoints.ts';

export class Resources {
  readonly balance: BalanceResource;
  readonly coupons: CouponsResource;
  readonly customers: CustomersResource;
  readonly disputes: DisputesResource;
  readonly events: EventsResource;
  readonly invoiceItems: InvoiceItemsResource;
  readonly invoices: InvoicesResource;
  readonly paymentMethods: PaymentMethodsResource;
  readonly payments: PaymentsResource;
  readonly prices: PricesResource;
  readonly processorAccounts: ProcessorAccountsResource;
  readonly refunds: RefundsResource;
  readonly routing: RoutingResource;
  readonly subscriptions: SubscriptionsResource;
  readonly testClocks: TestClocksResource;
  readonly webhookEndpoints: WebhookEndpointsResource;

  constructor(transport: Transport) {
    this.balance = new BalanceResource(transport);
    this.coupons = new CouponsResource(transport);
    this.customers = new CustomersResource(transport);
    this.disputes = new DisputesResource(transport);
    this.events = new EventsResource(transport);
    this.invoiceItems = new InvoiceItemsResource(transport);
    this.invoices = new InvoicesResource(transport);
    this.paymentMethods = new PaymentMethodsResource(transport);
    this.payments = new PaymentsResource(transport);
    this.prices = new PricesResource(transport);
    this.processorAccounts = new ProcessorAccountsResource(transport);
    this.refunds = new RefundsResource(transport);
    this.routing = new RoutingResource(transport);
    this.subscriptions = new SubscriptionsResource(transport);
    this.testClocks = new TestClocksResource(transport);
    this.webhookEndpoints = new WebhookEndpointsResource(transport);
  }
}
