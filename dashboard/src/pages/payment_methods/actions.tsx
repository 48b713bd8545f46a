import type { PaymentMethod } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';
import { methodWords } from '../../nouns/payment_method_words.ts';

export function attachMethod(method: PaymentMethod): OpenDialog {
  const words = methodWords(method);
  return form({
    title: 'Attach this payment method to a customer',
    fields: {
      customer: field<string | null>(null, (input) => <CustomerSelect {...input} />),
    },
    describe: ({ customer }) => ({
      confirm: `Attach ${words}`,
      params: customer === null ? undefined : { customer },
      preview: [
        `${words} is saved for this customer and can be charged again.`,
        endpointsGet('payment_method.attached'),
      ],
    }),
    run: (api, params, options) => api.paymentMethods.attach(method.id, params, options),
    done: () => `${words} attached`,
  });
}

export function detachMethod(method: PaymentMethod, isDefault: boolean): OpenDialog {
  const words = methodWords(method);
  return confirmation({
    title: 'Detach this payment method',
    confirm: `Detach ${words}`,
    isDangerous: true,
    preview: [
      `${words} can no longer be charged or attached. Its stored number or token is deleted about a minute later.`,
      ...(isDefault ? ['The customer will have no default payment method, so subscriptions cannot be charged.'] : []),
      'Existing payments do not change and can be refunded.',
      endpointsGet('payment_method.detached'),
    ],
    run: (api, options) => api.paymentMethods.detach(method.id, {}, options),
    done: () => `${words} detached`,
  });
}

export function makeDefault(method: PaymentMethod, customer: string): OpenDialog {
  const words = methodWords(method);
  return confirmation({
    title: 'Make this payment method the default',
    confirm: `Make ${words} the default`,
    preview: [
      `${words} is charged for the subscriptions of this customer.`,
      'Open invoices with a failed charge are charged to it immediately.',
      endpointsGet('customer.updated'),
    ],
    run: (api, options) => api.customers.update(customer, { default_payment_method: method.id }, options),
    done: () => `${words} is now the default`,
  });
}
