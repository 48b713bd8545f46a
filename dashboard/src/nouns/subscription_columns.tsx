import { Skeleton } from '@mantine/core';
import type { Coupon, Subscription, Tollgate } from '@tollgate/node';
import { createdColumn, idColumn, statusColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/list_table.tsx';
import { Moment, TimesOf } from '../kit/moment.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { CustomerName, MaybeNamed, usePrices } from './names.tsx';
import { couponWords, itemsWords, periodCost } from './price_words.ts';

/** With the objects that the columns name. */
export function listSubscriptions(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }) {
  return api.subscriptions.list({ ...params, expand: ['customer', 'coupon', 'test_clock'] }, options);
}

export const subscriptionColumns: readonly Column<Subscription>[] = [
  {
    id: 'items',
    title: 'Subscription',
    isText: true,
    room: 12,
    cell: (subscription) => <Items subscription={subscription} />,
  },
  statusColumn,
  {
    id: 'customer',
    title: 'Customer',
    isText: true,
    room: 11,
    isBelow: true,
    cell: ({ customer, expanded }) => <CustomerName id={customer} customer={expanded?.customer} />,
  },
  { id: 'cost', title: 'Per period', room: 12.5, isBelow: true, cell: ({ items }) => <Cost items={items} /> },
  {
    id: 'next',
    title: 'Next',
    room: 11.5,
    isWideOnly: true,
    cell: (subscription) => <NextStep subscription={subscription} precision="day" />,
  },
  {
    id: 'coupon',
    title: 'Coupon',
    isText: true,
    isHidden: true,
    isWideOnly: true,
    cell: ({ coupon, expanded }) => coupon && <MaybeNamed id={coupon} name={couponName(expanded?.coupon)} />,
  },
  {
    id: 'clock',
    title: 'Test clock',
    isText: true,
    isHidden: true,
    isWideOnly: true,
    cell: ({ test_clock, expanded }) => test_clock && <MaybeNamed id={test_clock} name={expanded?.test_clock?.name} />,
  },
  idColumn,
  { ...createdColumn, isWideOnly: true },
];

const couponName = (coupon: Coupon | undefined) => coupon && couponWords(coupon);

function Items({ subscription: { id, items } }: { subscription: Subscription }) {
  const prices = usePrices(items.map(({ price }) => price));
  return <RowLink id={id}>{itemsWords(items, prices) ?? id}</RowLink>;
}

function Cost({ items }: { items: Subscription['items'] }) {
  const cost = periodCost(items, usePrices(items.map(({ price }) => price)));
  return cost ?? <Skeleton height={12} width={90} />;
}

type NextStepProps = { subscription: Subscription; precision?: 'day' | 'minute'; end?: string };

/** What happens next, and when. */
export function NextStep({ subscription, precision = 'minute', end = '' }: NextStepProps) {
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
    <TimesOf item={subscription}>
      {word} <Moment seconds={at} precision={precision} />
      {end}
    </TimesOf>
  );
}
