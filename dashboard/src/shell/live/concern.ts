import type { Change } from '@tollgate/node';

const money = ['payment', 'refund', 'dispute'];

/**
 * Whose changes the queries of a noun must follow, by the family of the type. A noun that is not here follows them all: better read once
 * too often than shown wrong. What people set up has no events: the page that changes it reads it again. Breakdowns are read again by
 * Home, with the statistics.
 */
const follows: Readonly<Record<string, readonly string[]>> = {
  payments: money,
  customers: ['customer', 'payment_method', ...money, 'subscription', 'invoice', 'invoice_item'],
  payment_methods: ['payment_method', 'customer', 'setup'],
  subscriptions: ['subscription', 'invoice', 'invoice_item', 'test_clock'],
  invoices: ['invoice', 'invoice_item', 'payment'],
  invoice_items: ['invoice_item', 'invoice'],
  mails: ['payment', 'refund', 'invoice', 'subscription', 'customer'],
  checkout_sessions: ['checkout_session', 'payment', 'setup'],
  payment_links: ['payment_link', 'checkout_session'],
  prices: ['price'],
  coupons: ['coupon'],
  refunds: ['refund'],
  disputes: ['dispute'],
  balance: money,
  statistics: money,
  checkout_statistics: ['checkout_session'],
  subscription_statistics: ['subscription', 'invoice'],
  needs_attention: [...money, 'checkout_session', 'invoice', 'webhook_delivery', 'webhook_endpoint'],
  webhook_endpoints: ['webhook_delivery', 'webhook_endpoint'],
  inbox: ['webhook_delivery'],
  ...Object.fromEntries(
    [
      'account',
      'api_keys',
      'audit_log',
      'branding',
      'breakdowns',
      'invitations',
      'mail_setup',
      'mail_samples',
      'me',
      'notes',
      'portal_codes',
      'portal_settings',
      'processor_accounts',
      'reconciliation_differences',
      'reconciliations',
      'routing',
      'saved_views',
      'users',
    ].map((noun) => [noun, []]),
  ),
};

/** Whether what a query shows may be another after a change. `key` is that of the query, without account and mode. */
export function isConcerned([noun, id]: readonly unknown[], change: Change): boolean {
  const [family = ''] = change.type.split('.');
  const followed = follows[String(noun)];
  if (followed !== undefined && !followed.includes(family)) return false;
  // That of one object is not changed by another of its kind.
  const named = [change.subject, change.event, change.webhook_endpoint].filter((one) => one !== undefined);
  const ofItsKind = named.filter((one) => kindOf(one) === kindOf(id));
  return kindOf(id) === undefined || ofItsKind.length === 0 || ofItsKind.includes(id as string);
}

/** What an id begins with; undefined of anything else. */
function kindOf(id: unknown): string | undefined {
  return typeof id === 'string' ? /^([a-z]+)_[0-9A-Za-z]+$/.exec(id)?.[1] : undefined;
}
