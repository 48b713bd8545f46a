import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Page, Payment } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import style from '../../kit/list_page.module.css';
import { Created } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { useRowOpening } from '../../kit/row_opening.ts';
import { cardOf, Payer, PaymentStatus, Purpose } from '../../nouns/payment_columns.tsx';
import { listPayments } from '../../nouns/payment_list.ts';
import home from './home.module.css';

const newest = 8;

export function useRecent() {
  return useRead<Page<Payment>>(['payments', 'list', { limit: newest }], (api, options) =>
    listPayments(api, { limit: newest }, options),
  );
}

/** A table as lists have it, without what loads with a list: this is the first page that somebody opens. */
export function RecentPayments({ reading: { data, error, refetch } }: { reading: ReturnType<typeof useRecent> }) {
  return (
    <Section title="Recent payments" isFlush aside={<Link to={'/payments' as string}>All payments</Link>}>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && <p className={home.nothing}>No payments yet.</p>}
      {(error === null || data !== undefined) && data?.data.length !== 0 && (
        <div className={style.box}>
          <table className={`${style.table} ${home.recent}`} aria-busy={data === undefined}>
            <thead>
              <Row
                amount="Amount"
                status="Status"
                customer="Customer"
                card="Payment method"
                description="Description"
                created="Created"
                as="th"
              />
            </thead>
            <tbody>{data === undefined ? waiting : data.data.map(rowOf)}</tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function rowOf(payment: Payment) {
  const { id, amount, currency } = payment;
  const amountLink = <RowLink id={id}>{formatMoney(amount, currency)}</RowLink>;
  return (
    <Row
      key={id}
      id={id}
      amount={amountLink}
      status={<PaymentStatus payment={payment} />}
      customer={<Payer payment={payment} />}
      card={cardOf(payment)}
      description={<Purpose payment={payment} />}
      created={<Created of={payment} />}
    />
  );
}

type Cells = Record<'amount' | 'status' | 'customer' | 'card' | 'description' | 'created', ReactNode>;
type RowProps = Cells & { id?: string; as?: 'th' | 'td' };

function Row({ id, amount, status, customer, card, description, created, as: Cell = 'td' }: RowProps) {
  const opening = useRowOpening();
  const scope = Cell === 'th' ? 'col' : undefined;
  return (
    <tr {...opening(id && `/payments/${id}`)}>
      <Cell scope={scope}>{amount}</Cell>
      <Cell scope={scope}>{status}</Cell>
      <Cell scope={scope} className={`${style.wideOnly} ${home.who}`}>
        {customer}
      </Cell>
      <Cell scope={scope} className={`${style.wideOnly} ${home.second}`}>
        {card}
      </Cell>
      <Cell scope={scope} className={`${style.wideOnly} ${home.third}`}>
        {description}
      </Cell>
      <Cell scope={scope} className={style.right}>
        {created}
      </Cell>
    </tr>
  );
}

const stand = <Skeleton height={12} width="70%" />;
const waiting = Array.from({ length: newest }, (_, row) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: rows that stand in for others
  <Row key={row} amount={stand} status={stand} customer={stand} card={stand} description={stand} created={stand} />
));
