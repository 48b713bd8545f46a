import type { Subscription } from '@tollgate/node';
import { useMethodWords } from '../../kit/names.tsx';
import { useRead } from '../../kit/read.ts';

type Charged = Pick<Subscription, 'customer' | 'default_payment_method'>;

/** The method that is charged: that of the subscription, or else the default of the customer. */
export function useChargedMethod({ customer, default_payment_method }: Charged): string | undefined {
  const { data } = useRead(['customers', customer], (api, options) => api.customers.retrieve(customer, options));
  return default_payment_method ?? data?.default_payment_method;
}

/** The same in words, once they are known. */
export function useChargedCard(subscription: Charged): string | undefined {
  return useMethodWords(useChargedMethod(subscription)).data;
}
