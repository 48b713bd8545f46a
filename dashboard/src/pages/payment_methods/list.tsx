import type { PaymentMethod } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { CustomerName } from '../../nouns/names.tsx';
import { customerFilter } from '../../nouns/object_filters.tsx';
import { methodColumns } from '../../nouns/payment_method_columns.tsx';

export const Page = listPage<PaymentMethod>({
  name: 'payment_methods',
  title: 'Payment methods',
  icon: 'cards',
  columns: [
    ...methodColumns,
    {
      id: 'customer',
      title: 'Customer',
      isText: true,
      isBelow: true,
      cell: ({ customer, expanded }) => customer && <CustomerName id={customer} customer={expanded?.customer} />,
    },
    idColumn,
    createdColumn,
  ],
  filters: [wordsFilter('payment_method'), customerFilter(), createdFilter],
  load: (api, params, options) => api.paymentMethods.list({ ...params, expand: ['customer'] }, options),
  csv: { operation: 'payment_methods.list', read: (api, params) => api.paymentMethods.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'payment methods',
      here:
        mode === 'test' ? 'Open a customer and add a test card.' : 'The dashboard does not accept real card numbers.',
      event: 'payment_method.attached',
      path: '/v1/payment_methods',
      parameters: { type: 'card', card: { number: '…', exp_month: 12, exp_year: 2034 } },
    }),
});
