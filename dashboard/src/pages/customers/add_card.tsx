import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { checkboxField, form, selectField, textField } from '../../kit/form_dialog.tsx';
import { methodWords } from '../../nouns/payment_method_words.ts';
import { cardGroups, cardWords, detailsOf, grouped } from '../../nouns/test_cards.ts';

const cards = cardGroups.flatMap((group) => group.cards);
const choices = cardGroups.map(({ title, cards }) => ({
  group: title,
  items: cards.map((card) => ({ value: card.id, label: `${grouped(card.id)} · ${cardWords(card)}` })),
}));

/** In test mode only: real card numbers never pass the dashboard. */
export function addTestCard(customer: string): OpenDialog {
  return form({
    title: 'Add a test card',
    fields: {
      number: selectField('Test card', choices, cards[0]!.id, { maxDropdownHeight: 280, hasFocus: true }),
      name: textField('Cardholder', '', { maxLength: 256 }),
      isDefault: checkboxField('Set as default'),
    },
    describe({ number, name, isDefault }) {
      const card = cards.find(({ id }) => id === number)!;
      return {
        confirm: `Add the card •••• ${number.slice(-4)}`,
        params: { card, holder: name.trim(), isDefault },
        preview: [
          `When it is charged: ${card.words.slice(0, 1).toLowerCase()}${card.words.slice(1)}. Nothing is charged now.`,
          ...(isDefault ? ['It becomes the default for subscriptions and failed open invoices.'] : []),
          <>
            Your webhook endpoints get <code>payment_method.attached</code>
            {isDefault && (
              <>
                {' '}
                and <code>customer.updated</code>
              </>
            )}
            .
          </>,
        ],
      };
    },
    run: async (api, { card, holder, isDefault }, options) => {
      const billing = holder === '' ? {} : { billing_details: { name: holder } };
      const details = { type: 'card', card: detailsOf(card, new Date().getFullYear()) } as const;
      const method = await api.paymentMethods.create({ ...details, customer, ...billing }, options);
      if (isDefault) await api.customers.update(customer, { default_payment_method: method.id });
      return method;
    },
    done: (method) => `${methodWords(method)} attached`,
  });
}

/** A payment method that belongs to nobody yet. */
export function attachById(customer: string): OpenDialog {
  return form({
    title: 'Attach a payment method',
    fields: {
      payment_method: textField('Payment method', '', {
        description: 'The ID of one without a customer, from the request that created it.',
        placeholder: 'pm_…',
        hasFocus: true,
      }),
    },
    describe: ({ payment_method }) => ({
      confirm: 'Attach the payment method',
      params: payment_method.trim() === '' ? undefined : payment_method.trim(),
      preview: ['It is saved for this customer and can be charged again.', endpointsGet('payment_method.attached')],
    }),
    run: (api, id, options) => api.paymentMethods.attach(id, { customer }, options),
    done: (method) => `${methodWords(method)} attached`,
  });
}
