import type { Subscription } from '@tollgate/node';
import { useCustomer, useMethodWords } from './names.tsx';

type Charged = { customer: string | null; default_payment_method?: Subscription['default_payment_method'] | null };

/** The method that is charged: that of the subscription, or else the default of the customer. */
export function useChargedMethod({ customer, default_payment_method }: Charged): string | undefined {
  const { data } = useCustomer(customer);
  return default_payment_method ?? data?.default_payment_method;
}

/** The same in words, once they are known. */
export function useChargedWords(charged: Charged): string | undefined {
  return useMethodWords(useChargedMethod(charged)).data;
}
