import { changeView } from './change.ts';
import { detailsSection, detailsView } from './details.ts';
import { methodsSection, methodsView, removeMethodView } from './methods.ts';
import { recordsSection, recordsView } from './records.ts';
import { cancelView, subscriptionsSection, subscriptionView, verbView } from './subscriptions.ts';
import type { View } from './visit.ts';

const home: View = {
  async show(visit) {
    const [subscriptions, methods, invoices, payments] = await Promise.all([
      subscriptionsSection(visit),
      methodsSection(visit),
      recordsSection(visit, 'invoices'),
      recordsSection(visit, 'payments'),
    ]);
    const content = `${subscriptions}${methods}${invoices}${payments}${detailsSection(visit)}`;
    return { title: visit.words.title('account'), content };
  },
};

/** The pages of the portal, by what follows its address. `:id` is the id of an object. */
const views: Readonly<Record<string, View>> = {
  '': home,
  payment_methods: methodsView,
  'payment_methods/:id/remove': removeMethodView,
  'subscriptions/:id': subscriptionView,
  'subscriptions/:id/cancel': cancelView,
  'subscriptions/:id/pause': verbView('pause'),
  'subscriptions/:id/resume': verbView('resume'),
  'subscriptions/:id/change': changeView,
  invoices: recordsView('invoices'),
  payments: recordsView('payments'),
  details: detailsView,
};

/** The documents, by what follows the address of the portal. */
const documents: Readonly<Record<string, string>> = {
  'invoices/:id/invoice.pdf': 'invoices.pdf',
  'payments/:id/receipt.pdf': 'payments.receipt',
};

/** Each address of a page, for the test that walks through all. */
export const portalAddresses = [...Object.keys(views), ...Object.keys(documents)];

export function findView(rest: readonly string[]): { view?: View; document?: string; id: string } {
  const [first, id = '', ...more] = rest;
  const name = rest.length < 2 ? (first ?? '') : [first, ':id', ...more].join('/');
  const own = <Value>(from: Readonly<Record<string, Value>>) => (Object.hasOwn(from, name) ? from[name] : undefined);
  const [view, document] = [own(views), own(documents)];
  return { ...(view && { view }), ...(document && { document }), id };
}
