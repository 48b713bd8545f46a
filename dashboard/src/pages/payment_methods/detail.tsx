import type { PaymentMethod, Setup } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { DetailPage, type Fact, momentFact, StorySkeleton } from '../../kit/detail_page.tsx';
import { Email } from '../../kit/email.tsx';
import { isolated } from '../../kit/isolated.ts';
import type { Column } from '../../kit/list_table.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { SetupChallenge } from '../../nouns/challenge.tsx';
import { CustomerFacts } from '../../nouns/fact_sections.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { customerName, useCustomer } from '../../nouns/names.tsx';
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
      story={(method) => <Story method={method} />}
      actions={(method) => <Actions method={method} />}
      notice={() => <WaitingSetup id={id} />}
      facts={factsOf}
      aside={({ customer, metadata = {} }) => (
        <>
          {customer && <CustomerFacts id={customer} />}
          <Metadata metadata={metadata} />
        </>
      )}
    >
      {() => (
        <>
          <SetupsOf id={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

/** Whose it is, and whether it is charged. */
function Story({ method: { id, customer } }: { method: PaymentMethod }) {
  const { data, isLoading } = useCustomer(customer);
  if (customer === undefined) return 'Attached to no customer.';
  if (isLoading) return <StorySkeleton />;
  const name = data === undefined ? 'the customer' : isolated(customerName(data));
  return data?.default_payment_method === id
    ? `Belongs to ${name}. Subscriptions and invoices are charged to it by default.`
    : `Belongs to ${name}.`;
}

function factsOf(method: PaymentMethod): Fact[] {
  const { billing_details, created, processor_token } = method;
  return [
    ['Expires', expiryOf(method)],
    ...otherFacts(method),
    ['Holder', billing_details.name],
    ['Email', billing_details.email && <Email key="email" address={billing_details.email} />],
    ['Stored by', processor_token && <NamedId key="keeper" id={processor_token.processor_account} />],
    momentFact('Created', created),
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

function useSetups(id: string) {
  return useRead(['payment_methods', id, 'setups'], (api, options) =>
    api.setups.list({ payment_method: id, limit: setupsMax }, options),
  );
}

/** What the customer must do to finish a setup. */
function WaitingSetup({ id }: { id: string }) {
  const waiting = useSetups(id).data?.data.find(({ next_action }) => next_action !== undefined);
  return waiting && <SetupChallenge setup={waiting} />;
}

/** The latest setups of a payment method; nothing where there are none. */
function SetupsOf({ id }: { id: string }) {
  const reading = useSetups(id);
  if (reading.error === null && (reading.data === undefined || reading.data.data.length === 0)) return null;
  return <RelatedList title="Setups" reading={reading} columns={setupColumns} empty="No setups." />;
}
