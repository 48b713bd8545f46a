import type { ComponentType } from 'react';
import type { IconName } from '../kit/icon.tsx';

/** What the `index.tsx` of a page's folder exports. */
export type PageModule = {
  Page: ComponentType;
  /** Of one object. Its id is a part of the path. */
  Detail?: ComponentType<{ id: string }>;
};

export type PageEntry = {
  /** Below /dashboard/. */
  path: string;
  title: string;
  icon: IconName;
  /** What the ids of its objects begin with: such ids lead to its `Detail`, wherever they are shown. */
  prefix?: string;
  /** Without it the page is not built yet: the route exists, and the navigation does not show it. */
  load?: () => Promise<PageModule>;
};

export type PageGroup = { title: string | undefined; pages: readonly PageEntry[] };

/** Every page, in the order of the navigation. A new page is a folder beside this file and one line here. */
export const groups: readonly PageGroup[] = [
  {
    title: undefined,
    pages: [
      { path: '', title: 'Home', icon: 'home' },
      {
        path: 'payments',
        title: 'Payments',
        icon: 'payments',
        prefix: 'py',
        load: () => import('./payments/index.tsx'),
      },
      {
        path: 'customers',
        title: 'Customers',
        icon: 'customers',
        prefix: 'cus',
        load: () => import('./customers/index.tsx'),
      },
      { path: 'subscriptions', title: 'Subscriptions', icon: 'subscriptions', prefix: 'sub' },
      { path: 'invoices', title: 'Invoices', icon: 'invoices', prefix: 'in' },
      { path: 'prices', title: 'Prices', icon: 'prices', prefix: 'price' },
      { path: 'coupons', title: 'Coupons', icon: 'coupons', prefix: 'coupon' },
      { path: 'refunds', title: 'Refunds', icon: 'refunds', prefix: 're' },
      { path: 'disputes', title: 'Disputes', icon: 'disputes', prefix: 'dp' },
      { path: 'balance', title: 'Balance', icon: 'balance', prefix: 'txn' },
    ],
  },
  {
    title: 'Developers',
    pages: [
      { path: 'api-keys', title: 'API keys', icon: 'keys', prefix: 'key' },
      { path: 'webhooks', title: 'Webhooks', icon: 'webhooks', prefix: 'we' },
      { path: 'inbox', title: 'Inbox', icon: 'inbox' },
      { path: 'events', title: 'Events', icon: 'events', prefix: 'evt' },
      { path: 'request-log', title: 'Request log', icon: 'log', prefix: 'req' },
      { path: 'test-clocks', title: 'Test clocks', icon: 'clocks', prefix: 'clock' },
      { path: 'test-cards', title: 'Test cards', icon: 'cards' },
    ],
  },
  {
    title: 'Settings',
    pages: [
      {
        path: 'settings/account',
        title: 'Account',
        icon: 'settings',
        load: () => import('./settings_account/index.tsx'),
      },
      { path: 'settings/people', title: 'People', icon: 'customers' },
      {
        path: 'settings/processors',
        title: 'Processors',
        icon: 'webhooks',
        prefix: 'pa',
        load: () => import('./settings_processors/index.tsx'),
      },
      {
        path: 'settings/routing',
        title: 'Routing',
        icon: 'subscriptions',
        load: () => import('./settings_routing/index.tsx'),
      },
      { path: 'settings/profile', title: 'My profile', icon: 'customers' },
      { path: 'settings/audit-log', title: 'Audit log', icon: 'log' },
    ],
  },
];

export const pages: readonly PageEntry[] = groups.flatMap((group) => group.pages);

/** Where the dashboard begins: the first page that is built. */
export const firstPage = pages.find(({ load }) => load !== undefined)!;

/** The address of an object's page; undefined where there is none yet. */
export function pathOfId(id: string): string | undefined {
  const [, prefix] = /^([a-z]+)_[0-9A-Za-z]+$/.exec(id) ?? [];
  const page = pages.find((one) => one.prefix === prefix && one.load !== undefined);
  return prefix === undefined || page === undefined ? undefined : `/${page.path}/${id}`;
}
