import type { PaymentMethod } from '@tollgate/node';
import type { Column } from '../kit/list_table.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { expiryOf, methodWords } from './names.tsx';

export const methodColumns: readonly Column<PaymentMethod>[] = [
  { id: 'card', title: 'Card', cell: (method) => <RowLink id={method.id}>{methodWords(method)}</RowLink> },
  { id: 'expires', title: 'Expires', cell: expiryOf },
  { id: 'holder', title: 'Cardholder', isWideOnly: true, cell: ({ billing_details }) => billing_details.name },
];
