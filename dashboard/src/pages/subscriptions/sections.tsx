import { Skeleton, Text } from '@mantine/core';
import type { RequestOptions, Subscription, Tollgate } from '@tollgate/node';
import { ResponseError } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Moment, TimesOf } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { invoiceColumns } from '../../nouns/invoice_columns.tsx';
import { InvoiceLines } from '../../nouns/invoice_lines.tsx';
import { PriceLink, usePrices } from '../../nouns/names.tsx';
import { perPeriod } from '../../nouns/price_words.ts';
import { invoicedAt } from './items.ts';

type SectionProps = { subscription: Subscription };
type Item = Subscription['items'][number];

export function ItemsOf({ subscription: { items } }: SectionProps) {
  const prices = usePrices(items.map(({ price }) => price));
  const columns: Column<Item>[] = [
    {
      id: 'price',
      title: 'Price',
      isText: true,
      cell: ({ price: id }) => {
        const price = prices.get(id);
        return price === undefined ? <Skeleton height={12} width={110} /> : <PriceLink price={price} />;
      },
    },
    {
      id: 'unit',
      title: 'Unit price',
      room: 11,
      isWideOnly: true,
      cell: ({ price: id }) => {
        const price = prices.get(id);
        return price && perPeriod(price.unit_amount, price.currency, price.recurring);
      },
    },
    { id: 'quantity', title: 'Quantity', align: 'right', cell: ({ quantity }) => quantity.toLocaleString() },
    {
      id: 'amount',
      title: 'Amount',
      align: 'right',
      cell: ({ price: id, quantity }) => {
        const price = prices.get(id);
        return price && formatMoney(price.unit_amount * quantity, price.currency);
      },
    },
  ];
  return (
    <Section title="Items" isFlush>
      <ListTable columns={columns} items={items} />
    </Section>
  );
}

/** Whether something of a customer waits for an invoice. Of very many items, only the newest are looked at. */
async function hasWaitingItems(api: Tollgate, customer: string, options: RequestOptions): Promise<boolean> {
  const { data, has_more } = await api.invoiceItems.list({ customer, limit: 100 }, options);
  return has_more || data.some(({ invoice }) => invoice === undefined);
}

/** The next invoice, as the API sees it now; nothing where none follows. */
export function Upcoming({ subscription }: SectionProps) {
  const { id, status, customer, cancel_at_period_end } = subscription;
  const follows = ['trialing', 'active', 'past_due'].includes(status);
  const { data, error } = useRead(
    ['subscriptions', id, 'upcoming', cancel_at_period_end],
    async (api, options) => {
      // One that ends with its period, and for which nothing waits, gets no further invoice: the API would refuse the question.
      if (cancel_at_period_end && !(await hasWaitingItems(api, customer, options))) return null;
      return api.invoices.preview({ subscription: id }, options);
    },
    { isEnabled: follows },
  );
  const isNone = error instanceof ResponseError && error.code === 'subscription_not_updatable';
  if (!follows || isNone || data === null) return null;
  const at = data && invoicedAt(data, 'create');
  return (
    <Section
      title="Upcoming invoice"
      isFlush
      aside={
        typeof at === 'number' && (
          <Text span size="sm" c="dimmed">
            <TimesOf item={subscription}>
              On <Moment seconds={at} />
            </TimesOf>
          </Text>
        )
      }
    >
      {error !== null ? (
        <Failure error={error} />
      ) : data === undefined ? (
        <Skeleton height={110} radius={0} />
      ) : (
        <InvoiceLines invoice={data} />
      )}
    </Section>
  );
}

const newest = 12;

export function InvoicesOf({ subscription: { id } }: SectionProps) {
  const reading = useRead(['subscriptions', id, 'invoices'], (api, options) =>
    api.invoices.list({ subscription: id, limit: newest }, options),
  );
  return (
    <RelatedList
      title="Invoices"
      reading={reading}
      columns={invoiceColumns.filter(({ id: column }) => !['customer', 'subscription'].includes(column))}
      all={{ path: '/invoices', search: { subscription: id } }}
      empty="No invoices."
    />
  );
}
