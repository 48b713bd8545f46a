import { IdLink } from './id_link.tsx';
import type { Column } from './list_table.tsx';
import { Created } from './moment.tsx';
import { formatMoney } from './money.ts';
import { RowLink } from './row_link.tsx';
import { Status } from './status.tsx';

/** The columns that most lists have. */

export const idColumn: Column<{ id: string }> = {
  id: 'id',
  title: 'ID',
  room: 14,
  isWideOnly: true,
  isHidden: true,
  cell: ({ id }) => <IdLink id={id} canCopy />,
};

export const createdColumn: Column<{ id: string; created: number }> = {
  id: 'created',
  title: 'Created',
  align: 'right',
  room: 9,
  isLastBelow: true,
  cell: (item) => <Created of={item} />,
};

/** What the row is called by. Its status stands beside it. */
export const amountColumn: Column<{ id: string; amount: number; currency: string }> = {
  id: 'amount',
  title: 'Amount',
  cell: ({ id, amount, currency }) => <RowLink id={id}>{formatMoney(amount, currency)}</RowLink>,
};

export const statusColumn: Column<{ status: string }> = {
  id: 'status',
  title: 'Status',
  cell: ({ status }) => <Status status={status} />,
};
