import { Textarea } from '@mantine/core';
import type { Payment } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MetadataFields, sentencesOf, useMetadata } from '../../kit/metadata_fields.tsx';

/** The description and the metadata, in every status. */
export function EditPaymentDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const [description, setDescription] = useState(payment.description ?? '');
  const metadata = useMetadata(payment.metadata);
  const changed = changedFields({ description: payment.description ?? '' }, { description });
  const params = { ...changed, ...metadata.params };
  const isChanged = Object.keys(params).length > 0;
  return (
    <ActionDialog
      title="Edit this payment"
      confirm="Save the payment"
      params={isChanged && metadata.isSendable ? params : undefined}
      preview={[
        ...sentencesOf({ ...changed, ...metadata.changed }),
        'No money moves.',
        endpointsGet('payment.updated'),
      ]}
      run={(api, sent, options) => api.payments.update(payment.id, sent, options)}
      done={() => 'Payment saved'}
      onClose={onClose}
    >
      <Textarea
        label="Description"
        maxLength={1_000}
        autosize
        minRows={1}
        data-autofocus
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MetadataFields {...metadata} />
    </ActionDialog>
  );
}
