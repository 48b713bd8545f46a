import { Link } from '@tanstack/react-router';
import type { Page, Payment } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { ListTable } from '../../kit/list_table.tsx';
import { useRead } from '../../kit/read.ts';
import { paymentColumns } from '../../nouns/payment_columns.tsx';
import { listPayments } from '../../nouns/payment_list.ts';
import home from './home.module.css';

const newest = 8;
const columns = paymentColumns.filter(({ isHidden }) => !isHidden);

export function useRecent() {
  return useRead<Page<Payment>>(['payments', 'list', { limit: newest }], (api, options) =>
    listPayments(api, { limit: newest }, options),
  );
}

export function RecentPayments({ reading: { data, error, refetch } }: { reading: ReturnType<typeof useRecent> }) {
  return (
    <Section title="Recent payments" isFlush aside={<Link to={'/payments' as string}>All payments</Link>}>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && <p className={home.nothing}>No payments yet.</p>}
      {(error === null || data !== undefined) && data?.data.length !== 0 && (
        <ListTable columns={columns} items={data?.data} />
      )}
    </Section>
  );
}
