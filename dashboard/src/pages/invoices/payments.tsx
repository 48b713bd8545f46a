import type { Invoice } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { paymentColumns } from '../payments/list.tsx';

const lookedThrough = 100;

/** The payments that were made for an invoice: those among the newest of its customer, and the latest one. */
export function PaymentsOf({ invoice: { id, customer, payment, attempt_count } }: { invoice: Invoice }) {
  const reading = useRead(
    ['invoices', id, 'payments', payment, attempt_count],
    async (api, options) => {
      const { data } = await api.payments.list({ customer, limit: lookedThrough }, options);
      const made = data.filter(({ invoice }) => invoice === id);
      if (payment === undefined || made.some((one) => one.id === payment)) return { data: made };
      return { data: [await api.payments.retrieve(payment, options), ...made] };
    },
    { isEnabled: attempt_count > 0 },
  );
  if (attempt_count === 0) return null;
  return (
    <RelatedList
      title="Payments"
      reading={reading}
      columns={paymentColumns.filter(({ id: column }) => !['customer', 'description'].includes(column))}
      empty={{ icon: 'payments', title: 'No payments', text: 'There was nothing to charge.' }}
    />
  );
}
