import { resource } from '../resource.ts';
import { priceOperations } from './operations.ts';
import { priceEvents } from './price.ts';

export const prices = resource({
  name: 'prices',
  scopes: ['prices'],
  events: priceEvents,
  operations: priceOperations,
});
