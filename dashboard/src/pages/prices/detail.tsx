import type { Price } from '@tollgate/node';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { perPeriod } from '../../nouns/price_words.ts';
import { subscriptionColumns } from '../../nouns/subscription_columns.tsx';
import { PriceActions } from './actions.tsx';
import { PriceStatus } from './list.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['prices', id], (api, options) => api.prices.retrieve(id, options));
  return (
    <DetailPage<Price>
      reading={reading}
      list={{ path: '/prices', title: 'Prices' }}
      id={id}
      headline={({ product_name }) => product_name}
      status={(price) => <PriceStatus price={price} />}
      actions={(price) => <PriceActions price={price} />}
      facts={factsOf}
    >
      {(price) => (
        <>
          <SubscriptionsWith price={price} />
          <Metadata metadata={price.metadata ?? {}} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf({ unit_amount, currency, recurring, created }: Price): Fact[] {
  return [
    ['Price', perPeriod(unit_amount, currency, recurring)],
    ['Currency', currency.toUpperCase()],
    ['Created', <Moment key="created" seconds={created} />],
  ];
}

const newest = 10;

function SubscriptionsWith({ price: { id } }: { price: Price }) {
  const reading = useRead(['prices', id, 'subscriptions'], (api, options) =>
    api.subscriptions.list({ price: id, limit: newest }, options),
  );
  return (
    <RelatedList
      title="Subscriptions"
      reading={reading}
      columns={subscriptionColumns}
      all={{ path: '/subscriptions', search: { price: id } }}
      empty={{ icon: 'subscriptions', title: 'No subscriptions', text: 'Subscriptions with this price appear here.' }}
    />
  );
}
