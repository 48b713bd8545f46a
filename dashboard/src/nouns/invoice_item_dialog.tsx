import { SegmentedControl } from '@mantine/core';
import type { OpenDialog } from '../kit/action_dialog.tsx';
import { endpointsGet } from '../kit/endpoints_get.tsx';
import { field, form, textField } from '../kit/form_dialog.tsx';
import { formatMoney, moneyOf } from '../kit/money.ts';
import { moneyField } from '../kit/money_field.tsx';

const directions = [
  { value: 'charge', label: 'Charge' },
  { value: 'deduct', label: 'Deduct' },
];

/** A one-off amount for the next invoice: that of a subscription, if one is given, or else the customer's. */
export function addInvoiceItem(customer: string, subscription?: { id: string; currency: string }): OpenDialog {
  const isFixed = subscription !== undefined;
  return form({
    title: 'Add a one-off item',
    fields: {
      direction: field('charge', ({ value, onChange }) => (
        <SegmentedControl aria-label="Charge or deduct" data={directions} value={value} onChange={onChange} />
      )),
      amount: moneyField('Amount', { currency: subscription?.currency, isFixed, hasFocus: true }),
      description: textField('Description', '', { maxLength: 1_000 }),
    },
    sentBy: { currency: 'amount.currency' },
    describe({ direction, amount: money, description }) {
      const { currency } = money;
      const amount = (moneyOf(money) ?? 0) * (direction === 'charge' ? 1 : -1);
      const shown = formatMoney(amount, currency);
      const isReady = amount !== 0 && description.trim() !== '';
      const invoice = isFixed
        ? 'the next invoice of the subscription'
        : `the customer’s next invoice in ${currency.toUpperCase()}`;
      const params = {
        customer,
        currency,
        description: description.trim(),
        amount,
        ...(isFixed && { subscription: subscription.id }),
      };
      return {
        confirm: isReady ? `Add ${shown}` : 'Add the item',
        params: isReady ? params : undefined,
        preview: [
          isReady
            ? `${shown} is added to ${invoice}. Nothing is charged until then.`
            : 'Enter an amount and a description.',
          'You can delete it until it is invoiced.',
          endpointsGet('invoice_item.created'),
        ],
      };
    },
    run: (api, sent, options) => api.invoiceItems.create(sent, options),
    done: ({ amount, currency }) => `Item of ${formatMoney(amount, currency)} added`,
  });
}
