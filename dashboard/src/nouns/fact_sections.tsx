import { FactSection } from '../kit/detail_page.tsx';
import { CustomerLink, MethodLink, useCustomer, useMethod } from './names.tsx';
import { expiryOf, factsOfKind } from './payment_method_words.ts';

/** Who it is about, at the right of a page. */
export function CustomerFacts({ id }: { id: string }) {
  const { data } = useCustomer(id);
  return (
    <FactSection
      title="Customer"
      facts={[
        ['Name', <CustomerLink key="name" id={id} />],
        ['Email', data?.name === undefined ? undefined : data.email],
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
