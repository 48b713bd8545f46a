import { SegmentedControl, TextInput } from '@mantine/core';
import type { InvoiceItemsCreateParameters } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../kit/action_dialog.tsx';
import { endpointsGet } from '../kit/endpoints_get.tsx';
import { formatMoney } from '../kit/money.ts';
import { MoneyField, type MoneyText, moneyOf } from '../kit/money_field.tsx';

type ItemProps = {
  customer: string;
  /** Whose next invoice gets it; otherwise the next one of the customer. */
  subscription?: { id: string; currency: string };
  onClose(): void;
};

const directions = [
  { value: 'charge', label: 'Charge' },
  { value: 'deduct', label: 'Deduct' },
];

/** A one-off amount that waits for an invoice. */
export function InvoiceItemDialog({ customer, subscription, onClose }: ItemProps) {
  const [money, setMoney] = useState<MoneyText>({ text: '', currency: subscription?.currency ?? 'eur' });
  const [direction, setDirection] = useState('charge');
  const [description, setDescription] = useState('');
  const amount = moneyOf(money) ?? 0;
  const shown = formatMoney(direction === 'charge' ? amount : -amount, money.currency);
  const params: InvoiceItemsCreateParameters | undefined =
    amount === 0 || description.trim() === ''
      ? undefined
      : {
          ...{ customer, currency: money.currency, description: description.trim() },
          amount: direction === 'charge' ? amount : -amount,
          ...(subscription !== undefined && { subscription: subscription.id }),
        };
  const invoice =
    subscription === undefined
      ? `the customer’s next invoice in ${money.currency.toUpperCase()}`
      : 'the next invoice of the subscription';
  return (
    <ActionDialog
      title="Add a one-off item"
      confirm={params === undefined ? 'Add the item' : `Add ${shown}`}
      params={params}
      preview={[
        params === undefined
          ? 'Enter an amount and a description.'
          : `${shown} is added to ${invoice}. Nothing is charged until then.`,
        'You can delete it until it is invoiced.',
        endpointsGet('invoice_item.created'),
      ]}
      run={(api, sent, options) => api.invoiceItems.create(sent, options)}
      done={() => `Item of ${shown} added`}
      onClose={onClose}
    >
      <SegmentedControl aria-label="Charge or deduct" data={directions} value={direction} onChange={setDirection} />
      <MoneyField hasFocus label="Amount" value={money} onChange={setMoney} isFixed={subscription !== undefined} />
      <TextInput
        label="Description"
        maxLength={1_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}
