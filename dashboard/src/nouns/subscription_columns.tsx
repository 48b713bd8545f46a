import { Skeleton } from '@mantine/core';
import type { Subscription } from '@tollgate/node';
import { createdColumn, idColumn, statusColumn } from '../kit/columns.tsx';
import { IdLink } from '../kit/id_link.tsx';
import type { Column } from '../kit/list_table.tsx';
import { Moment } from '../kit/moment.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { CustomerLink, usePrices } from './names.tsx';
import { itemsWords, periodCost } from './price_words.ts';

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
