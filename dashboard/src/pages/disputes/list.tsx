import type { Dispute } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { amountColumn, createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { amountFilter, createdFilter, currencyFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { PaymentName } from '../../nouns/names.tsx';
import { paymentFilter } from '../../nouns/object_filters.tsx';
import { Due } from './due.tsx';

export const Page = listPage<Dispute>({
  name: 'disputes',
  title: 'Disputes',
  icon: 'disputes',
  columns: [
    amountColumn,
    statusColumn,
    {
      id: 'due',
      title: 'Evidence due',
      room: 13,
      isBelow: 'titled',
      cell: (dispute) => <Due dispute={dispute} />,
    },
    { id: 'reason', title: 'Reason', room: 10, isWideOnly: true, isBelow: true, cell: ({ reason }) => wordsOf(reason) },
    {
      id: 'payment',
      title: 'Payment',
      isText: true,
      isWideOnly: true,
      cell: ({ payment, expanded }) => <PaymentName id={payment} payment={expanded?.payment} />,
    },
    idColumn,
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [
    wordsFilter('dispute'),
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['disputes.list'].status },
    paymentFilter,
    amountFilter,
    currencyFilter,
    createdFilter,
  ],
  load: (api, params, options) => api.disputes.list({ ...params, expand: ['payment'] }, options),
  csv: { operation: 'disputes.list', read: (api, params) => api.disputes.listCsv(params) },
  empty: (mode) => ({
    title: `No ${mode} disputes`,
    text:
      mode === 'test'
        ? 'A payment with the test card 4000 0000 0000 0259 is disputed immediately. Run this in the folder where you started the gateway:'
        : 'When a customer disputes a payment with the bank, it appears here.',
    command: mode === 'test' ? tollgateCommand('trigger dispute.created') : undefined,
  }),
});
