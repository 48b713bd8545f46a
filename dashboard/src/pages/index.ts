import type { FunctionComponent } from 'react';
import type { IconName } from '../kit/icon.tsx';
import { objectPaths, pageOfId, redirectPaths } from '../kit/paths.ts';

export type PageEntry = {
  /** Below /dashboard/. */
  path: string;
  title: string;
  icon: IconName;
  page: () => Promise<{ Page: FunctionComponent }>;
  /** The page of one object, whose id is a part of the path. */
  detail?: () => Promise<{ Detail: FunctionComponent<{ id: string }> }>;
};

export type ObjectEntry = Required<Pick<PageEntry, 'path' | 'detail'>>;

type PageGroup = { title: string | undefined; pages: readonly PageEntry[] };

/** Every page, in the order of the navigation. A new page is a folder beside this file and one line here. */
export const groups: readonly PageGroup[] = [
  {
    title: undefined,
    pages: [
      { path: '', title: 'Home', icon: 'home', page: () => import('./home/home.tsx') },
      {
        path: 'needs-attention',
        title: 'Needs attention',
        icon: 'attention',
        page: () => import('./needs_attention/page.tsx'),
      },
      {
        path: objectPaths.py,
        title: 'Payments',
        icon: 'payments',
        page: () => import('./payments/list.tsx'),
        detail: () => import('./payments/detail.tsx'),
      },
      {
        path: objectPaths.cus,
        title: 'Customers',
        icon: 'customers',
        page: () => import('./customers/list.tsx'),
        detail: () => import('./customers/detail.tsx'),
      },
      {
        path: objectPaths.sub,
        title: 'Subscriptions',
        icon: 'subscriptions',
        page: () => import('./subscriptions/list.tsx'),
        detail: () => import('./subscriptions/detail.tsx'),
      },
      {
        path: objectPaths.in,
        title: 'Invoices',
        icon: 'invoices',
        page: () => import('./invoices/list.tsx'),
        detail: () => import('./invoices/detail.tsx'),
      },
      {
        path: objectPaths.price,
        title: 'Prices',
        icon: 'prices',
        page: () => import('./prices/list.tsx'),
        detail: () => import('./prices/detail.tsx'),
      },
      {
        path: objectPaths.coupon,
        title: 'Coupons',
        icon: 'coupons',
        page: () => import('./coupons/list.tsx'),
        detail: () => import('./coupons/detail.tsx'),
      },
      {
        path: objectPaths.pm,
        title: 'Payment methods',
        icon: 'cards',
        page: () => import('./payment_methods/list.tsx'),
        detail: () => import('./payment_methods/detail.tsx'),
      },
      {
        path: objectPaths.re,
        title: 'Refunds',
        icon: 'refunds',
        page: () => import('./refunds/list.tsx'),
        detail: () => import('./refunds/detail.tsx'),
      },
      {
        path: objectPaths.dp,
        title: 'Disputes',
        icon: 'disputes',
        page: () => import('./disputes/list.tsx'),
        detail: () => import('./disputes/detail.tsx'),
      },
      {
        path: objectPaths.txn,
        title: 'Balance',
        icon: 'balance',
        page: () => import('./balance/list.tsx'),
        detail: () => import('./balance/detail.tsx'),
      },
    ],
  },
  {
    title: 'Developers',
    pages: [
      {
        path: objectPaths.key,
        title: 'API keys',
        icon: 'keys',
        page: () => import('./api_keys/list.tsx'),
        detail: () => import('./api_keys/detail.tsx'),
      },
      {
        path: objectPaths.we,
        title: 'Webhooks',
        icon: 'webhooks',
        page: () => import('./webhooks/list.tsx'),
        detail: () => import('./webhooks/detail.tsx'),
      },
      {
        path: objectPaths.ibx,
        title: 'Inbox',
        icon: 'inbox',
        page: () => import('./inbox/list.tsx'),
        detail: () => import('./inbox/detail.tsx'),
      },
      {
        path: objectPaths.evt,
        title: 'Events',
        icon: 'events',
        page: () => import('./events/list.tsx'),
        detail: () => import('./events/detail.tsx'),
      },
      {
        path: objectPaths.req,
        title: 'Request log',
        icon: 'log',
        page: () => import('./request_log/list.tsx'),
        detail: () => import('./request_log/detail.tsx'),
      },
      {
        path: objectPaths.clock,
        title: 'Test clocks',
        icon: 'clocks',
        page: () => import('./test_clocks/list.tsx'),
        detail: () => import('./test_clocks/detail.tsx'),
      },
      { path: 'test-cards', title: 'Test cards', icon: 'cards', page: () => import('./test_cards/page.tsx') },
    ],
  },
  {
    title: 'Settings',
    pages: [
      {
        path: 'settings/account',
        title: 'Account',
        icon: 'settings',
        page: () => import('./settings_account/page.tsx'),
      },
      {
        path: objectPaths.usr,
        title: 'People',
        icon: 'people',
        page: () => import('./people/list.tsx'),
        detail: () => import('./people/detail.tsx'),
      },
      {
        path: objectPaths.pa,
        title: 'Processors',
        icon: 'processors',
        page: () => import('./settings_processors/list.tsx'),
        detail: () => import('./settings_processors/detail.tsx'),
      },
      {
        path: 'settings/routing',
        title: 'Routing',
        icon: 'routing',
        page: () => import('./settings_routing/page.tsx'),
      },
      { path: 'settings/profile', title: 'My profile', icon: 'profile', page: () => import('./profile/profile.tsx') },
      { path: 'settings/audit-log', title: 'Audit log', icon: 'audit', page: () => import('./audit_log/list.tsx') },
    ],
  },
];

export const pages: readonly PageEntry[] = groups.flatMap((group) => group.pages);

/** The page that has the path of an object; undefined for objects without a page of their own. */
export function entryOfId(id: string): PageEntry | undefined {
  const path = pageOfId(id);
  return pages.find((page) => path === `/${page.path}/${id}`);
}

/** Objects without a page of their own. Their `Detail` leads to the page that shows them; the navigation has none. */
export const redirects: readonly ObjectEntry[] = [
  { path: redirectPaths.ii, detail: () => import('./invoice_items/detail.tsx') },
  { path: redirectPaths.set, detail: () => import('./setups/detail.tsx') },
];
