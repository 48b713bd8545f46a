import type { FunctionComponent } from 'react';
import type { IconName } from '../kit/icon.tsx';
import { objectPaths, pageOfId, redirectPaths } from '../kit/paths.ts';
import type { OperationName, Right } from '../session/rights.ts';
import type { Workspace } from '../session/workspace.tsx';

export type PageEntry = {
  /** Below /dashboard/. */
  path: string;
  title: string;
  icon: IconName;
  /** The operation that the page needs. For a role without the right, it names the roles that can open it. Absent: every role can. */
  calls?: OperationName;
  /** Who looks for it in the navigation, if not everybody who may open it: those with one of these rights. */
  isFor?: readonly Right[];
  /** The filters that the navigation opens it with. They can be taken away there. */
  search?: Readonly<Record<string, string>>;
  page: () => Promise<{ Page: FunctionComponent }>;
  /** The page of one object, whose id is a part of the path. */
  detail?: () => Promise<{ Detail: FunctionComponent<{ id: string }> }>;
};

export type ObjectEntry = Required<Pick<PageEntry, 'path' | 'detail'>>;

export type PageGroup = {
  title: string | undefined;
  /** One entry of the navigation; the pages themselves show a list of the group. */
  isOneEntry?: boolean;
  pages: readonly PageEntry[];
};

/**
 * Every page, in the order of the navigation. A new page is a folder beside this file and one line here. What a folder has is loaded
 * together.
 */
