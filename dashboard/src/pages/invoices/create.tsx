import { Group, Select } from '@mantine/core';
import type { Price } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { counted } from '../../kit/counted.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { currencies, formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';
import { type LineRow, newItemsOf } from './lines.ts';
import { LinesEditor, newAmount } from './lines_editor.tsx';

const pageMax = 100;

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

type Fields = { customer: string | null; currency: string | null; rows: LineRow[] };

const sentBy = { items: 'rows' };

/** A draft of the items that wait for an invoice of the customer, and of lines that are added here: one request. */
function CreateDialog({ customer: given, onClose }: { customer: string | undefined; onClose(): void }) {
  const first = (): Fields => ({ customer: given ?? null, currency: null, rows: [newAmount()] });
  const { values, input, held } = useDialogForm<Fields>('invoice', first, sentBy);
  const { customer, rows } = values;
  const { data: waiting } = useWaitingItems(customer);
  const currency = values.currency ?? waiting?.[0]?.currency ?? 'eur';
  const items = waiting?.filter((item) => item.currency === currency) ?? [];
  const prices = useChosenPrices(rows);
  const added = newItemsOf(rows, currency, prices);
  const count = items.length + (added?.items.length ?? 0);
  const sum = items.reduce((total, { amount }) => total + amount, 0) + (added?.sum ?? 0);
  const total = formatMoney(sum, currency);
  const isReady = customer !== null && waiting !== undefined && added !== undefined && count > 0;
  return (
    <ActionDialog
      title="Create an invoice"
      {...held}
      isWide
      confirm={isReady ? `Create a draft of ${total}` : 'Create a draft'}
      params={isReady ? { customer, currency, ...(added.items.length > 0 && { items: added.items }) } : undefined}
      preview={sentencesOf({ customer, isWhole: added !== undefined, waiting: items.length, count, total })}
      run={(api, sent, options) => api.invoices.create(sent, options)}
      done={(invoice) => `Draft of ${formatMoney(invoice.total, invoice.currency)} created`}
      leadsTo={({ id }) => `/invoices/${id}`}
      onClose={onClose}
    >
      {given === undefined && <CustomerSelect hasFocus {...input('customer')} />}
      <Select
        label="Currency"
        w="8rem"
        searchable
        allowDeselect={false}
        data={currencies}
        {...input('currency')}
        value={currency.toUpperCase()}
        onChange={(code) => code !== null && input('currency').onChange(code.toLowerCase())}
      />
      {items.map((item) => (
        <Group key={item.id} justify="space-between" align="flex-start" gap="md" wrap="nowrap" fz="sm" lh="sm">
          <span style={{ overflowWrap: 'anywhere' }}>{item.description}</span>
          <span>{formatMoney(item.amount, item.currency)}</span>
        </Group>
      ))}
      <LinesEditor {...input('rows')} currency={currency} prices={prices} />
    </ActionDialog>
  );
}

type Facts = { customer: string | null; isWhole: boolean; waiting: number; count: number; total: string };

function sentencesOf({ customer, isWhole, waiting, count, total }: Facts) {
  if (customer === null) return ['Select a customer. Pending items become lines, and you can add more.'];
  if (!isWhole)
    return ['Complete each line: an amount with a description, or a price. An amount below 0 is a deduction.'];
  if (count === 0) return ['This customer has no pending items in this currency. Add a line.'];
  return [
    `A draft of ${total} with ${counted(count, 'line')}${waiting === 0 ? '' : `, ${waiting} of them pending until now`}. Nothing is charged until it is finalized and paid.`,
    endpointsGet('invoice.created'),
  ];
}

/** The prices that lines name. */
function useChosenPrices(rows: readonly LineRow[]): readonly Price[] {
  const ids = rows.flatMap((row) => (row.kind === 'price' && row.price !== null ? [row.price] : [])).sort();
  const { data } = useRead(
    ['prices', 'of lines', ids],
    (api, options) => api.prices.list({ ids, limit: pageMax }, options),
    { isEnabled: ids.length > 0, keeps: true },
  );
  return data?.data ?? [];
}

/** Pending invoice items of the customer, not of a subscription. */
function useWaitingItems(customer: string | null) {
  return useRead(
    ['customers', customer, 'waiting'],
    async (api, options) => {
      const { data } = await api.invoiceItems.list({ customer: customer!, limit: pageMax }, options);
      return data.filter(({ invoice, subscription }) => invoice === undefined && subscription === undefined);
    },
    { isEnabled: customer !== null },
  );
}
