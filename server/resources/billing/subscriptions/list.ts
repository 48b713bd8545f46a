import { equals } from '../../../operations/compared_filter.ts';
import { csvNote, csvOf, refusePages } from '../../../operations/csv.ts';
import { ExternalIdFilter, foundByExternalId } from '../../../operations/external_id.ts';
import { pageOf, readPage } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { mergedParts, orderOf, partOf, type Range, rangeOf } from '../../../operations/range.ts';
import {
  type Bind,
  bindings,
  type FilteredScan,
  rowsFound,
  type ScanLimits,
  type ScanResult,
  scan,
} from '../../../operations/scan.ts';
import {
  csvMedia,
  IdsFilter,
  type ListInput,
  ListOf,
  listParameters,
  OptionalChoices,
  OptionalId,
  Parameters,
} from '../../../operations/schemas.ts';
import { SubscriptionOutput } from '../subscription_state/schema.ts';
import { subscriptionPricesTable, subscriptionsTable } from '../subscription_state/store.ts';
import {
  type Subscription,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../subscription_state/subscription.ts';
import { subscriptionDescriptor } from './descriptor.ts';

/** Columns that no index has. */
const comparedColumns = ['coupon', 'test_clock'] as const;

const source = {
  ...subscriptionDescriptor,
  url: '/v1/subscriptions',
  columns: ['customer', 'status'],
  merged: { column: 'status', values: subscriptionStatuses },
  compared: comparedColumns.map(equals),
  ...foundByExternalId,
  csv: `id created customer status currency current_period_start current_period_end
    cancel_at_period_end trial_end coupon default_payment_method latest_invoice ended_at external_id`,
};

type ListWish = ListInput & {
  ids?: string | string[];
  customer?: string;
  status?: SubscriptionStatus | SubscriptionStatus[];
  price?: string;
  coupon?: string;
  test_clock?: string;
  external_id?: string;
};

export const listOperation = operation({
  name: 'subscriptions.list',
  summary: 'List subscriptions, canceled ones too',
  description: `Returns subscriptions in pages, newest first. ${csvNote('subscription')}`,
  route: 'GET /subscriptions',
  input: Parameters({
    ...listParameters,
    ids: IdsFilter,
    customer: OptionalId('Only those of this customer.'),
    status: OptionalChoices(subscriptionStatuses, 'Only those in this status, or in one of these.'),
    price: OptionalId('Only those with an item of this price.'),
    coupon: OptionalId('Only those that have this coupon.'),
    test_clock: OptionalId('Only those of customers with this test clock.'),
    external_id: ExternalIdFilter,
  }),
  customers: { customer: 'customer', parameters: ['limit', 'starting_after', 'status'] },
  output: ListOf(SubscriptionOutput),
  offers: [csvMedia],
  csv: source.csv,
  async run(context, input) {
    const wanted: ListWish = input;
    if (context.media !== undefined) {
      refusePages(wanted);
      const read = (range: Range, limits: ScanLimits) => readSubscriptions(context, range, wanted, limits);
      return { stream: csvOf(context, wanted, { ...source, read }) };
    }
    const range = rangeOf(wanted, source.prefix);
    const { rows } = await readSubscriptions(context, range, wanted, { isLate: context.isLate });
    return { result: pageOf<Subscription>(range, rows, source) };
  },
});

async function readSubscriptions(
  context: Context,
  range: Range,
  wanted: ListWish,
  limits: ScanLimits,
): Promise<ScanResult<Subscription>> {
  const { ids, price, external_id } = wanted;
  if (price === undefined) return readPage(context, range, source, wanted, limits);
  if (ids !== undefined || external_id !== undefined)
    return withPrice(price, range, await readPage(context, { ...range, limit: fewMax }, source, wanted, limits));
  if (comparedColumns.every((column) => wanted[column] === undefined))
    return { rows: await findByPrice(context, range, { ...wanted, price }) };
  return scan<Subscription>(
    { reads: context.reads, owner: context.tenant },
    range,
    walkOf({ ...wanted, price }),
    limits,
  );
}

/** As many as can be named by their ids. */
const fewMax = 100;

/** Of few rows, so the price is compared here. */
function withPrice(price: string, { limit }: Range, { rows }: ScanResult<Subscription>): ScanResult<Subscription> {
  return { rows: rows.filter(({ items }) => items.some((item) => item.price === price)).slice(0, limit + 1) };
}

type PriceWish = Pick<ListWish, 'customer' | 'status' | (typeof comparedColumns)[number]> & { price: string };

function findByPrice({ reads, tenant }: Context, range: Range, wanted: PriceWish): Promise<Subscription[]> {
  const { values, bind } = bindings(tenant);
  const { columns, join } = rowsFound(subscriptionsTable);
  return reads.rows<Subscription & Record<string, unknown>>(
    `select ${columns} from (${mergedParts(idsByPrice(range, wanted, bind), 'id', range)}) found ${join} ${orderOf(range, ['found.id'])}`,
    values,
  );
}

/** What is compared is in another table than the price. It is read by the primary key, row by row: a join might read the whole table. */
function walkOf(wanted: PriceWish): FilteredScan {
  const columns = comparedColumns.filter((column) => wanted[column] !== undefined);
  const read = columns.map(
    (column) =>
      `(select ${column} from ${subscriptionsTable.name} t where t.tenant = $1 and t.id = page.id) as ${column}`,
  );
  return {
    rows: (range, bind) =>
      idsByPrice(range, wanted, bind).map((part) => `select id, ${read.join(', ')} from (${part}) page`),
    parts: statusesOf(wanted).length,
    conditions: (bind) => columns.map((column) => `${column} = ${bind(wanted[column])}`),
    shown: rowsFound(subscriptionsTable),
  };
}

/** A range of the index of the price and the status, and of the customer if one is named, for each status that is wanted. */
function idsByPrice(range: Range, wanted: PriceWish, bind: Bind): string[] {
  const ofCustomer = wanted.customer === undefined ? [] : [['customer', bind(wanted.customer)] as const];
  const ofPrice = ['price', bind(wanted.price)] as const;
  return statusesOf(wanted).map((status) => {
    const equations = [...ofCustomer, ofPrice, ['status', `'${status}'`] as const];
    return `select id from ${subscriptionPricesTable.name} where tenant = $1 ${partOf(range, equations, bind)}`;
  });
}

function statusesOf({ status }: PriceWish): readonly SubscriptionStatus[] {
  return status === undefined ? subscriptionStatuses : [...new Set([status].flat())];
}
