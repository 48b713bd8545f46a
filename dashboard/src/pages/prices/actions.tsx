import { TextInput } from '@mantine/core';
import type { Price } from '@tollgate/node';
import { useState } from 'react';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MetadataDialog } from '../../kit/metadata_dialog.tsx';

type DialogProps = { price: Price; onClose(): void };

const updated = endpointsGet('price.updated');

export function PriceActions({ price }: { price: Price }) {
  const { id, active, metadata } = price;
  const actions: ActionEntry[] = [
    {
      title: 'Rename',
      right: 'change',
      dialog: (onClose) => <RenameDialog price={price} onClose={onClose} />,
    },
    {
      title: active ? 'Archive' : 'Activate',
      right: 'change',
      dialog: (onClose) => <ArchiveDialog price={price} onClose={onClose} />,
    },
    {
      ...{ title: 'Edit metadata', right: 'change', isMore: true },
      dialog: (onClose) => (
        <MetadataDialog
          metadata={metadata}
          event="price.updated"
          run={(api, params, options) => api.prices.update(id, params, options)}
          onClose={onClose}
        />
      ),
    },
  ];
  return <ActionButtons actions={actions} />;
}

function RenameDialog({ price: { id, product_name }, onClose }: DialogProps) {
  const [name, setName] = useState(product_name);
  const isOther = name.trim() !== '' && name.trim() !== product_name;
  return (
    <ActionDialog
      title="Rename the product"
      confirm="Rename"
      params={isOther ? { product_name: name.trim() } : undefined}
      preview={['New invoices show the new name. Existing invoices do not change.', updated]}
      run={(api, params, options) => api.prices.update(id, params, options)}
      done={(after) => `Product renamed to ${after.product_name}`}
      onClose={onClose}
    >
      <TextInput
        label="Product name"
        data-autofocus
        maxLength={256}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

function ArchiveDialog({ price: { id, active, product_name }, onClose }: DialogProps) {
  return (
    <ActionDialog
      title={active ? 'Archive the price' : 'Activate the price'}
      confirm={`${active ? 'Archive' : 'Activate'} ${product_name}`}
      isDangerous={active}
      params={{ active: !active }}
      preview={[
        active
          ? 'New subscriptions can no longer use it. Existing subscriptions continue. You can activate it again.'
          : 'New subscriptions can use it again.',
        updated,
      ]}
      run={(api, params, options) => api.prices.update(id, params, options)}
      done={(after) => `${product_name} is ${after.active ? 'active' : 'archived'}`}
      onClose={onClose}
    />
  );
}
