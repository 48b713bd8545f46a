import type { Refund } from '@tollgate/node';
import { amountColumn, createdColumn, idColumn, statusColumn } from '../kit/columns.tsx';
import { IdLink } from '../kit/id_link.tsx';
import type { Column } from '../kit/list_table.tsx';
import { wordsOf } from '../kit/status.tsx';

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
  { id: 'payment', title: 'Payment', isWideOnly: true, cell: ({ payment }) => <IdLink id={payment} /> },
  idColumn,
  createdColumn,
];