export const groups: readonly PageGroup[] = [
  {
    title: undefined,
    pages: [
      { path: '', title: 'Home', icon: 'home', page: () => import('./home/home.tsx') },
      {
        path: 'needs-attention',
        title: 'Needs attention',
        calls: 'needs_attention.list',
        isFor: ['handle', 'books', 'change'],
        icon: 'attention',
        page: () => import('./needs_attention/page.tsx'),
      },
    ],
  },
  {
    title: 'Payments',
    pages: [
      {
        path: objectPaths.py,
        title: 'Payments',
        calls: 'payments.list',
        icon: 'payments',
        page: () => import('./payments/list.tsx'),
        detail: () => import('./payments/detail.tsx'),
      },
      {
        path: objectPaths.re,
        title: 'Refunds',
        calls: 'refunds.list',
        icon: 'refunds',
        page: () => import('./refunds/list.tsx'),
        detail: () => import('./refunds/detail.tsx'),
      },
      {
        path: objectPaths.dp,
        title: 'Disputes',
        calls: 'disputes.list',
        icon: 'disputes',
        page: () => import('./disputes/list.tsx'),
        detail: () => import('./disputes/detail.tsx'),
      },
      {
        path: objectPaths.cus,
        title: 'Customers',
        calls: 'customers.list',
        icon: 'customers',
        page: () => import('./customers/list.tsx'),
        detail: () => import('./customers/detail.tsx'),
      },
      {
        path: objectPaths.pm,
        title: 'Payment methods',
        calls: 'payment_methods.list',
        icon: 'cards',
        page: () => import('./payment_methods/list.tsx'),
        detail: () => import('./payment_methods/detail.tsx'),
      },
      {
        path: objectPaths.plink,
        title: 'Payment links',
        calls: 'payment_links.list',
        icon: 'links',
        page: () => import('./payment_links/list.tsx'),
        detail: () => import('./payment_links/detail.tsx'),
      },
      {
        path: objectPaths.cs,
        title: 'Checkout sessions',
        calls: 'checkout_sessions.list',
        icon: 'sessions',
        page: () => import('./checkout_sessions/list.tsx'),
        detail: () => import('./checkout_sessions/detail.tsx'),
      },
    ],
  },
  {
    title: 'Billing',
    pages: [
      {
        path: objectPaths.sub,
        title: 'Subscriptions',
        calls: 'subscriptions.list',
        icon: 'subscriptions',
        page: () => import('./subscriptions/list.tsx'),
        detail: () => import('./subscriptions/detail.tsx'),
      },
      {
        path: objectPaths.in,
        title: 'Invoices',
        calls: 'invoices.list',
        icon: 'invoices',
        page: () => import('./invoices/list.tsx'),
        detail: () => import('./invoices/detail.tsx'),
      },
      {
        path: objectPaths.price,
        title: 'Prices',
        calls: 'prices.list',
        icon: 'prices',
        page: () => import('./prices/list.tsx'),
        detail: () => import('./prices/detail.tsx'),
      },
      {
        path: objectPaths.coupon,
        title: 'Coupons',
        calls: 'coupons.list',
        icon: 'coupons',
        page: () => import('./coupons/list.tsx'),
        detail: () => import('./coupons/detail.tsx'),
      },
    ],
  },
  {
    title: 'Balance',
    pages: [
      {
        path: objectPaths.txn,
        title: 'Balance',
        calls: 'balance.list_transactions',
        icon: 'balance',
        page: () => import('./balance/list.tsx'),
        detail: () => import('./balance/detail.tsx'),
      },
      {
        path: objectPaths.recon,
        title: 'Reconciliation',
        calls: 'reconciliations.list',
        icon: 'reconciliation',
        page: () => import('./reconciliations/list.tsx'),
        detail: () => import('./reconciliations/detail.tsx'),
      },
    ],
  },
  {
    title: 'Developers',
    pages: [
      {
        path: objectPaths.req,
        title: 'Request log',
        // What this dashboard asks itself would fill it.
        search: { sent_by: 'key' },
        calls: 'request_logs.list',
        icon: 'log',
        page: () => import('./request_log/list.tsx'),
        detail: () => import('./request_log/detail.tsx'),
      },
      {
        path: objectPaths.evt,
        title: 'Events',
        calls: 'events.list',
        icon: 'events',
        page: () => import('./events/list.tsx'),
        detail: () => import('./events/detail.tsx'),
      },
      {
        path: objectPaths.mail,
        title: 'Mails',
        calls: 'mails.list',
        icon: 'mail',
        page: () => import('./mails/list.tsx'),
        detail: () => import('./mails/detail.tsx'),
      },
      {
        path: objectPaths.we,
        title: 'Webhooks',
        calls: 'webhook_endpoints.list',
        icon: 'webhooks',
        page: () => import('./webhooks/list.tsx'),
        detail: () => import('./webhooks/detail.tsx'),
      },
      {
        path: objectPaths.key,
        title: 'API keys',
        calls: 'api_keys.list',
        icon: 'keys',
        page: () => import('./api_keys/list.tsx'),
        detail: () => import('./api_keys/detail.tsx'),
      },
      {
        path: objectPaths.ibx,
        title: 'Inbox',
        calls: 'inbox.list',
        icon: 'inbox',
        page: () => import('./inbox/list.tsx'),
        detail: () => import('./inbox/detail.tsx'),
      },
      {
        path: 'test-cards',
        title: 'Test cards',
        calls: 'payments.create',
        icon: 'cards',
        page: () => import('./test_cards/page.tsx'),
      },
      {
        path: objectPaths.clock,
        title: 'Test clocks',
        calls: 'test_clocks.list',
        isFor: ['change'],
        icon: 'clocks',
        page: () => import('./test_clocks/list.tsx'),
        detail: () => import('./test_clocks/detail.tsx'),
      },
    ],
  },
  {
    title: 'Settings',
    isOneEntry: true,
    pages: [
      {
        path: 'settings/account',
        title: 'Account',
        calls: 'account.retrieve',
        icon: 'settings',
        page: () => import('./settings_account/page.tsx'),
      },
      {
        path: 'settings/branding',
        title: 'Branding',
        calls: 'branding.retrieve',
        icon: 'branding',
        page: () => import('./settings_branding/page.tsx'),
      },
      {
        path: 'settings/portal',
        title: 'Customer portal',
        calls: 'portal_settings.retrieve',
        icon: 'customers',
        page: () => import('./settings_portal/page.tsx'),
      },
      {
        path: 'settings/mails',
        title: 'Customer mails',
        calls: 'mails.setup',
        icon: 'mail',
        page: () => import('./settings_mails/page.tsx'),
      },
      {
        path: 'settings/mail-preview',
        title: 'Mail preview',
        calls: 'mails.sample',
        icon: 'mail',
        page: () => import('./mail_preview/page.tsx'),
      },
      {
        path: objectPaths.usr,
        title: 'People',
        calls: 'users.list',
        icon: 'people',
        page: () => import('./people/list.tsx'),
        detail: () => import('./people/detail.tsx'),
      },
      {
        path: objectPaths.pa,
        title: 'Processors',
        calls: 'processor_accounts.list',
        isFor: ['change'],
        icon: 'processors',
        page: () => import('./settings_processors/list.tsx'),
        detail: () => import('./settings_processors/detail.tsx'),
      },
      {
        path: 'settings/routing',
        title: 'Routing',
        calls: 'routing.retrieve',
        isFor: ['change'],
        icon: 'routing',
        page: () => import('./settings_routing/page.tsx'),
      },
      {
        path: 'settings/audit-log',
        title: 'Audit log',
        calls: 'audit_log.list',
        icon: 'audit',
        page: () => import('./audit_log/list.tsx'),
      },
      { path: 'settings/profile', title: 'My profile', icon: 'profile', page: () => import('./profile/profile.tsx') },
    ],
  },
];

export const pages: readonly PageEntry[] = groups.flatMap((group) => group.pages);

/** Whether a path is that of a page, or of one of its objects. */
export function isWithin({ path }: PageEntry, pathname: string): boolean {
  return path === '' ? pathname === '/' : pathname === `/${path}` || pathname.startsWith(`/${path}/`);
}

/** Whether a page is in the navigation of somebody. */
export function isOffered({ calls, isFor }: PageEntry, { may, has }: Pick<Workspace, 'may' | 'has'>): boolean {
  return (calls === undefined || may(calls)) && (isFor === undefined || isFor.some(has));
}

/** The page that has the path of an object; undefined for objects without a page of their own. */
export function entryOfId(id: string): PageEntry | undefined {
  const path = pageOfId(id);
  return pages.find((page) => path === `/${page.path}/${id}`);
}

/** Objects without a page of their own. Their `Detail` leads to the page that shows them; the navigation has none. */
export const redirects: readonly ObjectEntry[] = [
  { path: redirectPaths.ii, detail: () => import('./invoice_items/detail.tsx') },
  { path: redirectPaths.diff, detail: () => import('./reconciliation_differences/detail.tsx') },
  { path: redirectPaths.set, detail: () => import('./setups/detail.tsx') },
];
