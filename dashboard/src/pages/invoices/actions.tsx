import type { Invoice } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { formatMoney } from '../../kit/money.ts';
import { PayDialog } from './pay.tsx';

/** What the status allows, and the role. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const { id, status, metadata } = invoice;
  const isOwed = status === 'open' || status === 'uncollectible';
  const actions: ActionEntry[] = [
    {
      title: 'Finalize',
      calls: 'invoices.finalize',
      asked: 'finalize it',
      isPossible: status === 'draft',
      isMain: true,
      dialog: finalizeInvoice(invoice),
    },
    {
      title: 'Pay',
      calls: 'invoices.pay',
      asked: 'charge it',
      isPossible: isOwed,
      isMain: true,
      dialog: (onClose) => <PayDialog invoice={invoice} onClose={onClose} />,
    },
    { title: 'Void', calls: 'invoices.void', asked: 'void it', isPossible: isOwed, dialog: voidInvoice(invoice) },
    {
      title: 'Mark as uncollectible',
      calls: 'invoices.mark_uncollectible',
      isPossible: status === 'open',
      isMore: true,
      dialog: markUncollectible(invoice),
    },
    {
      title: 'Edit metadata',
      calls: 'invoices.update',
      isMore: true,
      dialog: editMetadata({
        metadata,
        event: 'invoice.updated',
        run: (api, params, options) => api.invoices.update(id, params, options),
      }),
    },
  ];
  return <ActionButtons actions={actions} />;
}

const settles =
  'It counts as settled: if no other invoice is open, a past due subscription becomes active, and an incomplete one canceled.';

function finalizeInvoice(invoice: Invoice): OpenDialog {
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

function voidInvoice(invoice: Invoice): OpenDialog {
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

function markUncollectible(invoice: Invoice): OpenDialog {
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
