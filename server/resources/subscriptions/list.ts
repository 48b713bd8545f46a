import { listPage, pageOf } from '../list.ts';
import { type Context, operation } from '../operation.ts';
import { mergedParts, orderOf, partOf, rangeOf } from '../range.ts';
import { type ListInput, ListOf, listParameters, OptionalChoice, OptionalId, Parameters } from '../shapes.ts';
import { subscriptionKind } from './kind.ts';
import { SubscriptionOutput } from './schema.ts';
import { subscriptionsTable } from './store.ts';
import {
  presentSubscription,
  type Subscription,
  type SubscriptionStatus,
  subscriptionStatuses,
} from './subscription.ts';

const source = {
  ...subscriptionKind,
  url: '/v1/subscriptions',
  columns: ['customer', 'status'],
  merged: { column: 'status', values: subscriptionStatuses },
};

type ListWish = ListInput & { customer?: string; status?: SubscriptionStatus; price?: string };

export const listOperation = operation({
  name: 'subscriptions.list',
  summary: 'List subscriptions, canceled ones too',
  description: 'Returns subscriptions in pages, newest first.',
  route: 'GET /subscriptions',
  input: Parameters({
    ...listParameters,
    customer: OptionalId('Only those of this customer.'),
    status: OptionalChoice(subscriptionStatuses, 'Only those in this status.'),
    price: OptionalId('Only those with an item of this price.'),
  }),
  output: ListOf(SubscriptionOutput),
  async run(context, input) {
    const wanted: ListWish = input;
    const page =
      wanted.price === undefined
        ? listPage(context, wanted, source, wanted)
        : listByPrice(context, wanted, wanted.price);
    return { result: await page };
  },
});

/** A range of the index of the price and the status, and of the customer if one is named, for each status that is wanted. */
async function listByPrice(context: Context, wanted: ListWish, price: string) {
  const range = rangeOf(wanted, subscriptionKind.prefix);
  const values: unknown[] = [context.tenant];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const statuses = wanted.status === undefined ? subscriptionStatuses : [wanted.status];
  const ofCustomer = wanted.customer === undefined ? [] : [['customer', bind(wanted.customer)] as const];
  const ofPrice = ['price', bind(price)] as const;
  const parts = statuses.map((status) => {
    const equations = [...ofCustomer, ofPrice, ['status', `'${status}'`] as const];
    return `select id from subscription_prices where tenant = $1 ${partOf(range, equations, bind)}`;
  });
  const columns = subscriptionsTable.columns;
  const rows = await context.reads.rows<Subscription & Record<string, unknown>>(
    `select ${columns.map((column) => `t.${column}`).join(', ')}
       from (${mergedParts(parts, 'id', range)}) page join subscriptions t on t.tenant = $1 and t.id = page.id
      ${orderOf(range, ['t.id'])}`,
    values,
  );
  return pageOf<Subscription>(range, rows, { url: source.url, present: presentSubscription });
}
