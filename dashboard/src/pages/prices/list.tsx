import type { Price } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { Status } from '../../kit/status.tsx';
import { perPeriod } from '../../nouns/price_words.ts';
import { createPrice } from './create.tsx';

/** A price that sells nothing new is archived. */
export function PriceStatus({ price: { active } }: { price: Price }) {
  return <Status status={active ? 'active' : 'archived'} />;
}

export const Page = listPage<Price>({
  name: 'prices',
  title: 'Prices',
  icon: 'prices',
  columns: [
    {
      id: 'product',
      title: 'Product',
      isText: true,
      cell: ({ id, product_name }) => <RowLink id={id}>{product_name}</RowLink>,
    },
    {
      id: 'amount',
      title: 'Price',
      isText: true,
      isBelow: true,
      cell: ({ unit_amount, currency, recurring }) => perPeriod(unit_amount, currency, recurring),
    },
    { id: 'active', title: 'Status', cell: (price) => <PriceStatus price={price} /> },
    idColumn,
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [
    wordsFilter('price'),
    {
      kind: 'choice',
      name: 'active',
      title: 'Status',
      choices: ['true', 'false'],
      words: { true: 'Active', false: 'Archived' },
    },
    createdFilter,
  ],
  load: (api, params, options) => api.prices.list(params, options),
  csv: { operation: 'prices.list', read: (api, params) => api.prices.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'prices',
      here: 'A price sets what something costs, once or per period. Create one with the button above.',
      event: 'price.created',
      path: '/v1/prices',
      parameters: { product_name: 'Gold', unit_amount: 1500, currency: 'eur', recurring: { interval: 'month' } },
    }),
  actions: <CreateButton title="Create price" calls="prices.create" dialog={createPrice} />,
});
