import { accounts } from './accounts/index.ts';
import { apiKeys } from './api_keys/index.ts';
import { auditLog } from './audit_log/index.ts';
import { balance } from './balance/index.ts';
import { changes } from './changes/index.ts';
import { coupons } from './coupons/index.ts';
import { customers } from './customers/index.ts';
import { disputes } from './disputes/index.ts';
import { events } from './events/index.ts';
import { inbox, inboxRequests } from './inbox/index.ts';
import { invitations } from './invitations/index.ts';
import { invoiceItems } from './invoice_items/index.ts';
import { invoices } from './invoices/index.ts';
import { me } from './me/index.ts';
import { attention } from './needs_attention/index.ts';
import { notices } from './notices/index.ts';
import { paymentMethods } from './payment_methods/index.ts';
import { payments } from './payments/index.ts';
import { prices } from './prices/index.ts';
import { processorAccounts } from './processor_accounts/index.ts';
import { refunds } from './refunds/index.ts';
import { requestLogs } from './request_logs/index.ts';
import type { Resource } from './resource.ts';
import { routing } from './routing/index.ts';
import { savedViews } from './saved_views/index.ts';
import { search } from './search/index.ts';
import { sessions } from './sessions/index.ts';
import { statistics } from './statistics/index.ts';
import { subscriptions } from './subscriptions/index.ts';
import { testClocks } from './test_clocks/index.ts';
import { timeline } from './timeline/index.ts';
import { users } from './users/index.ts';
import { webhookEndpoints } from './webhook_endpoints/index.ts';

/** Everything that the API does, each after those that it builds on. A new resource is one folder, one migration and one line here. */
export const resources: readonly Resource[] = [
  apiKeys,
  accounts,
  users,
  sessions,
  me,
  invitations,
  auditLog,
  savedViews,
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
  payments,
  refunds,
  disputes,
  invoices,
  subscriptions,
  notices,
  events,
  balance,
  webhookEndpoints,
  requestLogs,
  timeline,
  search,
  changes,
  inbox,
  inboxRequests,
];
