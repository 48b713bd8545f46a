import type { PaymentLinksCreateParameters } from '@tollgate/node';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, selectField, textField } from '../../kit/form_dialog.tsx';
import { moneyField } from '../../kit/money_field.tsx';
import { ObjectSelect } from '../../kit/object_select.tsx';
import { activePrices } from '../../nouns/choosables.ts';
import { savingField, trialField } from '../../nouns/sold_fields.tsx';
import { linkAmount } from '../../nouns/sold_words.ts';
import { limitOf, quantityOf, type SoldFields, soldParams } from './sold.ts';

const fields = {
  kind: selectField<SoldFields['kind']>(
    'Customers',
    [
      { value: 'amount', label: 'Pay an amount' },
      { value: 'price', label: 'Pay a price' },
      { value: 'subscription', label: 'Subscribe' },
      { value: 'choice', label: 'Choose how much they pay' },
      { value: 'setup', label: 'Save a card, without paying' },
    ],
    'amount',
  ),
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
  trial: trialField,
  save: savingField,
  limit: textField('How often it can be sold', '', {
    description: 'Optional',
    inputMode: 'numeric',
    autoComplete: 'off',
    problem: (text) => (text !== '' && limitOf(text) === undefined ? '1 to 1,000,000' : undefined),
  }),
};

const hiddenFields = {
  amount: ['least', 'most', 'price', 'quantity', 'trial'],
  price: ['description', 'amount', 'least', 'most', 'trial'],
  subscription: ['description', 'amount', 'least', 'most', 'save'],
  choice: ['amount', 'price', 'quantity', 'trial'],
  setup: ['amount', 'least', 'most', 'price', 'quantity', 'trial', 'save'],
} as const satisfies Record<SoldFields['kind'], readonly (keyof typeof fields)[]>;

const acts: Record<SoldFields['kind'], string> = {
  amount: 'pay',
  price: 'pay',
  subscription: 'subscribe',
  choice: 'pay',
  setup: 'save a card',
};

export const createLink = form({
  title: 'Create a payment link',
  fields,
  sentBy: {
    currency: 'amount.currency',
    'amount_choice.min': 'least',
    'amount_choice.max': 'most',
    'line_items.0.price': 'price',
    'line_items.0.quantity': 'quantity',
    save_payment_method: 'save',
    'subscription_data.trial_days': 'trial',
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
          ? `Everybody who has the address can ${acts[values.kind]}, as often as they like.`
          : 'Say what is sold, and for how much.',
        ...(limit === undefined ? [] : [`After ${limit.toLocaleString()} sales it is sold out.`]),
        endpointsGet('payment_link.created'),
      ],
      hidden: hiddenFields[values.kind],
    };
  },
  run: (api, params, options) => api.paymentLinks.create(params, options),
  done: () => 'Payment link created',
  leadsTo: ({ id }) => `/payment-links/${id}`,
});
