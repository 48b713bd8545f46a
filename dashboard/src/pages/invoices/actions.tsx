import type { Invoice } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { finalizeInvoice, markUncollectible, voidInvoice } from './endings.tsx';
import { PayDialog } from './pay.tsx';

/** What the status allows, and the role. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const { id, status, metadata } = invoice;
  const isOwed = status === 'open' || status === 'uncollectible';
  const actions: ActionEntry[] = [
    {
      title: 'Finalize',
      right: 'change',
      isPossible: status === 'draft',
      isMain: true,
      dialog: finalizeInvoice(invoice),
    },
    {
      title: 'Pay',
      right: 'change',
      isPossible: isOwed,
      isMain: true,
      dialog: (onClose) => <PayDialog invoice={invoice} onClose={onClose} />,
    },
    { title: 'Void', right: 'change', isPossible: isOwed, dialog: voidInvoice(invoice) },
    {
      title: 'Mark as uncollectible',
      right: 'change',
      isPossible: status === 'open',
      isMore: true,
      dialog: markUncollectible(invoice),
    },
    {
      title: 'Edit metadata',
      right: 'change',
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
