import { useRead } from '../kit/read.ts';
import { RelatedList } from '../kit/related_list.tsx';
import { listSubscriptions, subscriptionColumns } from './subscription_columns.tsx';

const newest = 10;

type Filter = { price: string } | { coupon: string };

/** The newest subscriptions that have a price or a coupon. */
export function SubscriptionsWith({ filter, empty }: { filter: Filter; empty: string }) {
  const wanted = { ...filter, limit: newest };
  // By the noun of what is listed: changes of subscriptions are then followed.
  const reading = useRead(['subscriptions', 'with', wanted], (api, options) => listSubscriptions(api, wanted, options));
  return (
    <RelatedList
      title="Subscriptions"
      reading={reading}
      columns={subscriptionColumns}
      all={{ path: '/subscriptions', search: filter }}
      empty={empty}
    />
  );
}
