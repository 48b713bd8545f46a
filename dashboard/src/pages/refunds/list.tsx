import type { Refund } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { amountFilter, createdFilter, currencyFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { paymentFilter } from '../../nouns/object_filters.tsx';
import { listRefunds, refundColumns } from '../../nouns/refund_columns.tsx';

export const Page = listPage<Refund>({
  name: 'refunds',
  title: 'Refunds',
  icon: 'refunds',
  columns: refundColumns,
  filters: [
    wordsFilter('refund'),
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['refunds.list'].status },
    paymentFilter,
    amountFilter,
    currencyFilter,
    createdFilter,
  ],
  load: listRefunds,
  csv: { operation: 'refunds.list', read: (api, params) => api.refunds.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'refunds',
      here: 'Open a succeeded payment and refund it.',
      event: 'refund.created',
      path: '/v1/refunds',
      parameters: { payment: 'py_…' },
    }),
});
