import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Customer, CustomersCreateParameters } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MetadataFields, sentencesOf, useMetadata } from '../../kit/metadata_fields.tsx';
import { customerName } from '../../nouns/names.tsx';
import { useWorkspace } from '../../session/workspace.tsx';

type Texts = { name: string; email: string; phone: string };

function useDetails(before: Partial<Customer>) {
  const { name = '', email = '', phone = '' } = before;
  const [texts, setTexts] = useState<Texts>({ name, email, phone });
  const metadata = useMetadata(before.metadata);
  const changes = { ...changedFields({ name, email, phone }, texts), ...metadata.params };
  const field = (name: keyof Texts, label: string, more: object = {}) => (
    <TextInput
      label={label}
      value={texts[name]}
      onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
      {...more}
    />
  );
  const fields = (
    <>
      {field('name', 'Name', { maxLength: 256, 'data-autofocus': true })}
      {field('email', 'Email', { maxLength: 254, type: 'email' })}
      {field('phone', 'Phone', { maxLength: 40 })}
      <MetadataFields {...metadata} />
    </>
  );
  return { texts, changes, fields, isWrong: !metadata.isSendable };
}

export function NewCustomerDialog({ onClose }: { onClose(): void }) {
  const { mode } = useWorkspace();
  const navigate = useNavigate();
  const [clock, setClock] = useState('');
  const { texts, changes, fields, isWrong } = useDetails({});
  const params = { ...changes, ...(clock.trim() !== '' && { test_clock: clock.trim() }) } as CustomersCreateParameters;
  return (
    <ActionDialog
      title="Create a customer"
      confirm={`Create ${texts.name.trim() || texts.email.trim() || 'the customer'}`}
      params={isWrong ? undefined : params}
      preview={[
        'You can then add payment methods, payments and subscriptions. Nothing is charged.',
        endpointsGet('customer.created'),
      ]}
      run={(api, sent, options) => api.customers.create(sent, options)}
      onDone={({ id }) => void navigate({ to: `/customers/${id}` as string })}
      done={(customer) => `${customerName(customer)} created`}
      onClose={onClose}
    >
      {fields}
      {mode === 'test' && (
        <TextInput
          label="Test clock"
          description="The customer always uses this clock. Leave empty for real time."
          placeholder="clock_…"
          value={clock}
          onChange={(event) => setClock(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  );
}

export function EditCustomerDialog({ customer, onClose }: { customer: Customer; onClose(): void }) {
  const { changes, fields, isWrong } = useDetails(customer);
  const { metadata, ...details } = changes;
  const isChanged = Object.keys(changes).length > 0;
  return (
    <ActionDialog
      title="Edit this customer"
      confirm={`Save ${customerName(customer)}`}
      params={isChanged && !isWrong ? changes : undefined}
      preview={[...sentencesOf({ ...details, ...metadata }), endpointsGet('customer.updated')]}
      run={(api, sent, options) => api.customers.update(customer.id, sent, options)}
      done={(saved) => `${customerName(saved)} saved`}
      onClose={onClose}
    >
      {fields}
    </ActionDialog>
  );
}
