import { Group, Skeleton } from '@mantine/core';
import type { Payment } from '@tollgate/node';
import { FactSection } from '../kit/detail_page.tsx';
import { Email } from '../kit/email.tsx';
import { IdLink } from '../kit/id_link.tsx';
import { isolated } from '../kit/isolated.ts';
import { formatMoney } from '../kit/money.ts';
import { Status } from '../kit/status.tsx';
import {
  CustomerLink,
  customerName,
  MethodLink,
  Named,
  useCustomer,
  useMethod,
  useMethodWords,
  usePayment,
} from './names.tsx';
import { shownStatus } from './payment_columns.tsx';
import { expiryOf, factsOfKind } from './payment_method_words.ts';

/** Who it is about, at the right of a page. */
export function CustomerFacts({ id }: { id: string }) {
  const { data } = useCustomer(id);
  return (
    <FactSection
      title="Customer"
      facts={[
        ['Name', <CustomerLink key="name" id={id} />],
        ['Email', data?.name !== undefined && data.email && <Email key="email" address={data.email} />],
        ['Phone', data?.phone],
      ]}
    />
  );
}

/** What was charged, at the right of a page. */
export function MethodFacts({ id, note }: { id: string; note?: string }) {
  const { data } = useMethod(id);
  return (
    <FactSection
      title="Payment method"
      facts={[
        [
          data !== undefined && factsOfKind(data).last4 !== undefined ? 'Card' : 'Method',
          <MethodLink key="method" id={id} />,
        ],
        ['Expires', data && expiryOf(data)],
        ['Holder', data?.billing_details.name],
        ['Charged', note],
      ]}
    />
  );
}

/** A payment by its amount and card, with its status, which leads to it. */
export function PaymentFact({ id }: { id: string }) {
  const { data: payment, error } = usePayment(id);
  const method = useMethodWords(payment?.payment_method);
  if (error !== null) return <IdLink id={id} />;
  if (payment === undefined || method.isLoading) return <Skeleton height={12} width={170} />;
  const words = [formatMoney(payment.amount, payment.currency), method.data];
  return (
    <Group gap="xs">
      <Named id={id} name={words.filter(Boolean).join(' · ')} />
      <Status {...shownStatus(payment)} />
    </Group>
  );
}

/** Who paid and with what, of a payment that something else is about. */
export function PayerFacts({ payment: id }: { payment: string }) {
  const { data } = usePayment(id);
  if (data === undefined) return null;
  return (
    <>
      {data.customer && <CustomerFacts id={data.customer} />}
      {data.payment_method && <MethodFacts id={data.payment_method} />}
    </>
  );
}

/** Names for a story about a payment, and whether they are still being read. */
export function usePayerNames(payment: Payment | undefined) {
  const customer = useCustomer(payment?.customer);
  const method = useMethodWords(payment?.payment_method);
  return {
    isLoading: customer.isLoading || method.isLoading,
    customer: customer.data && isolated(customerName(customer.data)),
    method: method.data,
  };
}
