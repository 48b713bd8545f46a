import type { Invoice } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { paymentColumns } from '../payments/list.tsx';

const newest = 10;

/** The payments that were made for an invoice. */
export function PaymentsOf({ invoice: { id, payment, attempt_count } }: { invoice: Invoice }) {
  const reading = useRead(
    ['invoices', id, 'payments', payment, attempt_count],
    (api, options) => api.payments.list({ invoice: id, limit: newest }, options),
    { isEnabled: attempt_count > 0 },
  );
  if (attempt_count === 0) return null;
  return (
    <RelatedList
      title="Payments"
      reading={reading}
      columns={paymentColumns.filter(({ id: column }) => !['customer', 'description'].includes(column))}
      all={{ path: '/payments', search: { invoice: id } }}
      empty={{ icon: 'payments', title: 'No payments', text: 'There was nothing to charge.' }}
    />
  );
}
