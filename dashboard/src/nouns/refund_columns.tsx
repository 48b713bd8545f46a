import type { Refund, Tollgate } from '@tollgate/node';
import { amountColumn, createdColumn, idColumn, statusColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/list_table.tsx';
import { wordsOf } from '../kit/status.tsx';
import { PaymentName } from './names.tsx';

/** With the payment of each. */
export function listRefunds(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }) {
  return api.refunds.list({ ...params, expand: ['payment'] }, options);
}

export const refundColumns: readonly Column<Refund>[] = [
  amountColumn,
  statusColumn,
  { id: 'reason', title: 'Reason', isWideOnly: true, cell: ({ reason }) => reason && wordsOf(reason) },
  {
    id: 'failure',
    title: 'Why it failed',
    isWideOnly: true,
    cell: ({ failure_reason }) => failure_reason && wordsOf(failure_reason),
  },
  {
    id: 'payment',
    title: 'Payment',
    isWideOnly: true,
    cell: ({ payment, expanded }) => <PaymentName id={payment} payment={expanded?.payment} />,
  },
  idColumn,
  createdColumn,
];
