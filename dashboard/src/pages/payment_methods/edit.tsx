import { Group, TextInput } from '@mantine/core';
import type { PaymentMethod, PaymentMethodsUpdateParameters } from '@tollgate/node';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { describeUpdate } from '../../kit/metadata_change.ts';
import { metadataField } from '../../kit/metadata_fields.tsx';
import { factsOfKind } from '../../nouns/payment_method_words.ts';

type Expiry = { month: string; year: string };
type Texts = { name: string; email: string; expiry: Expiry };

/** Of a method that does not expire, both are empty. */
function expiryTexts(method: PaymentMethod): Expiry {
  const { exp_month = '', exp_year = '' } = factsOfKind(method);
  return { month: String(exp_month), year: String(exp_year) };
}

/** Only what has changed is sent: the expiry of what a processor keeps cannot be changed. */
function changesOf(method: PaymentMethod, { name, email, expiry: { month, year } }: Texts) {
  const before = expiryTexts(method);
  const holder = changedFields(method.billing_details, { name, email });
  const expiry = {
    ...(month !== before.month && { exp_month: Number(month) }),
    ...(year !== before.year && { exp_year: Number(year) }),
  };
  return {
    ...(Object.keys(holder).length > 0 && { billing_details: holder }),
    ...(Object.keys(expiry).length > 0 && { [method.type]: expiry }),
  };
}

export function editMethod(method: PaymentMethod): OpenDialog {
  const { id, type, billing_details, processor_token, metadata } = method;
  const before = expiryTexts(method);
  const expires = before.month !== '';
  return form({
    title: 'Edit this payment method',
    fields: {
      name: textField('Holder', billing_details.name ?? '', { maxLength: 256, hasFocus: true }),
      email: textField('Email', billing_details.email ?? '', { maxLength: 254 }),
      expiry: field(before, (_, part) => (
        <Group grow align="start">
          <TextInput label="Expiry month" inputMode="numeric" maxLength={2} {...part('month')} />
          <TextInput label="Expiry year" inputMode="numeric" maxLength={4} {...part('year')} />
        </Group>
      )),
      metadata: metadataField(metadata),
    },
    sentBy: {
      'billing_details.name': 'name',
      'billing_details.email': 'email',
      [`${type}.exp_month`]: 'expiry.month',
      [`${type}.exp_year`]: 'expiry.year',
    },
    describe({ metadata: pairs, ...texts }) {
      const changes = changesOf(method, texts);
      const { params, sentences } = describeUpdate(changes, metadata, pairs);
      const isExpiry = /^\d{1,2}$/.test(texts.expiry.month) && /^\d{4}$/.test(texts.expiry.year);
      return {
        confirm: 'Save the payment method',
        params: isExpiry || !expires ? (params as PaymentMethodsUpdateParameters | undefined) : undefined,
        preview: [
          ...sentences,
          ...(changes[type] === undefined ? [] : ['The number stays the same. The next payment uses the new expiry.']),
          endpointsGet('payment_method.updated'),
        ],
        hidden: expires && processor_token === undefined ? [] : ['expiry'],
      };
    },
    run: (api, params, options) => api.paymentMethods.update(id, params, options),
    done: () => 'Payment method saved',
  });
}
