import { Skeleton } from '@mantine/core';
import type { Subscription } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { CustomerLink, usePrices } from '../../nouns/names.tsx';
import { itemsWords, periodCost } from '../../nouns/price_words.ts';
import { CreateDialog } from './create.tsx';

export const subscriptionColumns: readonly Column<Subscription>[] = [
  { id: 'items', title: 'Subscription', cell: (subscription) => <Items subscription={subscription} /> },
  statusColumn,
  { id: 'customer', title: 'Customer', isWideOnly: true, cell: ({ customer }) => <CustomerLink id={customer} /> },
  { id: 'cost', title: 'Per period', isWideOnly: true, cell: ({ items }) => <Cost items={items} /> },
  { id: 'next', title: 'Next', isWideOnly: true, cell: (subscription) => <NextStep subscription={subscription} /> },
  {
    id: 'coupon',
    title: 'Coupon',
    isHidden: true,
    isWideOnly: true,
    cell: ({ coupon }) => coupon && <IdLink id={coupon} />,
  },
  {
    id: 'clock',
    title: 'Test clock',
    isHidden: true,
    isWideOnly: true,
    cell: ({ test_clock }) => test_clock && <IdLink id={test_clock} />,
  },
  idColumn,
  { ...createdColumn, isWideOnly: true },
];

function Items({ subscription: { id, items } }: { subscription: Subscription }) {
  const prices = usePrices(items.map(({ price }) => price));
  return <RowLink id={id}>{itemsWords(items, prices) ?? id}</RowLink>;
}

function Cost({ items }: { items: Subscription['items'] }) {
  const cost = periodCost(items, usePrices(items.map(({ price }) => price)));
  return cost ?? <Skeleton height={12} width={90} />;
}

/** What happens next, and when. */
export function NextStep({ subscription }: { subscription: Subscription }) {
  const { status, cancel_at_period_end, current_period_end, ended_at } = subscription;
  const [word, at] =
    status === 'canceled'
      ? ['Ended', ended_at]
      : cancel_at_period_end
        ? ['Ends', current_period_end]
        : status === 'trialing'
          ? ['Trial ends', current_period_end]
          : ['active', 'past_due'].includes(status)
            ? ['Renews', current_period_end]
            : [undefined, undefined];
  if (at === undefined) return null;
  return (
    <>
      {word} <Moment seconds={at} />
    </>
  );
}

const subscriptions: ListDescriptor<Subscription> = {
  name: 'subscriptions',
  title: 'Subscriptions',
  icon: 'subscriptions',
  columns: subscriptionColumns,
  filters: [
    {
      kind: 'choice',
      name: 'status',
      title: 'Status',
      choices: filterChoices['subscriptions.list'].status,
    },
    { kind: 'text', name: 'customer', title: 'Customer', placeholder: 'cus_…' },
    { kind: 'text', name: 'price', title: 'Price', placeholder: 'price_…' },
    { kind: 'text', name: 'coupon', title: 'Coupon', placeholder: 'coupon_…' },
    createdFilter,
  ],
  load: (api, params, options) => api.subscriptions.list(params, options),
  csv: (api, params) => api.subscriptions.listCsv(params),
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'subscriptions',
      here: 'Make a price, then subscribe a customer to it with the button above.',
      event: 'subscription.created',
      path: '/v1/subscriptions',
      parameters: { customer: 'cus_…', items: [{ price: 'price_…' }] },
    }),
  actions: <NewSubscription />,
};

export function Page() {
  return <ListPage list={subscriptions} />;
}

/** A button that makes one and leads to it. */
export function NewSubscription({ customer }: { customer?: string }) {
  return (
    <CreateButton
      title="Create subscription"
      right="change"
      isSmall={customer !== undefined}
      dialog={(onClose) => <CreateDialog customer={customer} onClose={onClose} />}
    />
  );
}
