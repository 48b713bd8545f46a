import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Filter, ObjectFilter } from '../kit/filters.ts';
import { isId } from '../kit/found_ids.ts';
import { type Choosable, ObjectSelect } from '../kit/object_select.tsx';
import { useRead } from '../kit/read.ts';
import {
  coupons,
  customers,
  invoices,
  paymentLinks,
  payments,
  prices,
  processorAccounts,
  subscriptions,
} from './choosables.ts';

type FilterOptions = { name: string; title: string; isRare?: boolean; max?: number };

/** A filter by the objects that those of a list belong to. In the address it is an id, or words that find up to `max`. */
function objectFilter<Item extends { id: string }>(
  of: Choosable<Item>,
  { max = 1, ...filter }: FilterOptions,
): Filter & ObjectFilter {
  return {
    ...filter,
    kind: 'object',
    of: of.kind,
    max,
    Select: ({ value, onChange }) => (
      <ObjectField of={of} title={filter.title} value={value} onChange={onChange} canTake={max} />
    ),
    Name: ({ value }) => <ObjectName of={of} value={value} />,
  };
}

/** `max`: of how many customers a list can show objects together. */
export const customerFilter = (max = 1) => objectFilter(customers, { name: 'customer', title: 'Customer', max });
export const invoiceFilter = objectFilter(invoices, { name: 'invoice', title: 'Invoice', isRare: true });
export const subscriptionFilter = objectFilter(subscriptions, { name: 'subscription', title: 'Subscription' });
export const priceFilter = objectFilter(prices, { name: 'price', title: 'Price' });
export const couponFilter = objectFilter(coupons, { name: 'coupon', title: 'Coupon' });
export const paymentFilter = objectFilter(payments, { name: 'payment', title: 'Payment' });
export const paymentLinkFilter = objectFilter(paymentLinks, {
  name: 'payment_link',
  title: 'Payment link',
  isRare: true,
});
export const processorFilter = objectFilter(processorAccounts, { name: 'processor_account', title: 'Processor' });

type FieldProps<Item> = {
  of: Choosable<Item>;
  title: string;
  value: string;
  onChange(value: string): void;
  canTake: number;
};

function ObjectField<Item extends { id: string }>({ of, title, value, onChange, canTake }: FieldProps<Item>) {
  const [typed, setTyped] = useState('');
  return (
    <Stack gap="xs" w={260}>
      <ObjectSelect
        of={of}
        label={title}
        value={isId(value) ? value : null}
        onChange={(id) => id !== null && onChange(id)}
        onType={setTyped}
        isWithin
      />
      {canTake > 1 && typed !== '' && !isId(value) && (
        <Button size="xs" variant="default" onClick={() => onChange(typed)}>
          Everything that matches “{typed}”
        </Button>
      )}
    </Stack>
  );
}

function ObjectName<Item extends { id: string }>({ of, value }: { of: Choosable<Item>; value: string }) {
  const { data } = useRead(
    [of.name, 'choice', value],
    (api, options) => of.list(api, { ids: [value], limit: 1 }, options),
    {
      isEnabled: isId(value),
    },
  );
  const [found] = data?.data ?? [];
  return <>{found === undefined ? value : of.words(found)}</>;
}
