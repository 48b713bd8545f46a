// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Transport } from '../transport.ts';
import { AccountResource } from './resources/account.ts';
import { ApiKeysResource } from './resources/api_keys.ts';
import { AuditLogResource } from './resources/audit_log.ts';
import { BalanceResource } from './resources/balance.ts';
import { BrandingResource } from './resources/branding.ts';
import { ChangesResource } from './resources/changes.ts';
import { CheckoutSessionsResource } from './resources/checkout_sessions.ts';
import { CouponsResource } from './resources/coupons.ts';
import { CustomersResource } from './resources/customers.ts';
import { DisputesResource } from './resources/disputes.ts';
import { EventsResource } from './resources/events.ts';
import { InboxResource } from './resources/inbox.ts';
import { InboxRequestsResource } from './resources/inbox_requests.ts';
import { InvitationsResource } from './resources/invitations.ts';
import { InvoiceItemsResource } from './resources/invoice_items.ts';
import { InvoicesResource } from './resources/invoices.ts';
import { MailsResource } from './resources/mails.ts';
import { MeResource } from './resources/me.ts';
import { NeedsAttentionResource } from './resources/needs_attention.ts';
import { NotesResource } from './resources/notes.ts';
import { PaymentLinksResource } from './resources/payment_links.ts';
import { PaymentMethodsResource } from './resources/payment_methods.ts';
import { PaymentsResource } from './resources/payments.ts';
import { PortalCodesResource } from './resources/portal_codes.ts';
import { PortalSessionsResource } from './resources/portal_sessions.ts';
import { PortalSettingsResource } from './resources/portal_settings.ts';
import { PricesResource } from './resources/prices.ts';
import { ProcessorAccountsResource } from './resources/processor_accounts.ts';
import { ReconciliationDifferencesResource } from './resources/reconciliation_differences.ts';
import { ReconciliationsResource } from './resources/reconciliations.ts';
import { RefundsResource } from './resources/refunds.ts';
import { RequestLogsResource } from './resources/request_logs.ts';
import { RoutingResource } from './resources/routing.ts';
import { SavedViewsResource } from './resources/saved_views.ts';
import { SearchResource } from './resources/search.ts';
import { SessionsResource } from './resources/sessions.ts';
import { SetupsResource } from './resources/setups.ts';
import { StatisticsResource } from './resources/statistics.ts';
import { SubscriptionsResource } from './resources/subscriptions.ts';
import { TestClocksResource } from './resources/test_clocks.ts';
import { TimelineResource } from './resources/timeline.ts';
import { UsersResource } from './resources/users.ts';
import { WebhookEndpointsResource } from './resources/webhook_endpoints.ts';

