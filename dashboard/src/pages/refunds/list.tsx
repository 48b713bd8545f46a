import type { Refund } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { createdFilter, currencyFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { refundColumns } from '../../nouns/refund_columns.tsx';

export const Page = listPage<Refund>({
  name: 'refunds',
  title: 'Refunds',
  icon: 'refunds',
  columns: refundColumns,
  filters: [
    { kind: 'choice', name: 'status', title: 'Status', choices: filterChoices['refunds.list'].status },
    { kind: 'text', name: 'payment', title: 'Payment', placeholder: 'py_…' },
    currencyFilter,
    createdFilter,
  ],
  load: (api, params, options) => api.refunds.list(params, options),
  csv: (api, params) => api.refunds.listCsv(params),
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'refunds',
      here: 'Open a succeeded payment and refund it.',
      event: 'refund.created',
      path: '/v1/refunds',
      parameters: { payment: 'py_…' },
    }),
});
