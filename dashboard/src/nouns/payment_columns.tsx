import type { Payment } from '@tollgate/node';
import { amountColumn, createdColumn, idColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/list_table.tsx';
import { formatMoney } from '../kit/money.ts';
import { Status, wordsOf } from '../kit/status.tsx';
import { CustomerName, Named } from './names.tsx';
import style from './payment_columns.module.css';
import { methodWords } from './payment_method_words.ts';

export const paymentColumns: readonly Column<Payment>[] = [
  amountColumn,
  { id: 'status', title: 'Status', room: 9, cell: (payment) => <PaymentStatus payment={payment} /> },
  { id: 'card', title: 'Payment method', room: 11, isWideOnly: true, cell: cardOf },
  { id: 'customer', title: 'Customer', isText: true, isBelow: true, cell: (payment) => <Payer payment={payment} /> },
  {
    id: 'description',
    title: 'Description',
    isText: true,
    isWideOnly: true,
    cell: (payment) => <Purpose payment={payment} />,
  },
  idColumn,
  { id: 'refunded', title: 'Refunded', isHidden: true, isWideOnly: true, cell: refunded },
  {
    id: 'failure',
    title: 'Failure',
    isText: true,
    isHidden: true,
    isWideOnly: true,
    cell: ({ failure_message }) => failure_message,
  },
  {
    id: 'decline_code',
    title: 'Decline code',
    isHidden: true,
    isWideOnly: true,
    cell: (payment) => declineCode(payment) && <code>{declineCode(payment)}</code>,
  },
  {
    id: 'processor',
    title: 'Processor',
    isHidden: true,
    isWideOnly: true,
    cell: ({ processor }) => processor?.connector,
  },
  createdColumn,
];

/** Who paid, where it is known. */
export function Payer({ payment: { customer, expanded } }: { payment: Payment }) {
  return customer === undefined ? null : <CustomerName id={customer} customer={expanded?.customer} />;
}

export function cardOf({ expanded }: Payment): string | undefined {
  return expanded?.payment_method && methodWords(expanded.payment_method);
}

/** What it is for: its description, or else the number of its invoice. */
export function Purpose({ payment: { description, invoice, expanded } }: { payment: Payment }) {
  if (description !== undefined)
    return (
      <span title={description} dir="auto">
        {description}
      </span>
    );
  const number = expanded?.invoice?.number;
  return invoice === undefined || number === undefined ? null : <Named id={invoice} name={number} />;
}

function refunded({ amount_refunded = 0, currency }: Payment) {
  return amount_refunded > 0 && formatMoney(amount_refunded, currency);
}

/** The most exact reason that there is. */
export function declineCode({ failure_decline_code, failure_code }: Payment): string | undefined {
  return failure_decline_code ?? failure_code;
}

/** With the reason, if it failed and the table has room for it. */
export function PaymentStatus({ payment }: { payment: Payment }) {
  const code = declineCode(payment);
  return (
    <>
      <Status {...shownStatus(payment)} />
      {code !== undefined && (
        <span className={style.reason} title={payment.failure_message}>
          {' '}
          {wordsOf(code)}
        </span>
      )}
    </>
  );
}

/** Money that went back, or may, is worth knowing at a glance. */
export function shownStatus(payment: Pick<Payment, 'status' | 'amount_refunded' | 'amount_received' | 'dispute'>) {
  const { status, amount_refunded = 0, amount_received, dispute } = payment;
  if (status === 'succeeded' && dispute !== undefined && amount_refunded < amount_received)
    return { status: 'disputed', tone: 'quiet' as const };
  if (status !== 'succeeded' || amount_refunded === 0) return { status };
  return { status: amount_refunded < amount_received ? 'partly_refunded' : 'refunded', tone: 'quiet' as const };
}
