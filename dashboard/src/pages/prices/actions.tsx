import type { Price } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { form, textField } from '../../kit/form_dialog.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';

const updated = endpointsGet('price.updated');

export function PriceActions({ price }: { price: Price }) {
  const { id, active, metadata } = price;
  const actions: ActionEntry[] = [
    { title: 'Rename', right: 'change', dialog: renameProduct(price) },
    { title: active ? 'Archive' : 'Activate', right: 'change', dialog: archivePrice(price) },
    {
      title: 'Edit metadata',
      right: 'change',
      isMore: true,
      dialog: editMetadata({
        metadata,
        event: 'price.updated',
        run: (api, params, options) => api.prices.update(id, params, options),
      }),
    },
  ];
  return <ActionButtons actions={actions} />;
}

function renameProduct({ id, product_name: before }: Price): OpenDialog {
  return form({
    title: 'Rename the product',
    fields: { product_name: textField('Product name', before, { maxLength: 256, hasFocus: true }) },
    describe: ({ product_name: name }) => ({
      confirm: 'Rename',
      params: name.trim() === '' || name.trim() === before ? undefined : { product_name: name.trim() },
      preview: ['New invoices show the new name. Existing invoices do not change.', updated],
    }),
    run: (api, params, options) => api.prices.update(id, params, options),
    done: (after) => `Product renamed to ${after.product_name}`,
  });
}

function archivePrice({ id, active, product_name }: Price): OpenDialog {
  return confirmation({
    title: active ? 'Archive the price' : 'Activate the price',
    confirm: `${active ? 'Archive' : 'Activate'} ${product_name}`,
    isDangerous: active,
    preview: [
      active
        ? 'New subscriptions can no longer use it. Existing subscriptions continue. You can activate it again.'
        : 'New subscriptions can use it again.',
      updated,
    ],
    run: (api, options) => api.prices.update(id, { active: !active }, options),
    done: (after) => `${product_name} is ${after.active ? 'active' : 'archived'}`,
  });
}
