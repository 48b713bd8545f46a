import { insert, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Price } from './price.ts';

export const pricesTable: Table<Price> = table('prices', {
  int4: 'tenant version interval_count',
  text: 'id currency interval product_name external_id',
  int8: 'unit_amount',
  bool: 'active',
  json: 'metadata',
});

export const addPrice = (price: Price): Write => insert(pricesTable, price);
