import { Group, TextInput } from '@mantine/core';
import type { PaymentMethod, PaymentMethodsUpdateParameters } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MetadataFields, sentencesOf, useMetadata } from '../../kit/metadata_fields.tsx';

type Texts = { name: string; email: string; month: string; year: string };

/** Only what has changed is sent: the expiry of a card that a processor keeps cannot be changed. */
function changesOf({ card, billing_details }: PaymentMethod, { name, email, month, year }: Texts) {
  const holder = changedFields(billing_details, { name, email });
  const expiry = {
    ...(month !== String(card.exp_month) && { exp_month: Number(month) }),
    ...(year !== String(card.exp_year) && { exp_year: Number(year) }),
  };
  return {
    ...(Object.keys(holder).length > 0 && { billing_details: holder }),
    ...(Object.keys(expiry).length > 0 && { card: expiry }),
  };
}

export function EditMethodDialog({ method, onClose }: { method: PaymentMethod; onClose(): void }) {
  const { card, billing_details } = method;
  const [texts, setTexts] = useState<Texts>({
    name: billing_details.name ?? '',
    email: billing_details.email ?? '',
    month: String(card.exp_month),
    year: String(card.exp_year),
  });
  const metadata = useMetadata(method.metadata);
  const changes = changesOf(method, texts);
  const params = { ...changes, ...metadata.params };
  const isWrong = !/^\d{1,2}$/.test(texts.month) || !/^\d{4}$/.test(texts.year) || !metadata.isSendable;
  const isChanged = Object.keys(params).length > 0;
  const field = (name: keyof Texts, label: string, more: object = {}) => (
    <TextInput
      label={label}
      value={texts[name]}
      onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <ActionDialog
      title="Edit this payment method"
      confirm="Save the payment method"
      params={isChanged && !isWrong ? (params as PaymentMethodsUpdateParameters) : undefined}
      preview={[
        ...sentencesOf({ ...changes.billing_details, ...changes.card, ...metadata.changed }),
        ...(changes.card === undefined ? [] : ['The number stays the same. The next payment uses the new expiry.']),
        endpointsGet('payment_method.updated'),
      ]}
      run={(api, sent, options) => api.paymentMethods.update(method.id, sent, options)}
      done={() => 'Payment method saved'}
      onClose={onClose}
    >
      {field('name', 'Cardholder', { maxLength: 256, 'data-autofocus': true })}
      {field('email', 'Email', { maxLength: 254 })}
      {method.processor_token === undefined && (
        <Group grow>
          {field('month', 'Expiry month', { inputMode: 'numeric', maxLength: 2 })}
          {field('year', 'Expiry year', { inputMode: 'numeric', maxLength: 4 })}
        </Group>
      )}
      <MetadataFields {...metadata} />
    </ActionDialog>
  );
}
