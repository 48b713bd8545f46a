import type { Customer, Subscription, TestClock, Tollgate } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { CustomerName, SubscriptionName } from '../../nouns/names.tsx';

const customersShown = 25;
const subscriptionsShown = 100;

/** A subscription with its customer, or a customer without one among those that were read. */
type Row = { id: string; customer: Customer; subscription: Subscription | undefined; areAllRead: boolean };

const columns: readonly Column<Row>[] = [
  {
    id: 'customer',
    title: 'Customer',
    isText: true,
    cell: ({ customer }) => <CustomerName id={customer.id} customer={customer} />,
  },
  {
    id: 'subscription',
    title: 'Subscription',
    isText: true,
    isBelow: true,
    cell: ({ subscription, areAllRead }) =>
      subscription === undefined ? (
        `None${areAllRead ? '' : ` of the newest ${subscriptionsShown}`}`
      ) : (
        <SubscriptionName subscription={subscription} />
      ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ subscription }) => subscription && <Status status={subscription.status} />,
  },
  {
    id: 'period',
    title: 'Period ends',
    room: 9,
    align: 'right',
    cell: ({ subscription }) => subscription && <Moment seconds={subscription.current_period_end} />,
  },
];

type Found = { rows: Row[]; customers: ReadonlySet<string>; hasMore: boolean };

async function find(api: Tollgate, clock: string, options: { signal: AbortSignal }): Promise<Found> {
  const [{ data, has_more }, subscriptions] = await Promise.all([
    api.customers.list({ test_clock: clock, limit: customersShown }, options),
    api.subscriptions.list({ test_clock: clock, limit: subscriptionsShown }, options),
  ]);
  const areAllRead = !subscriptions.has_more;
  const rows = data.flatMap((customer): Row[] => {
    const found = subscriptions.data.filter((one) => one.customer === customer.id);
    if (found.length === 0) return [{ id: customer.id, customer, subscription: undefined, areAllRead }];
    return found.map((subscription) => ({ id: subscription.id, customer, subscription, areAllRead }));
  });
  return { rows, customers: new Set(data.map(({ id }) => id)), hasMore: has_more };
}

export function useClockCustomers(clock: string) {
  return useRead(['test_clocks', clock, 'customers'], (api, options) => find(api, clock, options));
}

/** Who lives by the clock. */
export function ClockCustomers({ clock }: { clock: TestClock }) {
  const { data, error } = useClockCustomers(clock.id);
  return (
    <Section
      title="Customers and subscriptions"
      isFlush
      aside={data?.hasMore && <span>The newest {customersShown} customers</span>}
      none={error === null && data?.rows.length === 0 && 'None yet. Choose this clock when you create a customer.'}
    >
      {error !== null && <Failure error={error} />}
      {error === null && <ListTable columns={columns} items={data?.rows} />}
    </Section>
  );
}
