import type { PaymentMethod } from '@tollgate/node';
import type { Column } from '../kit/list_table.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { expiryOf, methodWords } from './payment_method_words.ts';

export const methodColumns: readonly Column<PaymentMethod>[] = [
  {
    id: 'payment_method',
    title: 'Payment method',
    room: 11.5,
    cell: (method) => <RowLink id={method.id}>{methodWords(method)}</RowLink>,
  },
  { id: 'expires', title: 'Expires', cell: expiryOf },
  {
    id: 'holder',
    title: 'Holder',
    isText: true,
    isWideOnly: true,
    cell: ({ billing_details: { name } }) => name !== undefined && <span dir="auto">{name}</span>,
  },
];
