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
  {
    id: 'payment',
    title: 'Payment',
    isText: true,
    isBelow: true,
    cell: ({ payment, expanded }) => <PaymentName id={payment} payment={expanded?.payment} />,
  },
  { id: 'reason', title: 'Reason', room: 11, isWideOnly: true, cell: ({ reason }) => reason && wordsOf(reason) },
  {
    id: 'failure',
    title: 'Why it failed',
    room: 10,
    isWideOnly: true,
    cell: ({ failure_reason }) => failure_reason && wordsOf(failure_reason),
  },
  idColumn,
  createdColumn,
];
