import type { Rendered } from '../../../base/page.ts';
import { renderCheckout } from './render.ts';
import type { PageView } from './view.ts';

/** In place of a token: no token looks like this. */
export const sampleToken = 'sample';

const view: PageView = {
  merchant: { name: 'Sample' },
  isTest: true,
  mode: 'payment',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'eur',
  total: 2000,
  lines: [
    { name: 'Sample', quantity: 1, amount: 1500 },
    { name: 'Sample', quantity: 1, amount: 500 },
  ],
  locale: 'en',
  collects: { email: true },
  allowsCoupons: false,
  save: 'none',
  expiresAt: Date.UTC(9999, 0),
  ways: [{ kind: 'own' }],
  saved: [],
  lastTry: { state: 'none' },
};

/**
 * The page of no session, which cannot be paid: the same for everybody and at every moment, so that `tollgate doctor --for checkout` can
 * compare what arrives at a browser with what this version sends.
 */
export function samplePage(): Rendered {
  return renderCheckout(view, { acceptLanguage: 'en', address: sampleToken, formToken: '', now: 0 });
}
