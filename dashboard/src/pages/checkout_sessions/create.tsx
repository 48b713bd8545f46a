import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { form, textField } from '../../kit/form_dialog.tsx';
import { formatMoney, moneyOf } from '../../kit/money.ts';
import { moneyField } from '../../kit/money_field.tsx';

export const createSession = form({
  title: 'Create a checkout session',
  fields: {
    description: textField('What is sold', '', { maxLength: 1_000, hasFocus: true, placeholder: 'Coffee beans' }),
    amount: moneyField('Amount'),
    customer_email: textField('Customer’s email', '', { description: 'Optional', maxLength: 254, type: 'email' }),
    reference: textField('Order number', '', { description: 'Optional', maxLength: 200 }),
  },
  sentBy: { currency: 'amount.currency' },
  describe({ description, amount: money, customer_email, reference }) {
    const amount = moneyOf(money);
    const words = amount && formatMoney(amount, money.currency);
    return {
      confirm: words ? `Create a session for ${words}` : 'Create session',
      params: amount
        ? {
            amount,
            currency: money.currency,
            ...(description.trim() !== '' && { description: description.trim() }),
            ...(customer_email.trim() !== '' && { customer_email: customer_email.trim() }),
            ...(reference.trim() !== '' && { reference: reference.trim() }),
          }
        : undefined,
      preview: [
        words ? `One customer can pay ${words}, within a day.` : 'Enter an amount.',
        'You get the address of the page, to send to the customer.',
        endpointsGet('checkout_session.created'),
      ],
    };
  },
  run: (api, params, options) => api.checkoutSessions.create(params, options),
  done: () => 'Checkout session created',
  leadsTo: ({ id }) => `/checkout-sessions/${id}`,
});
