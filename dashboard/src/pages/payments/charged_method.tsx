import { Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PaymentMethod } from '@tollgate/node';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { useMethodsOf } from '../../nouns/billing_selects.tsx';
import { useCustomer } from '../../nouns/names.tsx';
import { expiryOf, methodWords } from '../../nouns/payment_method_words.ts';

type SelectProps = InputProps<string | null> & { customer: string | null; onClose(): void };

/** A payment method of the customer. Without a customer, any that is stored, by its id. */
export function ChargedMethod({ customer, onClose, ...input }: SelectProps) {
  if (customer !== null) return <OfCustomer {...input} customer={customer} onClose={onClose} />;
  return (
    <TextInput
      label="Payment method"
      description="Select a customer to see their payment methods, or paste the ID of a payment method."
      placeholder="pm_…"
      {...input}
      value={input.value ?? ''}
      onChange={(event) => input.onChange(event.currentTarget.value.trim() || null)}
    />
  );
}

/** The one to begin with: the default of the customer, or else the newest, once both are known. */
export function useProposedMethod(customer: string | null): string | null {
  const { data: owner } = useCustomer(customer);
  const { data: methods } = useMethodsOf(customer);
  return owner === undefined ? null : (owner.default_payment_method ?? methods?.data[0]?.id ?? null);
}

function OfCustomer({ customer, onClose, ...input }: SelectProps & { customer: string }) {
  const methods = useMethodsOf(customer);
  const usual = useCustomer(customer).data?.default_payment_method;
  const choices = methods.data?.data.map((method) => ({ value: method.id, label: labelOf(method, usual) })) ?? [];
  const isNone = methods.data?.data.length === 0;
  return (
    <Select
      label="Payment method"
      data={choices}
      {...input}
      allowDeselect={false}
      disabled={choices.length === 0}
      placeholder={isNone ? 'None' : undefined}
      description={
        isNone ? (
          <Link to={`/customers/${customer}` as string} onClick={onClose}>
            This customer has no payment method yet: add one
          </Link>
        ) : undefined
      }
    />
  );
}

function labelOf(method: PaymentMethod, usual: string | undefined): string {
  const isDefault = method.id === usual;
  return [methodWords(method), expiryOf(method), isDefault && 'default'].filter(Boolean).join(' · ');
}
