import { Select } from '@mantine/core';
import type { ValueProps } from '../kit/dialog_form.tsx';
import { ObjectSelect } from '../kit/object_select.tsx';
import { useRead } from '../kit/read.ts';
import { activePrices, clocks, coupons, customers } from './choosables.ts';
import { methodWords } from './payment_method_words.ts';

type Choosing = ValueProps<string | null>;

export function CustomerSelect(props: Choosing & { hasFocus?: boolean; isClearable?: boolean }) {
  return <ObjectSelect {...props} of={customers} label="Customer" placeholder="Name, email or ID" />;
}

export function PriceSelect(props: Choosing & { label: string }) {
  return <ObjectSelect {...props} of={activePrices} />;
}

export function CouponSelect(props: Choosing & { description?: string }) {
  return <ObjectSelect {...props} of={coupons} label="Coupon" placeholder="None" isClearable />;
}

export function ClockSelect(props: Choosing & { description?: string }) {
  return <ObjectSelect {...props} of={clocks} label="Test clock" placeholder="None" isClearable />;
}

type MethodProps = Choosing & { customer: string | null; label: string; placeholder?: string; isClearable?: boolean };

/** One of the payment methods of a customer. */
export function MethodSelect({ customer, label, placeholder, isClearable = false, ...input }: MethodProps) {
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
      {...input}
    />
  );
}

/** A customer has at most so many. */
const methodsMax = 100;

export function useMethodsOf(customer: string | null) {
  return useRead(
    ['customers', customer, 'methods'],
    (api, options) => api.customers.listPaymentMethods(customer!, { limit: methodsMax }, options),
    { isEnabled: customer !== null },
  );
}
