import type { CheckoutSession } from '@tollgate/node';
import { createdColumn, idColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/list_table.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { Status, type Tone } from '../kit/status.tsx';
import { CustomerName } from './names.tsx';
import { sessionAmount, sessionName } from './sold_words.ts';

export const sessionColumns: readonly Column<CheckoutSession>[] = [
  {
    id: 'amount',
    title: 'Amount',
    cell: (session) => <RowLink id={session.id}>{sessionAmount(session)}</RowLink>,
  },
  { id: 'status', title: 'Status', room: 8, cell: (session) => <SessionStatus session={session} /> },
  {
    id: 'sold',
    title: 'What is sold',
    isText: true,
    isBelow: true,
    cell: (session) => sessionName(session) && <span dir="auto">{sessionName(session)}</span>,
  },
  { id: 'customer', title: 'Customer', isText: true, isWideOnly: true, cell: (session) => <Buyer session={session} /> },
  { id: 'reference', title: 'Reference', isWideOnly: true, room: 9, cell: ({ reference }) => reference },
  idColumn,
  createdColumn,
];

/** Open is no trouble, and an expired one is nothing that went wrong. */
const tones: Readonly<Record<string, Tone>> = { paid: 'good', authorized: 'waiting', expired: 'quiet', open: 'quiet' };

/** Of one that is complete: whether it is paid, which is what people look for. */
export function SessionStatus({ session: { status, payment_status } }: { session: CheckoutSession }) {
  const shown = status === 'complete' ? payment_status : status;
  const tone = tones[shown];
  return <Status status={shown} {...(tone !== undefined && { tone })} />;
}

function Buyer({ session: { customer, customer_details, expanded } }: { session: CheckoutSession }) {
  if (customer !== undefined) return <CustomerName id={customer} customer={expanded?.customer} />;
  return <span dir="auto">{customer_details?.name ?? customer_details?.email}</span>;
}
