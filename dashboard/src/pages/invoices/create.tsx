import { Group, Select } from '@mantine/core';
import type { InvoiceItem } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';

const itemsMax = 100;

/** A button that makes a draft and leads to it. */
export function NewInvoice({ customer }: { customer?: string }) {
  return (
    <CreateButton
      title="Create invoice"
      calls="invoices.create"
      isSmall={customer !== undefined}
      dialog={(onClose) => <CreateDialog customer={customer} onClose={onClose} />}
    />
  );
}

/** A draft of the items that wait for an invoice of the customer. */
function CreateDialog({ customer: given, onClose }: { customer: string | undefined; onClose(): void }) {
  const { values, input, held } = useDialogForm('invoice', () => ({
    customer: given ?? null,
    currency: null as string | null,
  }));
  const { customer, currency: chosen } = values;
  const { data: waiting } = useWaitingItems(customer);
  const currencies = [...new Set(waiting?.map(({ currency }) => currency))];
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : currencies[0];
  const items = waiting?.filter((item) => item.currency === currency) ?? [];
  const total = formatMoney(
    items.reduce((sum, { amount }) => sum + amount, 0),
    currency ?? 'eur',
  );
  return (
    <ActionDialog
      title="Create an invoice"
      {...held}
      confirm={items.length === 0 ? 'Create a draft' : `Create a draft of ${total}`}
      params={customer === null || currency === undefined ? undefined : { customer, currency }}
      preview={sentencesOf(customer, waiting, items, total)}
      run={(api, sent, options) => api.invoices.create(sent, options)}
      done={(invoice) => `Draft of ${formatMoney(invoice.total, invoice.currency)} created`}
      leadsTo={({ id }) => `/invoices/${id}`}
      onClose={onClose}
    >
      {given === undefined && <CustomerSelect hasFocus {...input('customer')} />}
      {currencies.length > 1 && (
        <Select
          label="Currency"
          allowDeselect={false}
          data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
          {...input('currency')}
          value={currency ?? null}
        />
      )}
      {items.map((item) => (
        <Group key={item.id} justify="space-between" align="flex-start" gap="md" wrap="nowrap" fz="sm" lh="sm">
          <span style={{ overflowWrap: 'anywhere' }}>{item.description}</span>
          <span>{formatMoney(item.amount, item.currency)}</span>
        </Group>
      ))}
    </ActionDialog>
  );
}

function sentencesOf(
  customer: string | null,
  waiting: readonly InvoiceItem[] | undefined,
  items: readonly InvoiceItem[],
  total: string,
) {
  if (customer === null) return ['Select a customer. Pending items become the lines.'];
  if (waiting?.length === 0)
    return ['This customer has no pending items. Add one-off items on the customer page first.'];
  return [
    `${items.length === 1 ? 'The item becomes a line' : `${items.length} items become lines`} of a draft of ${total}. Nothing is charged until it is finalized and paid.`,
    endpointsGet('invoice.created'),
  ];
}

/** Pending invoice items of the customer, not of a subscription. */
function useWaitingItems(customer: string | null) {
  return useRead(
    ['customers', customer, 'waiting'],
    async (api, options) => {
      const { data } = await api.invoiceItems.list({ customer: customer!, limit: itemsMax }, options);
      return data.filter(({ invoice, subscription }) => invoice === undefined && subscription === undefined);
    },
    { isEnabled: customer !== null },
  );
}
