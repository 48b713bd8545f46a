import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, selectField, textField } from '../../kit/form_dialog.tsx';
import { formatMoney, moneyOf } from '../../kit/money.ts';
import { moneyField } from '../../kit/money_field.tsx';
import { ObjectSelect } from '../../kit/object_select.tsx';
import { activePrices } from '../../nouns/choosables.ts';
import { savingField, trialField } from '../../nouns/sold_fields.tsx';
import { type SessionFields, sessionParams } from './asked_for.ts';

const fields = {
  mode: selectField<SessionFields['mode']>(
    'The customer',
    [
      { value: 'payment', label: 'Pays an amount' },
      { value: 'subscription', label: 'Subscribes' },
      { value: 'setup', label: 'Saves a card, without paying' },
    ],
    'payment',
  ),
  description: textField('What is sold', '', { maxLength: 1_000, hasFocus: true, placeholder: 'Coffee beans' }),
  amount: moneyField('Amount'),
  price: field<string | null>(null, (input) => (
    <ObjectSelect of={activePrices} label="Price" description="One that recurs" {...input} />
  )),
  trial: trialField,
  save: savingField,
  customer_email: textField('Customer’s email', '', { description: 'Optional', maxLength: 254, type: 'email' }),
  reference: textField('Order number', '', { description: 'Optional', maxLength: 200 }),
};

const hiddenFields = {
  payment: ['price', 'trial'],
  subscription: ['description', 'amount', 'save'],
  setup: ['amount', 'price', 'trial', 'save'],
} as const satisfies Record<SessionFields['mode'], readonly (keyof typeof fields)[]>;

const acts = { payment: 'pay', subscription: 'subscribe', setup: 'save a card' } as const;
const missing = { payment: 'Enter an amount.', subscription: 'Choose a price that recurs.', setup: '' } as const;

export const createSession = form({
  title: 'Create a checkout session',
  fields,
  sentBy: {
    currency: 'amount.currency',
    save_payment_method: 'save',
    'line_items.0.price': 'price',
    'subscription_data.trial_days': 'trial',
  },
  describe(values) {
    const { mode, amount: money } = values;
    const amount = mode === 'payment' ? moneyOf(money) : undefined;
    const words = amount && formatMoney(amount, money.currency);
    const params = sessionParams(values);
    const act = words ? `pay ${words}` : acts[mode];
    return {
      confirm: words ? `Create a session for ${words}` : 'Create session',
      params,
      preview: [
        params === undefined ? missing[mode] || 'Say what is wrong above.' : `One customer can ${act}, within a day.`,
        'You get the address of the page, to send to the customer.',
        endpointsGet('checkout_session.created'),
      ],
      hidden: hiddenFields[mode],
    };
  },
  run: (api, params, options) => api.checkoutSessions.create(params, options),
  done: () => 'Checkout session created',
  leadsTo: ({ id }) => `/checkout-sessions/${id}`,
});
