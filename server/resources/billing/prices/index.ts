import { moneyText } from '../../../base/currency.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { findByExternalId } from '../../../operations/external_id.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { priceDescriptor, priceOperations } from './operations.ts';
import { priceEvents } from './price.ts';
import { PriceOutput } from './schema.ts';

export const prices = resource({
  name: 'prices',
  about: 'What one of something costs, in which currency, and how often or once.',
  place: { group: 'Billing', position: 20 },
  scopes: ['prices'],
  events: eventsOf(priceEvents, PriceOutput),
  operations: priceOperations,
  extensions: [
    searchables.with(
      searchable(
        priceDescriptor,
        ({ product_name, unit_amount: amount, currency, interval, external_id }) => ({
          summary: () => ({
            title: product_name,
            subtitle: [moneyText({ amount, currency }), interval && `a ${interval}`].filter(Boolean).join(' '),
          }),
          texts: [{ field: 'amount', money: { amount, currency } }, ...textsOf({ product: product_name, external_id })],
        }),
        { foundBy: 'words', columns: { amount: 'unit_amount' }, exact: findByExternalId(priceDescriptor) },
      ),
    ),
  ],
});
