import type { Resource } from '../operations/resource.ts';
import { coupons } from './billing/coupons/index.ts';
import { invoiceItems } from './billing/invoice_items/index.ts';
import { invoices } from './billing/invoices/index.ts';
import { prices } from './billing/prices/index.ts';
import { subscriptions } from './billing/subscriptions/index.ts';
import { changes } from './events/changes/index.ts';
import { events } from './events/events/index.ts';
import { inbox, inboxRequests } from './events/inbox/index.ts';
import { mails } from './events/mails/index.ts';
import { webhookEndpoints } from './events/webhook_endpoints/index.ts';
import { balance } from './payments/balance/index.ts';
import { customers } from './payments/customers/index.ts';
import { disputes } from './payments/disputes/index.ts';
import { notices } from './payments/notices/index.ts';
import { paymentMethods } from './payments/payment_methods/index.ts';
import { payments } from './payments/payments/index.ts';
import { processorAccounts } from './payments/processor_accounts/index.ts';
import { reconciliationDifferences, reconciliations } from './payments/reconciliations/index.ts';
import { refunds } from './payments/refunds/index.ts';
import { routing } from './payments/routing/index.ts';
import { setups } from './payments/setups/index.ts';
import { testClocks } from './payments/test_clocks/index.ts';
import { accounts } from './people/accounts/index.ts';
import { apiKeys } from './people/api_keys/index.ts';
import { auditLog } from './people/audit_log/index.ts';
import { branding } from './people/branding/index.ts';
import { invitations } from './people/invitations/index.ts';
import { me } from './people/me/index.ts';
import { notes } from './people/notes/index.ts';
import { savedViews } from './people/saved_views/index.ts';
import { sessions } from './people/sessions/index.ts';
import { users } from './people/users/index.ts';
import { cardTesting } from './selling/card_testing/index.ts';
import { checkoutPages } from './selling/checkout_page/index.ts';
import { checkoutSessions } from './selling/checkout_sessions/index.ts';
import { invoicePages } from './selling/invoice_page/index.ts';
import { paymentLinks } from './selling/payment_links/index.ts';
import { portal } from './selling/portal/index.ts';
import { portalCodes } from './selling/portal_codes/index.ts';
import { portalSessions } from './selling/portal_sessions/index.ts';
import { portalSettings } from './selling/portal_settings/index.ts';
import { attention } from './views/needs_attention/index.ts';
import { requestLogs } from './views/request_logs/index.ts';
import { search } from './views/search/index.ts';
import { statistics } from './views/statistics/index.ts';
import { timeline } from './views/timeline/index.ts';

/** Everything that the API does, each after those that it builds on. A new resource is one folder, one migration and one line here. */
export const resources: readonly Resource[] = [
  apiKeys,
  accounts,
  branding,
  users,
  sessions,
  me,
  invitations,
  auditLog,
  savedViews,
  notes,
  attention,
  statistics,
  processorAccounts,
  testClocks,
  customers,
  paymentMethods,
  prices,
  coupons,
  invoiceItems,
  routing,
  setups,
  payments,
  refunds,
  disputes,
  invoices,
  subscriptions,
  checkoutSessions,
  checkoutPages,
  cardTesting,
  invoicePages,
  paymentLinks,
  portalSettings,
  portalSessions,
  portalCodes,
  portal,
  notices,
  events,
  balance,
  reconciliations,
  reconciliationDifferences,
  webhookEndpoints,
  mails,
  requestLogs,
  timeline,
  search,
  changes,
  inbox,
  inboxRequests,
];