export class Resources {
  /** The settings of the account that a person works in. */
  readonly account: AccountResource;
  /** Keys by which programs call the API, and what each of them may do. */
  readonly apiKeys: ApiKeysResource;
  /** Who changed what, and who was refused: written together with each change that a person makes. */
  readonly auditLog: AuditLogResource;
  /** How much money there is in each currency, and the movements that add up to it. */
  readonly balance: BalanceResource;
  /** How the account shows itself to those who pay it. */
  readonly branding: BrandingResource;
  /** What happens in an account, as it happens, for pages that show it and for programs behind a firewall. */
  readonly changes: ChangesResource;
  /** What customers are to pay for on a page of the gateway. */
  readonly checkoutSessions: CheckoutSessionsResource;
  /** Discounts for subscriptions: a percentage, or an amount in one currency. */
  readonly coupons: CouponsResource;
  /** The people and companies that pay you, with their payment methods and their credit. */
  readonly customers: CustomersResource;
  /** Payments that cardholders have disputed with their banks, and your evidence. */
  readonly disputes: DisputesResource;
  /** Records of every change, for webhooks and for polling. */
  readonly events: EventsResource;
  /** Built-in receivers of webhooks, to look at deliveries without a receiver of your own. In test mode only. */
  readonly inbox: InboxResource;
  /** Webhooks that inboxes have received. */
  readonly inboxRequests: InboxRequestsResource;
  /** How somebody gets a role in an account: a link that works once, for 7 days. */
  readonly invitations: InvitationsResource;
  /** Amounts that wait for the next invoice of a customer: one-off charges and deductions. */
  readonly invoiceItems: InvoiceItemsResource;
  /** What customers owe, line by line, and how it was paid. */
  readonly invoices: InvoicesResource;
  /** What your customers were written by mail, and what became of it. */
  readonly mails: MailsResource;
  /** The person who has signed in: the password, the authenticator and the sessions. Nobody else can change them. */
  readonly me: MeResource;
  /** What waits for a person, with the one thing that helps. */
  readonly needsAttention: NeedsAttentionResource;
  /** What your people write down about customers, payments, disputes and subscriptions, for each other. */
  readonly notes: NotesResource;
  /** Addresses that sell the same thing to anybody, without a line of code. */
  readonly paymentLinks: PaymentLinksResource;
  /** What payments charge, by its id: cards whose numbers are in the vault, or that a processor keeps. */
  readonly paymentMethods: PaymentMethodsResource;
  /** Charges of payment methods, from the first authorization to the money. */
  readonly payments: PaymentsResource;
  /** The codes by which customers sign in to the portal, on a gateway for development without a mail server. */
  readonly portalCodes: PortalCodesResource;
  /** Links by which customers sign in to the portal. */
  readonly portalSessions: PortalSessionsResource;
  /** What customers may do by themselves in the portal. */
  readonly portalSettings: PortalSettingsResource;
  /** What one of something costs, in which currency, and how often or once. */
  readonly prices: PricesResource;
  /** Your accounts at processors, with the credentials that the gateway uses there. */
  readonly processorAccounts: ProcessorAccountsResource;
  /** Lines that differ between the ledger and the statement of a processor. */
  readonly reconciliationDifferences: ReconciliationDifferencesResource;
  /** Days of the ledger that were compared with the statement of a processor. */
  readonly reconciliations: ReconciliationsResource;
  /** Money that goes back to customers, all or part of a payment. */
  readonly refunds: RefundsResource;
  /**
   * Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its
   * answer in short.
   */
  readonly requestLogs: RequestLogsResource;
  /** The rules by which payments are routed to processor accounts. */
  readonly routing: RoutingResource;
  /** Pages of the dashboard with filters that a person wants to come back to. */
  readonly savedViews: SavedViewsResource;
  /** Objects of every kind, by what a person knows of them. */
  readonly search: SearchResource;
  /**
   * Somebody who has signed in to the dashboard. The browser holds the session in a cookie that scripts cannot
   * read.
   */
  readonly sessions: SessionsResource;
  /** Payment methods that are verified without a charge, and may then be charged without the cardholder. */
  readonly setups: SetupsResource;
  /** How many payments, refunds and disputes there were, and how much they came to. */
  readonly statistics: StatisticsResource;
  /** What customers pay for at regular intervals, period by period. */
  readonly subscriptions: SubscriptionsResource;
  /** Clocks of test mode that let years pass in a moment for the customers that live by them. */
  readonly testClocks: TestClocksResource;
  /** What happened to an object, in one order: requests, attempts, postings, events, deliveries and who did it. */
  readonly timeline: TimelineResource;
  /** Somebody who signs in to the dashboard, with a role in each account. */
  readonly users: UsersResource;
  /** Receivers of events: their addresses, their secrets, and what was delivered to them. */
  readonly webhookEndpoints: WebhookEndpointsResource;

  constructor(transport: Transport) {
    this.account = new AccountResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.auditLog = new AuditLogResource(transport);
    this.balance = new BalanceResource(transport);
    this.branding = new BrandingResource(transport);
    this.changes = new ChangesResource(transport);
    this.checkoutSessions = new CheckoutSessionsResource(transport);
    this.coupons = new CouponsResource(transport);
    this.customers = new CustomersResource(transport);
    this.disputes = new DisputesResource(transport);
    this.events = new EventsResource(transport);
    this.inbox = new InboxResource(transport);
    this.inboxRequests = new InboxRequestsResource(transport);
    this.invitations = new InvitationsResource(transport);
    this.invoiceItems = new InvoiceItemsResource(transport);
    this.invoices = new InvoicesResource(transport);
    this.mails = new MailsResource(transport);
    this.me = new MeResource(transport);
    this.needsAttention = new NeedsAttentionResource(transport);
    this.notes = new NotesResource(transport);
    this.paymentLinks = new PaymentLinksResource(transport);
    this.paymentMethods = new PaymentMethodsResource(transport);
    this.payments = new PaymentsResource(transport);
    this.portalCodes = new PortalCodesResource(transport);
    this.portalSessions = new PortalSessionsResource(transport);
    this.portalSettings = new PortalSettingsResource(transport);
    this.prices = new PricesResource(transport);
    this.processorAccounts = new ProcessorAccountsResource(transport);
    this.reconciliationDifferences = new ReconciliationDifferencesResource(transport);
    this.reconciliations = new ReconciliationsResource(transport);
    this.refunds = new RefundsResource(transport);
    this.requestLogs = new RequestLogsResource(transport);
    this.routing = new RoutingResource(transport);
    this.savedViews = new SavedViewsResource(transport);
    this.search = new SearchResource(transport);
    this.sessions = new SessionsResource(transport);
    this.setups = new SetupsResource(transport);
    this.statistics = new StatisticsResource(transport);
    this.subscriptions = new SubscriptionsResource(transport);
    this.testClocks = new TestClocksResource(transport);
    this.timeline = new TimelineResource(transport);
    this.users = new UsersResource(transport);
    this.webhookEndpoints = new WebhookEndpointsResource(transport);
  }
}
