import type { Subscription } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { couponFilter, customerFilter, priceFilter } from '../../nouns/object_filters.tsx';
import { listSubscriptions, subscriptionColumns } from '../../nouns/subscription_columns.tsx';
import { CreateDialog } from './create.tsx';

export const Page = listPage<Subscription>({
  name: 'subscriptions',
  title: 'Subscriptions',
  icon: 'subscriptions',
  columns: subscriptionColumns,
  filters: [
    wordsFilter('subscription'),
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['subscriptions.list'].status },
    customerFilter(),
    priceFilter,
    couponFilter,
    createdFilter,
  ],
  load: listSubscriptions,
  csv: { operation: 'subscriptions.list', read: (api, params) => api.subscriptions.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'subscriptions',
      here: 'Create a price, then subscribe a customer to it with the button above.',
      event: 'subscription.created',
      path: '/v1/subscriptions',
      parameters: { customer: 'cus_…', items: [{ price: 'price_…' }] },
    }),
  actions: <NewSubscription />,
});

/** A button that makes one and leads to it. */
export function NewSubscription({ customer }: { customer?: string }) {
  return (
    <CreateButton
      title="Create subscription"
      calls="subscriptions.create"
      isSmall={customer !== undefined}
      dialog={(onClose) => <CreateDialog customer={customer} onClose={onClose} />}
    />
  );
}
