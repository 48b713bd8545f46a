import { SegmentedControl } from '@mantine/core';
import type { PaymentLinksCreateParameters } from '@tollgate/node';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { moneyField } from '../../kit/money_field.tsx';
import { ObjectSelect } from '../../kit/object_select.tsx';
import { activePrices } from '../../nouns/choosables.ts';
import { linkAmount } from '../../nouns/sold_words.ts';
import { limitOf, quantityOf, type SoldFields, soldParams } from './sold.ts';

const kinds = [
  { value: 'amount', label: 'An amount' },
  { value: 'price', label: 'A price' },
  { value: 'subscription', label: 'Subscription' },
  { value: 'choice', label: 'Customers choose' },
] as const;

const fields = {
  kind: field<SoldFields['kind']>('amount', ({ value, onChange }) => (
    <SegmentedControl fullWidth aria-label="What customers pay" data={[...kinds]} value={value} onChange={onChange} />
  )),
  description: textField('What is sold', '', { maxLength: 1_000, hasFocus: true, placeholder: 'Coffee beans' }),
  amount: moneyField('Amount'),
  least: moneyField('At least'),
  most: moneyField('At most'),
  price: field<string | null>(null, (input) => (
    <ObjectSelect
      of={activePrices}
      label="Price"
      description="One that is paid once; for a subscription, one that recurs"
      {...input}
    />
  )),
  quantity: textField('Quantity', '1', {
    inputMode: 'numeric',
    autoComplete: 'off',
    problem: (text) => (quantityOf(text) === undefined ? '1 to 999' : undefined),
  }),
  limit: textField('How often it can be sold', '', {
    description: 'Optional',
    inputMode: 'numeric',
    autoComplete: 'off',
    problem: (text) => (text !== '' && limitOf(text) === undefined ? '1 to 1,000,000' : undefined),
  }),
};

const shownFields = {
  amount: ['least', 'most', 'price', 'quantity'],
  price: ['description', 'amount', 'least', 'most'],
  subscription: ['description', 'amount', 'least', 'most'],
  choice: ['amount', 'price', 'quantity'],
} as const satisfies Record<SoldFields['kind'], readonly (keyof typeof fields)[]>;

export const createLink = form({
  title: 'Create a payment link',
  fields,
  sentBy: {
    currency: 'amount.currency',
    'amount_choice.min': 'least',
    'amount_choice.max': 'most',
    'line_items.0.price': 'price',
    'line_items.0.quantity': 'quantity',
  },
  describe(values) {
    const sold = soldParams(values);
    const limit = values.limit.trim() === '' ? undefined : limitOf(values.limit);
    const isReady = sold !== undefined && (values.limit.trim() === '' || limit !== undefined);
    const words = sold && linkAmount(sold as Parameters<typeof linkAmount>[0]);
    const params: PaymentLinksCreateParameters | undefined = isReady ? { ...sold, ...(limit && { limit }) } : undefined;
    return {
      confirm: words ? `Create a link for ${words}` : 'Create link',
      params,
      preview: [
        isReady
          ? `Everybody who has the address can ${values.kind === 'subscription' ? 'subscribe' : 'pay'}, as often as they like.`
          : 'Say what is sold, and for how much.',
        ...(limit === undefined ? [] : [`After ${limit.toLocaleString()} sales it is sold out.`]),
        endpointsGet('payment_link.created'),
      ],
      hidden: shownFields[values.kind],
    };
  },
  run: (api, params, options) => api.paymentLinks.create(params, options),
  done: () => 'Payment link created',
  leadsTo: ({ id }) => `/payment-links/${id}`,
});
