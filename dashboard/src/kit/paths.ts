/** The pages of objects, below /dashboard/: what the ids begin with, and the path of the page that shows them. */
export const objectPaths = {
  py: 'payments',
  cus: 'customers',
  sub: 'subscriptions',
  in: 'invoices',
  price: 'prices',
  coupon: 'coupons',
  pm: 'payment-methods',
  re: 'refunds',
  dp: 'disputes',
  plink: 'payment-links',
  cs: 'checkout-sessions',
  txn: 'balance',
  recon: 'reconciliations',
  key: 'api-keys',
  we: 'webhooks',
  ibx: 'inbox',
  evt: 'events',
  mail: 'mails',
  req: 'request-log',
  clock: 'test-clocks',
  usr: 'settings/people',
  pa: 'settings/processors',
} as const;

/** Objects without a page of their own: these paths redirect to the page of another object, which shows them. */
export const redirectPaths = {
  ii: 'invoice-items',
  set: 'setups',
  diff: 'reconciliation-differences',
} as const;

/** The address of an object's own page; undefined where there is none. */
export function pageOfId(id: string): string | undefined {
  return addressIn(objectPaths, id);
}

/** Where an id leads to: its own page, or the one that shows it. */
export function pathOfId(id: string): string | undefined {
  return addressIn({ ...objectPaths, ...redirectPaths }, id);
}

function addressIn(paths: Readonly<Record<string, string>>, id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Za-z]+$/.exec(id) ?? [];
  return Object.hasOwn(paths, prefix) ? `/${paths[prefix]}/${id}` : undefined;
}
