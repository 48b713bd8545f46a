import type { Customer, PortalSession } from '@tollgate/node';
import { lazy, useState } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { chunk } from '../../kit/chunk.ts';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { Email } from '../../kit/email.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { MailsOf } from '../../nouns/mail_parts.tsx';
import { ClockLink, customerName, MethodLink, useCustomer } from '../../nouns/names.tsx';
import { Notes } from '../../nouns/notes.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { paymentColumns } from '../../nouns/payment_columns.tsx';
import { listPayments } from '../../nouns/payment_list.ts';
import { BillingOf } from './billing.tsx';
import { DeleteCustomerDialog } from './delete.tsx';
import { editCustomer } from './edit.tsx';
import { Figures, OwedNotice } from './figures.tsx';
import { Methods } from './methods.tsx';
import { makePortalLink, PortalLink } from './portal_link.tsx';

const NewPayment = lazy(
  chunk(async () => ({ default: (await import('../payments/new_payment.tsx')).NewPaymentDialog })),
);

export function Detail({ id }: { id: string }) {
  return (
    <DetailPage<Customer>
      reading={useCustomer(id)}
      list={{ path: '/customers', title: 'Customers' }}
      id={id}
      headline={customerName}
      actions={(customer) => <Actions customer={customer} />}
      notice={() => <OwedNotice customer={id} />}
      facts={factsOf}
      aside={({ metadata }) => <Metadata metadata={metadata} />}
    >
      {(customer) => (
        <>
          <Figures customer={id} />
          <Notes id={id} />
          <Payments customer={id} />
          <Methods customer={customer} />
          <BillingOf customer={customer} />
          <MailsOf of={{ customer: id }} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

const addressOf = ({ line1, line2, postal_code, city, state, country }: NonNullable<Customer['address']>) =>
  [line1, line2, [postal_code, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ');

function factsOf(customer: Customer): Fact[] {
  const { email, phone, address, tax_id, locale, created, default_payment_method, test_clock, external_id } = customer;
  return [
    [
      'Email',
      email && (
        <a key="email" href={mailtoOf(email)}>
          <Email address={email} />
        </a>
      ),
    ],
    ['Phone', phone],
    ['Address', address && addressOf(address)],
    ['Tax ID', tax_id],
    ['Language', locale],
    ['Pays with', default_payment_method && <MethodLink key="method" id={default_payment_method} />],
    momentFact('Since', created),
    ['Test clock', test_clock && <ClockLink id={test_clock} />],
    ['External id', external_id],
  ];
}

/** What is not part of an address, such as `?`, would begin other fields of the mail. */
const mailtoOf = (email: string) => `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

function Actions({ customer }: { customer: Customer }) {
  const [made, setMade] = useState<PortalSession>();
  return (
    <>
      <ActionButtons
        actions={[
          {
            title: 'Create payment',
            calls: 'payments.create',
            isMain: true,
            dialog: (onClose) => <NewPayment customer={customer.id} onClose={onClose} />,
          },
          { title: 'Edit', calls: 'customers.update', dialog: editCustomer(customer) },
          {
            title: 'Copy portal link',
            calls: 'portal_sessions.create',
            isMore: true,
            dialog: makePortalLink(customer, setMade),
          },
          {
            title: 'Delete',
            calls: 'customers.delete',
            isMore: true,
            dialog: (onClose) => <DeleteCustomerDialog customer={customer} onClose={onClose} />,
          },
        ]}
      />
      {made && <PortalLink customer={customer} made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

const newest = 10;

function Payments({ customer }: { customer: string }) {
  const reading = useRead(['customers', customer, 'payments'], (api, options) =>
    listPayments(api, { customer, limit: newest }, options),
  );
  return (
    <RelatedList
      title="Payments"
      reading={reading}
      columns={paymentColumns.filter(({ id }) => id !== 'customer')}
      all={{ path: '/payments', search: { customer } }}
      empty="No payments."
    />
  );
}
