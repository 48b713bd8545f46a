import type { BalanceTransaction } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { amountColumn, createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { wordsOf } from '../../kit/status.tsx';
import { PaymentName } from '../../nouns/names.tsx';
import { paymentFilter } from '../../nouns/object_filters.tsx';
import { Amounts, OfTheOperator } from './summary.tsx';

const transactions: ListDescriptor<BalanceTransaction> = {
  name: 'balance_transactions',
  title: 'Balance',
  icon: 'balance',
  summary: <Amounts />,
  columns: [
    amountColumn,
    { ...statusColumn, isWideOnly: true },
    { id: 'type', title: 'Type', cell: ({ type }) => wordsOf(type) },
    {
      id: 'payment',
      title: 'Payment',
      isText: true,
      isWideOnly: true,
      cell: ({ payment, expanded }) => <PaymentName id={payment} payment={expanded?.payment} />,
    },
    { id: 'source', title: 'Source', isWideOnly: true, isHidden: true, cell: ({ source }) => <IdLink id={source} /> },
    {
      id: 'available_on',
      title: 'Available on',
      room: 9,
      isWideOnly: true,
      cell: ({ available_on }) => <Moment seconds={available_on} />,
    },
    idColumn,
    createdColumn,
  ],
  filters: [
    { kind: 'choice', name: 'type', title: 'Type', choices: filterChoices['balance.list_transactions'].type },
    paymentFilter,
    { kind: 'text', name: 'source', title: 'Source', placeholder: 'py_…, re_… or dp_…' },
    createdFilter,
  ],
  load: (api, params, options) => api.balance.listTransactions({ ...params, expand: ['payment'] }, options),
  csv: { operation: 'balance.list_transactions', read: (api, params) => api.balance.listTransactionsCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'balance transactions',
      here: 'Payments, fees, refunds and disputes appear here. Create a payment.',
      event: 'payment.succeeded',
      path: '/v1/payments',
      parameters: { amount: 2000, currency: 'eur', payment_method: 'pm_…' },
    }),
};

export function Page() {
  return (
    <>
      <ListPage list={transactions} />
      <OfTheOperator />
    </>
  );
}
