import type { Customer } from '@tollgate/node';
import { ObjectSelect } from './object_select.tsx';

type SelectProps = {
  value: string | null;
  onChange(customer: string | null): void;
  description?: string;
  hasFocus?: boolean;
  isClearable?: boolean;
};

const newest = 100;

/** A customer to choose: by name, email or id. */
export function CustomerSelect(props: SelectProps) {
  return (
    <ObjectSelect<Customer>
      {...props}
      label="Customer"
      name="customers"
      list={(api, options) => api.customers.list({ limit: newest }, options)}
      find={(api, typed, options) => api.customers.retrieve(typed, options)}
      isFindable={(typed) => /^cus_\w{22}$/.test(typed)}
      words={({ name, email, id }) => [name, email].filter(Boolean).join(' · ') || id}
    />
  );
}
