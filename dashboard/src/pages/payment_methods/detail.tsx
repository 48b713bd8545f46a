import type { PaymentMethod } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { CustomerLink, useCustomer } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { expiryOf, methodWords, otherFacts } from '../../nouns/payment_method_words.ts';
import { attachMethod, detachMethod, makeDefault } from './actions.tsx';
import { editMethod } from './edit.tsx';
import { SetupsOf } from './setups.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['payment_methods', id], (api, options) => api.paymentMethods.retrieve(id, options));
  return (
    <DetailPage<PaymentMethod>
      reading={reading}
      list={{ path: '/payment-methods', title: 'Payment methods' }}
      id={id}
      headline={methodWords}
      status={(method) => <Default method={method} />}
      actions={(method) => <Actions method={method} />}
      facts={factsOf}
    >
      {({ metadata = {} }) => (
        <>
          <SetupsOf id={id} />
          <Metadata metadata={metadata} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf(method: PaymentMethod): Fact[] {
  const { customer, billing_details, created, processor_token } = method;
  return [
    ['Expires', expiryOf(method)],
    ...otherFacts(method),
    ['Customer', customer === undefined ? 'None' : <CustomerLink key="customer" id={customer} />],
    ['Holder', billing_details.name],
    ['Email', billing_details.email],
    ['Stored by', processor_token && <IdLink key="keeper" id={processor_token.processor_account} />],
    ['Created', <Moment key="created" seconds={created} />],
  ];
}

function Default({ method }: { method: PaymentMethod }) {
  return (
    useCustomer(method.customer).data?.default_payment_method === method.id && <Status status="default" tone="good" />
  );
}

function Actions({ method }: { method: PaymentMethod }) {
  const { data: owner } = useCustomer(method.customer);
  const isDefault = owner?.default_payment_method === method.id;
  const { customer } = method;
  return (
    <ActionButtons
      actions={[
        {
          title: 'Attach',
          calls: 'payment_methods.attach',
          isPossible: customer === undefined,
          dialog: attachMethod(method),
        },
        {
          title: 'Make default',
          calls: 'customers.update',
          isPossible: owner !== undefined && !isDefault,
          dialog: makeDefault(method, customer!),
        },
        {
          title: 'Edit',
          calls: 'payment_methods.update',
          dialog: editMethod(method),
        },
        {
          title: 'Detach',
          calls: 'payment_methods.detach',
          isPossible: customer !== undefined,
          dialog: detachMethod(method, isDefault),
        },
      ]}
    />
  );
}
