import { ActionIcon } from '@mantine/core';
import type { Customer, InvoiceItem } from '@tollgate/node';
import { lazy, Suspense } from 'react';
import { confirmation, type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { chunk } from '../../kit/chunk.ts';
import { createdColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { Icon } from '../../kit/icon.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { invoiceColumns } from '../../nouns/invoice_columns.tsx';
import { addInvoiceItem } from '../../nouns/invoice_item_dialog.tsx';
import { listSubscriptions, subscriptionColumns } from '../../nouns/subscription_columns.tsx';
import { useWorkspace } from '../../session/workspace.tsx';

/** The pages of billing are not loaded with every payment and customer. */
const NewInvoice = lazy(chunk(async () => ({ default: (await import('../invoices/create.tsx')).NewInvoice })));
const NewSubscription = lazy(
  chunk(async () => ({ default: (await import('../subscriptions/list.tsx')).NewSubscription })),
);

const newest = 10;
const itemsMax = 100;

/** What a customer subscribes to, is billed for, and will be billed for. */
export function BillingOf({ customer: { id } }: { customer: Customer }) {
  const subscriptions = useRead(['customers', id, 'subscriptions'], (api, options) =>
    listSubscriptions(api, { customer: id, limit: newest }, options),
  );
  const invoices = useRead(['customers', id, 'invoices'], (api, options) =>
    api.invoices.list({ customer: id, limit: newest }, options),
  );
  return (
    <>
      <RelatedList
        title="Subscriptions"
        reading={subscriptions}
        columns={subscriptionColumns.filter((column) => column.id !== 'customer')}
        all={{ path: '/subscriptions', search: { customer: id } }}
        aside={
          <Suspense fallback={null}>
            <NewSubscription customer={id} />
          </Suspense>
        }
        empty="No subscriptions."
      />
      <RelatedList
        title="Invoices"
        reading={invoices}
        columns={invoiceColumns.filter((column) => column.id !== 'customer')}
        all={{ path: '/invoices', search: { customer: id } }}
        aside={
          <Suspense fallback={null}>
            <NewInvoice customer={id} />
          </Suspense>
        }
        empty="No invoices."
      />
      <WaitingItems customer={id} />
    </>
  );
}

/** One-off amounts that no invoice has yet. */
function WaitingItems({ customer }: { customer: string }) {
  const { may } = useWorkspace();
  const reading = useRead(['customers', customer, 'items'], async (api, options) => {
    const { data } = await api.invoiceItems.list({ customer, limit: itemsMax }, options);
    return { data: data.filter(({ invoice }) => invoice === undefined) };
  });
  return (
    <RelatedList
      title="Pending invoice items"
      reading={reading}
      columns={may('invoice_items.delete') ? [...itemColumns, deleteColumn] : itemColumns}
      aside={<CreateButton title="Add item" calls="invoice_items.create" isSmall dialog={addInvoiceItem(customer)} />}
      empty="No items."
    />
  );
}

const itemColumns: readonly Column<InvoiceItem>[] = [
  { id: 'amount', title: 'Amount', cell: ({ amount, currency }) => formatMoney(amount, currency) },
  { id: 'description', title: 'Description', isText: true, cell: ({ description }) => description },
  {
    id: 'waits',
    title: 'Invoiced on',
    isWideOnly: true,
    cell: ({ subscription }) => (subscription === undefined ? 'The next invoice' : 'The next one of a subscription'),
  },
  { ...createdColumn, isWideOnly: true },
];

const deleteColumn: Column<InvoiceItem> = {
  id: 'delete',
  title: 'Delete',
  hideTitle: true,
  align: 'right',
  cell: (item) => <DeleteButton item={item} />,
};

function DeleteButton({ item }: { item: InvoiceItem }) {
  const { dialog, open } = useDialog();
  const shown = formatMoney(item.amount, item.currency);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Delete the item of ${shown}`}
        onClick={() => open(deleteItem(item))}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
      {dialog}
    </>
  );
}

function deleteItem({ id, amount, currency, description }: InvoiceItem): OpenDialog {
  const shown = formatMoney(amount, currency);
  return confirmation({
    title: 'Delete the item',
    confirm: `Delete ${shown}`,
    isDangerous: true,
    preview: [`${shown} for “${description}” will not be invoiced.`, endpointsGet('invoice_item.deleted')],
    run: (api, options) => api.invoiceItems.delete(id, options),
    done: () => `Item of ${shown} deleted`,
  });
}
