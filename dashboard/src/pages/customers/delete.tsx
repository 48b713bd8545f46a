import type { Customer } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { customerName } from '../../nouns/names.tsx';

const shownMax = 100;

/** `3 payment methods are`, `1 invoice is`, `100 and more invoices are`. */
function counted(count: number, hasMore: boolean, noun: string): string {
  const isOne = count === 1 && !hasMore;
  return `${count}${hasMore ? ' and more' : ''} ${noun}${isOne ? ' is' : 's are'}`;
}

/** What belongs to the customer, in sentences. */
function useConsequences({ id, credit_balance = {} }: Customer): string[] {
  const { data } = useRead(['customers', id, 'consequences'], async (api, options) => {
    const wanted = { customer: id, limit: shownMax };
    const [methods, subscriptions, invoices] = await Promise.all([
      api.customers.listPaymentMethods(id, { limit: shownMax }, options),
      api.subscriptions.list(wanted, options),
      api.invoices.list({ ...wanted, status: 'open' }, options),
    ]);
    const running = subscriptions.data.filter(({ status }) => status !== 'canceled');
    return [
      {
        count: methods.data.length,
        hasMore: methods.has_more,
        noun: 'payment method',
        becomes: 'permanently detached',
      },
      {
        count: running.length,
        hasMore: subscriptions.has_more,
        noun: 'subscription',
        becomes: 'canceled without credit',
      },
      { count: invoices.data.length, hasMore: invoices.has_more, noun: 'open invoice', becomes: 'voided' },
    ];
  });
  if (data === undefined)
    return ['Payment methods are detached, subscriptions canceled without credit, and open invoices voided.'];
  const credit = Object.entries(credit_balance).map(([currency, amount]) => formatMoney(amount, currency));
  return [
    ...data
      .filter(({ count, hasMore }) => count > 0 || hasMore)
      .map(({ count, hasMore, noun, becomes }) => `${counted(count, hasMore, noun)} ${becomes}.`),
    'Pending invoice items are deleted.',
    ...(credit.length > 0 ? [`Credit of ${credit.join(' and ')} is forfeited.`] : []),
  ];
}

export function DeleteCustomerDialog({ customer, onClose }: { customer: Customer; onClose(): void }) {
  const consequences = useConsequences(customer);
  return (
    <ActionDialog
      title="Delete this customer"
      confirm={`Delete ${customerName(customer)}`}
      isDangerous
      params={{}}
      preview={[
        'The name, email address, phone number and metadata are erased. This cannot be undone.',
        ...consequences,
        'Payments do not change and can be refunded.',
        endpointsGet('customer.deleted'),
      ]}
      run={(api, _params, options) => api.customers.delete(customer.id, options)}
      done={() => `${customerName(customer)} deleted`}
      leadsTo={() => '/customers'}
      onClose={onClose}
    />
  );
}
