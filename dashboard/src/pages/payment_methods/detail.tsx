import type { PaymentMethod, Setup } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { SetupChallenge } from '../../nouns/challenge.tsx';
import { CustomerLink, useCustomer } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { expiryOf, methodWords, otherFacts } from '../../nouns/payment_method_words.ts';
import { attachMethod, detachMethod, makeDefault } from './actions.tsx';
import { editMethod } from './edit.tsx';

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

const setupsMax = 5;

const setupColumns: readonly Column<Setup>[] = [
  statusColumn,
  {
    id: 'failure',
    title: 'Why it failed',
    isWideOnly: true,
    cell: ({ failure_code, failure_decline_code }) => failure_code && wordsOf(failure_decline_code ?? failure_code),
  },
  { ...idColumn, isHidden: false }, // setups have no page that shows it
  createdColumn,
];

/** The latest setups of a payment method; nothing where there are none. */
function SetupsOf({ id }: { id: string }) {
  const reading = useRead(['payment_methods', id, 'setups'], (api, options) =>
    api.setups.list({ payment_method: id, limit: setupsMax }, options),
  );
  if (reading.error === null && (reading.data === undefined || reading.data.data.length === 0)) return null;
  const waiting = reading.data?.data.find(({ next_action }) => next_action !== undefined);
  return (
    <>
      {waiting && <SetupChallenge setup={waiting} />}
      <RelatedList title="Setups" reading={reading} columns={setupColumns} empty="No setups." />
    </>
  );
}
