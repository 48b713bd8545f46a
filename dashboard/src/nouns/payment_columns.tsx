import type { Payment } from '@tollgate/node';
import { amountColumn, createdColumn, idColumn } from '../kit/columns.tsx';
import { IdLink } from '../kit/id_link.tsx';
import type { Column } from '../kit/list_table.tsx';
import { formatMoney } from '../kit/money.ts';
import { Status } from '../kit/status.tsx';

export const paymentColumns: readonly Column<Payment>[] = [
  amountColumn,
  { id: 'status', title: 'Status', cell: (payment) => <Status {...shownStatus(payment)} /> },
  { id: 'description', title: 'Description', isWideOnly: true, cell: ({ description }) => description },
  { id: 'customer', title: 'Customer', isWideOnly: true, cell: ({ customer }) => customer && <IdLink id={customer} /> },
  idColumn,
  { id: 'refunded', title: 'Refunded', align: 'right', isHidden: true, isWideOnly: true, cell: refunded },
  { id: 'failure', title: 'Failure', isHidden: true, isWideOnly: true, cell: ({ failure_message }) => failure_message },
  createdColumn,
];

function refunded({ amount_refunded = 0, currency }: Payment) {
  return amount_refunded > 0 && formatMoney(amount_refunded, currency);
}

/** Money that went back is worth knowing at a glance. */
export function shownStatus({ status, amount_refunded = 0, amount_received }: Payment) {
  if (status !== 'succeeded' || amount_refunded === 0) return { status };
  return { status: amount_refunded < amount_received ? 'partly_refunded' : 'refunded', tone: 'quiet' as const };
}
