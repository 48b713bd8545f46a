import { Select } from '@mantine/core';
import type { Coupon, Customer, Price, Tollgate } from '@tollgate/node';
import { ObjectSelect } from '../kit/object_select.tsx';
import { useRead } from '../kit/read.ts';
import { methodWords } from './payment_method_words.ts';
import { couponWords, priceWords } from './price_words.ts';

type Choosing = { value: string | null; onChange(value: string | null): void };

const newestMax = 100;
const isId = (prefix: string) => (typed: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`).test(typed);

/** By name, id or email. */
export function CustomerSelect(props: Choosing & { hasFocus?: boolean; isClearable?: boolean }) {
  return (
    <ObjectSelect<Customer>
      {...props}
      label="Customer"
      placeholder="Name, email or id"
      name="customers"
      list={(api, options) => api.customers.list({ limit: newestMax }, options)}
      find={findCustomer}
      isFindable={(typed) => isId('cus')(typed) || /^\S+@\S+\.\S+$/.test(typed)}
      words={customerWords}
    />
  );
}

function customerWords({ id, name, email }: Customer): string {
  return name !== undefined && email !== undefined ? `${name} (${email})` : (name ?? email ?? id);
}

async function findCustomer(api: Tollgate, typed: string, options: { signal: AbortSignal }) {
  if (!typed.includes('@')) return api.customers.retrieve(typed, options);
  const { data } = await api.search.query({ q: typed }, options);
  const found = data.find(({ object }) => object === 'customer');
  return found && api.customers.retrieve(found.id, options);
}

/** Prices that can be sold. */
export function PriceSelect(props: Choosing & { label: string }) {
  return (
    <ObjectSelect<Price>
      {...props}
      name="prices"
      list={(api, options) => api.prices.list({ active: true, limit: newestMax }, options)}
      find={(api, id, options) => api.prices.retrieve(id, options)}
      isFindable={isId('price')}
      words={priceWords}
    />
  );
}

export function CouponSelect(props: Choosing & { description?: string }) {
  return (
    <ObjectSelect<Coupon>
      {...props}
      label="Coupon"
      placeholder="None"
      isClearable
      name="coupons"
      list={(api, options) => api.coupons.list({ limit: newestMax }, options)}
      find={(api, id, options) => api.coupons.retrieve(id, options)}
      isFindable={isId('coupon')}
      words={couponWords}
    />
  );
}

type MethodProps = Choosing & { customer: string | null; label: string; placeholder?: string; isClearable?: boolean };

/** One of the payment methods of a customer. */
export function MethodSelect({ customer, label, placeholder, isClearable = false, value, onChange }: MethodProps) {
  const { data } = useMethodsOf(customer);
  const choices = data?.data.map((method) => ({ value: method.id, label: methodWords(method) })) ?? [];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      description={data?.data.length === 0 ? 'This customer has no payment method.' : undefined}
      clearable={isClearable}
      allowDeselect={isClearable}
      data={choices}
      value={value}
      onChange={onChange}
    />
  );
}

export function useMethodsOf(customer: string | null) {
  return useRead(
    ['customers', customer, 'methods'],
    (api, options) => api.customers.listPaymentMethods(customer!, { limit: newestMax }, options),
    { isEnabled: customer !== null },
  );
}
