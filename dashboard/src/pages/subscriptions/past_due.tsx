import { Link } from '@tanstack/react-router';
import type { Subscription } from '@tollgate/node';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { useWorkspace } from '../../session/workspace.tsx';

/** Of a subscription whose charge has failed: why, when it is tried again, and what helps. */
export function PastDue({ subscription: { status, latest_invoice } }: { subscription: Subscription }) {
  const isLate = status === 'past_due' || status === 'unpaid';
  const { may, whoMay } = useWorkspace();
  const { data: invoice } = useRead(
    ['invoices', latest_invoice],
    (api, options) => api.invoices.retrieve(latest_invoice!, options),
    { isEnabled: isLate && latest_invoice !== undefined },
  );
  if (!isLate || invoice === undefined || invoice.status === 'paid') return null;
  const { id, number, last_failure, next_payment_attempt } = invoice;
  return (
    <Notice tone="bad" title={status === 'unpaid' ? 'Unpaid' : 'Past due'}>
      The charge for <Link to={`/invoices/${id}` as string}>{number ?? id}</Link> failed
      {last_failure ? `: ${last_failure.message}` : '.'}{' '}
      {next_payment_attempt === undefined ? (
        'It is not tried again automatically.'
      ) : (
        <>
          The next try is on <Moment seconds={next_payment_attempt} />.
        </>
      )}{' '}
      {may('invoices.pay')
        ? 'Ask the customer for another payment method, and pay the invoice with it.'
        : `Ask the customer for another payment method. ${whoMay('invoices.pay')} can charge it.`}
    </Notice>
  );
}
