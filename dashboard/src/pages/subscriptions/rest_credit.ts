import type { Subscription } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';

/**
 * What would be credited for the rest of the period: the same as for a change to nothing. Undefined until it is known, and if the API
 * does not show it.
 */
export function useRestCredit({ id, items }: Subscription, isWanted: boolean): number | undefined {
  const { data } = useRead(
    ['invoices', 'preview', id, 'rest'],
    (api, options) =>
      api.invoices.preview(
        {
          subscription: id,
          items: items.map((item) => ({ id: item.id, quantity: 0 })),
          proration: 'invoice_now',
        },
        options,
      ),
    { isEnabled: isWanted },
  );
  return data?.lines
    .filter(({ proration, amount }) => proration && amount < 0)
    .reduce((sum, { amount }) => sum - amount, 0);
}
