import type { Invoice } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { formatMoney } from '../../kit/money.ts';

const settles =
  'It counts as settled: if no other invoice is open, a past due subscription becomes active, and an incomplete one canceled.';

export function finalizeInvoice(invoice: Invoice): OpenDialog {
  const { id, total, currency } = invoice;
  const shown = formatMoney(total, currency);
  return confirmation({
    title: 'Finalize this draft',
    confirm: `Finalize ${shown}`,
    preview: [
      'It gets its number. Its lines can no longer be changed.',
      total > 0
        ? 'Customer credit is applied. The remaining amount can then be paid. Nothing is charged now.'
        : `Nothing is due: it is marked as paid.${total < 0 ? ` ${formatMoney(-total, currency)} is added to the customer’s credit.` : ''}`,
      endpointsGet('invoice.finalized'),
    ],
    run: (api, options) => api.invoices.finalize(id, {}, options),
    done: ({ number, status }) => `${number} is ${status}`,
  });
}

export function voidInvoice(invoice: Invoice): OpenDialog {
  const { id, number, amount_remaining, credit_applied, currency, subscription } = invoice;
  const shown = formatMoney(amount_remaining, currency);
  return confirmation({
    title: `Void ${number}`,
    confirm: `Void ${shown}`,
    isDangerous: true,
    preview: [
      `${shown} is no longer owed. The invoice cannot be paid later, and its items are not invoiced again.`,
      ...(credit_applied > 0
        ? [`${formatMoney(credit_applied, currency)} of credit is returned to the customer.`]
        : []),
      ...(subscription === undefined ? [] : [settles]),
      endpointsGet('invoice.voided'),
    ],
    run: (api, options) => api.invoices.void(id, {}, options),
    done: () => `${number} is void`,
  });
}

export function markUncollectible(invoice: Invoice): OpenDialog {
  const { id, number, amount_remaining, currency, subscription } = invoice;
  const shown = formatMoney(amount_remaining, currency);
  return confirmation({
    title: `Mark ${number} as uncollectible`,
    confirm: `Give up ${shown}`,
    isDangerous: true,
    preview: [
      `Records that you do not expect to collect ${shown}. It is not retried, and can still be paid or voided.`,
      ...(subscription === undefined ? [] : [settles]),
      endpointsGet('invoice.marked_uncollectible'),
    ],
    run: (api, options) => api.invoices.markUncollectible(id, {}, options),
    done: () => `${number} is uncollectible`,
  });
}
