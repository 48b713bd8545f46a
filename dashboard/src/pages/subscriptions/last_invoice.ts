import type { Subscription, UpcomingInvoice } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';

/**
 * The invoice that credits the rest of the period, with all that waits for it: the same as for a change to nothing. Undefined until it is
 * known, and if the API does not show it.
 */
export function useCreditInvoice({ id, items }: Subscription, isWanted: boolean): UpcomingInvoice | undefined {
  const nothing = items.map((item) => ({ id: item.id, quantity: 0 }));
  const { data } = useRead(
    ['invoices', 'preview', id, 'nothing'],
    (api, options) => api.invoices.preview({ subscription: id, items: nothing, proration: 'invoice_now' }, options),
    { isEnabled: isWanted },
  );
  return data;
}

/** `credit €45.00`, `charge €10.00`: for a button. Undefined where neither is done, or nothing is known. */
export function effectOf(invoice: UpcomingInvoice | undefined): string | undefined {
  if (invoice === undefined || (invoice.total >= 0 && invoice.amount_due === 0)) return undefined;
  const { total, amount_due, currency } = invoice;
  return total < 0 ? `credit ${formatMoney(-total, currency)}` : `charge ${formatMoney(amount_due, currency)}`;
}

/** What is done with it. */
export function creditSentence(invoice: UpcomingInvoice | undefined): string {
  const credited = 'The rest of the period is credited on an invoice, together with pending items.';
  if (invoice === undefined) return credited;
  const { total, amount_due, currency } = invoice;
  if (total < 0)
    return `${credited} ${formatMoney(-total, currency)} is added to the customer’s credit for later invoices.`;
  return amount_due === 0
    ? `${credited} Nothing is charged.`
    : `${credited} ${formatMoney(amount_due, currency)} is charged.`;
}
