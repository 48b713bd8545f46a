import { moneyText } from '../../../base/currency.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { timelineKinds, timelineOf } from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { type PaymentLink, paymentLinkEvents } from '../payment_link_state/payment_link.ts';
import { countedSales } from '../payment_link_state/places.ts';
import { beginSession } from './begin.ts';
import { linkCalls } from './link_calls.ts';
import { linkOperations, paymentLinkDescriptor } from './operations.ts';
import { linkPage } from './page.ts';
import { PaymentLinkOutput } from './schema.ts';
import { forgottenPlaces } from './sweep.ts';

export const paymentLinks = resource({
  name: 'payment_links',
  about: 'Addresses that sell the same thing to anybody, without a line of code.',
  place: { group: 'Payments', position: 14 },
  scopes: ['payment_links'],
  events: eventsOf(paymentLinkEvents, PaymentLinkOutput),
  operations: [...linkOperations, beginSession],
  pages: (services, declared) => [linkPage({ ...services, calls: linkCalls(services, declared) })],
  loops: (services) => [forgottenPlaces(services)],
  derived: [countedSales],
  extensions: [
    expandables.with(expandable(paymentLinkDescriptor)),
    timelineKinds.with(timelineOf(paymentLinkDescriptor)),
    searchables.with(searchable(paymentLinkDescriptor, described, { foundBy: 'words' })),
  ],
});

function described(link: PaymentLink) {
  const { amount, currency, description, active } = link;
  const product = link.line_items?.flatMap(({ name }) => name ?? []).join(' ');
  const title = description ?? link.line_items?.[0]?.name ?? 'Payment link';
  const price = amount === null ? [] : [moneyText({ amount, currency: currency! })];
  const subtitle = [active ? 'active' : 'inactive', ...price].join(' · ');
  return { summary: () => ({ title, subtitle }), texts: textsOf({ description, product }) };
}
