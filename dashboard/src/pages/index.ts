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
  load: () => Promise<PageModule>;
};

export type Detour = { path: string; prefix: string; load: () => Promise<Pick<PageModule, 'Detail'>> };

export type PageGroup = { title: string | undefined; pages: readonly PageEntry[] };

/** Every page, in the order of the navigation. A new page is a folder beside this file and one line here. */
export const groups: readonly PageGroup[] = [
  {
    title: undefined,
    pages: [
      { path: '', title: 'Home', icon: 'home', load: () => import('./home/index.tsx') },
      {
        path: 'needs-attention',
        title: 'Needs a person',
        icon: 'attention',
        load: () => import('./needs_attention/index.tsx'),
      },
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
      {
        path: 'subscriptions',
        title: 'Subscriptions',
        icon: 'subscriptions',
        prefix: 'sub',
        load: () => import('./subscriptions/index.tsx'),
      },
      {
        path: 'invoices',
        title: 'Invoices',
        icon: 'invoices',
        prefix: 'in',
        load: () => import('./invoices/index.tsx'),
      },
      {
        path: 'prices',
        title: 'Prices',
        icon: 'prices',
        prefix: 'price',
        load: () => import('./prices/index.tsx'),
      },
      {
        path: 'coupons',
        title: 'Coupons',
        icon: 'coupons',
        prefix: 'coupon',
        load: () => import('./coupons/index.tsx'),
      },
      {
        path: 'payment-methods',
        title: 'Payment methods',
        icon: 'cards',
        prefix: 'pm',
        load: () => import('./payment_methods/index.tsx'),
      },
      { path: 'refunds', title: 'Refunds', icon: 'refunds', prefix: 're', load: () => import('./refunds/index.tsx') },
      {
        path: 'disputes',
        title: 'Disputes',
        icon: 'disputes',
        prefix: 'dp',
        load: () => import('./disputes/index.tsx'),
      },
      { path: 'balance', title: 'Balance', icon: 'balance', prefix: 'txn', load: () => import('./balance/index.tsx') },
    ],
  },
  {
    title: 'Developers',
    pages: [
      { path: 'api-keys', title: 'API keys', icon: 'keys', prefix: 'key', load: () => import('./api_keys/index.tsx') },
      {
        path: 'webhooks',
        title: 'Webhooks',
        icon: 'webhooks',
        prefix: 'we',
        load: () => import('./webhooks/index.tsx'),
      },
      { path: 'inbox', title: 'Inbox', icon: 'inbox', prefix: 'ibx', load: () => import('./inbox/index.tsx') },
      { path: 'events', title: 'Events', icon: 'events', prefix: 'evt', load: () => import('./events/index.tsx') },
      {
        path: 'request-log',
        title: 'Request log',
        icon: 'log',
        prefix: 'req',
        load: () => import('./request_log/index.tsx'),
      },
      {
        path: 'test-clocks',
        title: 'Test clocks',
        icon: 'clocks',
        prefix: 'clock',
        load: () => import('./test_clocks/index.tsx'),
      },
      { path: 'test-cards', title: 'Test cards', icon: 'cards', load: () => import('./test_cards/index.tsx') },
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
      {
        path: 'settings/people',
        title: 'People',
        icon: 'people',
        prefix: 'usr',
        load: () => import('./people/index.tsx'),
      },
      {
        path: 'settings/processors',
        title: 'Processors',
        icon: 'processors',
        prefix: 'pa',
        load: () => import('./settings_processors/index.tsx'),
      },
      {
        path: 'settings/routing',
        title: 'Routing',
        icon: 'routing',
        load: () => import('./settings_routing/index.tsx'),
      },
      {
        path: 'settings/profile',
        title: 'My profile',
        icon: 'profile',
        load: () => import('./profile/index.tsx'),
      },
      { path: 'settings/audit-log', title: 'Audit log', icon: 'audit', load: () => import('./audit_log/index.tsx') },
    ],
  },
];

export const pages: readonly PageEntry[] = groups.flatMap((group) => group.pages);

/** Objects without a page of their own. Their `Detail` leads to the page that shows them; the navigation has none. */
export const detours: readonly Detour[] = [
  { path: 'invoice-items', prefix: 'ii', load: () => import('./invoice_items/index.tsx') },
];

/** The address of an object's own page; undefined where there is none. */
export function pageOfId(id: string): string | undefined {
  return addressIn(pages, id);
}

/** Where an id leads to: its own page, or the one that shows it. */
export function pathOfId(id: string): string | undefined {
  return addressIn([...pages, ...detours], id);
}

function addressIn(known: readonly { path: string; prefix?: string }[], id: string): string | undefined {
  const [, prefix] = /^([a-z]+)_[0-9A-Za-z]+$/.exec(id) ?? [];
  const page = known.find((one) => one.prefix === prefix);
  return prefix === undefined || page === undefined ? undefined : `/${page.path}/${id}`;
}
