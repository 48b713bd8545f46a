import { Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PaymentMethod } from '@tollgate/node';
import { useEffect } from 'react';
import { useMethodsOf } from '../../kit/billing_selects.tsx';
import { methodWords } from '../../kit/names.tsx';
import { useRead } from '../../kit/read.ts';

type SelectProps = {
  customer: string | null;
  value: string | null;
  onChange(method: string | null): void;
  onClose(): void;
};

/** A card of the customer. Without a customer, any that is stored, by its id. */
export function ChargedMethod(props: SelectProps) {
  const { customer, value, onChange } = props;
  if (customer !== null) return <OfCustomer {...props} customer={customer} />;
  return (
    <TextInput
      label="Payment method"
      description="Choose a customer to see their cards, or paste the id of a payment method."
      placeholder="pm_…"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value.trim() || null)}
    />
  );
}

function OfCustomer({ customer, value, onChange, onClose }: SelectProps & { customer: string }) {
  const methods = useMethodsOf(customer);
  const owner = useRead(['customers', customer], (api, options) => api.customers.retrieve(customer, options));
  const usual = owner.data?.default_payment_method;
  const first = methods.data?.data[0]?.id;
  // The default is chosen, or the newest: once both are known, and not against a choice.
  const proposed = owner.data === undefined ? undefined : (usual ?? first);
  useEffect(() => {
    if (value === null && proposed !== undefined) onChange(proposed);
  }, [value, proposed, onChange]);
  const choices = methods.data?.data.map((method) => ({ value: method.id, label: labelOf(method, usual) })) ?? [];
  const isNone = methods.data?.data.length === 0;
  return (
    <Select
      label="Payment method"
      data={choices}
      value={value}
      onChange={onChange}
      allowDeselect={false}
      disabled={choices.length === 0}
      placeholder={isNone ? 'None' : undefined}
      description={
        isNone ? (
          <Link to={`/customers/${customer}` as string} onClick={onClose}>
            This customer has no card yet: add one
          </Link>
        ) : undefined
      }
    />
  );
}

function labelOf(method: PaymentMethod, usual: string | undefined): string {
  const { exp_month, exp_year } = method.card;
  const words = `${methodWords(method)} · ${String(exp_month).padStart(2, '0')}/${exp_year}`;
  return method.id === usual ? `${words} · default` : words;
}
