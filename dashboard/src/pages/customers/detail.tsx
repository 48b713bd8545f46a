import { Link } from '@tanstack/react-router';
import type { Customer, PaymentMethod } from '@tollgate/node';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Failure } from '../../kit/failure.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { paymentColumns } from '../payments/list.tsx';
import { BillingOf } from './billing.tsx';
import { nameOf } from './list.tsx';

export function CustomerPage({ id }: { id: string }) {
  const reading = useRead(['customers', id], (api, options) => api.customers.retrieve(id, options));
  return (
    <DetailPage<Customer>
      reading={reading}
      list={{ path: '/customers', title: 'Customers' }}
      id={id}
      headline={nameOf}
      facts={factsOf}
    >
      {(customer) => <Sections customer={customer} />}
    </DetailPage>
  );
}

function factsOf({ email, phone, created, credit_balance = {}, test_clock }: Customer): Fact[] {
  return [
    ['Created', <Moment key="created" seconds={created} />],
    ['Email', email],
    ['Phone', phone],
    ...Object.entries(credit_balance).map(([currency, amount]): Fact => ['Credit', formatMoney(amount, currency)]),
    ['Test clock', test_clock && <IdLink id={test_clock} />],
  ];
}

const newest = 10;

function Sections({ customer }: { customer: Customer }) {
  const { id } = customer;
  const payments = useRead(['customers', id, 'payments'], (api, options) =>
    api.payments.list({ customer: id, limit: newest }, options),
  );
  const methods = useRead(['customers', id, 'methods'], (api, options) =>
    api.customers.listPaymentMethods(id, { limit: 100 }, options),
  );
  return (
    <>
      <Section
        title="Payments"
        isFlush
        aside={
          <Link to="/payments" search={{ customer: id } as never}>
            All payments
          </Link>
        }
      >
        <Found
          reading={payments}
          columns={paymentColumns.filter((column) => column.id !== 'customer' && !column.isHidden)}
        >
          <Empty icon="payments" title="No payments" text="Payments that name this customer appear here." />
        </Found>
      </Section>
      <Section title="Payment methods" isFlush>
        <Found reading={methods} columns={methodColumns(customer)}>
          <Empty icon="cards" title="No payment methods" text="Cards that are attached to this customer appear here." />
        </Found>
      </Section>
      <BillingOf customer={customer} />
      <Metadata metadata={customer.metadata} />
    </>
  );
}

type FoundProps<Item> = {
  reading: { data: { data: Item[] } | undefined; error: unknown };
  columns: readonly Column<Item>[];
  children: React.ReactNode;
};

function Found<Item extends { id: string }>({ reading: { data, error }, columns, children }: FoundProps<Item>) {
  if (error !== null) return <Failure error={error} />;
  return data?.data.length === 0 ? children : <ListTable columns={columns} items={data?.data} />;
}

function methodColumns({ default_payment_method }: Customer): Column<PaymentMethod>[] {
  return [
    { id: 'card', title: 'Card', cell: ({ card }) => `${wordsOf(card.brand)} •••• ${card.last4}` },
    {
      id: 'default',
      title: 'Use',
      cell: ({ id }) => id === default_payment_method && <Status status="default" tone="good" />,
    },
    { id: 'holder', title: 'Cardholder', isWideOnly: true, cell: ({ billing_details }) => billing_details.name },
    {
      id: 'expires',
      title: 'Expires',
      cell: ({ card }) => `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`,
    },
    { id: 'id', title: 'Id', isWideOnly: true, cell: ({ id }) => <IdLink id={id} canCopy /> },
  ];
}
