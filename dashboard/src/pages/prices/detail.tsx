import type { Price } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { form, textField } from '../../kit/form_dialog.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { useRead } from '../../kit/read.ts';
import { perPeriod } from '../../nouns/price_words.ts';
import { SubscriptionsWith } from '../../nouns/subscriptions_with.tsx';
import { PriceStatus } from './list.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['prices', id], (api, options) => api.prices.retrieve(id, options));
  return (
    <DetailPage<Price>
      reading={reading}
      list={{ path: '/prices', title: 'Prices' }}
      id={id}
      headline={({ product_name }) => product_name}
      status={(price) => <PriceStatus price={price} />}
      story={({ unit_amount, currency, recurring, active }) =>
        `${perPeriod(unit_amount, currency, recurring)} for each one. ${recurring === undefined ? soldOnce(active) : soldByPeriod(active)}`
      }
      actions={(price) => <PriceActions price={price} />}
      facts={factsOf}
      aside={({ metadata = {} }) => <Metadata metadata={metadata} />}
    >
      {({ recurring }) => recurring && <SubscriptionsWith filter={{ price: id }} empty="None with this price." />}
    </DetailPage>
  );
}

const soldOnce = (active: boolean) => (active ? 'It can be sold.' : 'Archived: it can no longer be sold.');
const soldByPeriod = (active: boolean) =>
  active ? 'New subscriptions can use it.' : 'Archived: only subscriptions that have it use it.';

function factsOf({ unit_amount, currency, recurring, created, external_id }: Price): Fact[] {
  return [
    ['Price', perPeriod(unit_amount, currency, recurring)],
    ['Currency', currency.toUpperCase()],
    momentFact('Created', created),
    ['External id', external_id],
  ];
}

const updated = endpointsGet('price.updated');

function PriceActions({ price }: { price: Price }) {
  const { id, active, metadata } = price;
  const actions: ActionEntry[] = [
    { title: 'Rename', calls: 'prices.update', dialog: renameProduct(price) },
    { title: active ? 'Archive' : 'Activate', calls: 'prices.update', dialog: archivePrice(price) },
    {
      title: 'Edit metadata',
      calls: 'prices.update',
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

function archivePrice({ id, active, product_name, recurring }: Price): OpenDialog {
  return confirmation({
    title: active ? 'Archive the price' : 'Activate the price',
    confirm: `${active ? 'Archive' : 'Activate'} ${product_name}`,
    isDangerous: active,
    preview: [
      recurring === undefined
        ? `It can ${active ? 'no longer be sold. You can activate it again.' : 'be sold again.'}`
        : active
          ? 'New subscriptions can no longer use it. Existing subscriptions continue. You can activate it again.'
          : 'New subscriptions can use it again.',
      updated,
    ],
    run: (api, options) => api.prices.update(id, { active: !active }, options),
    done: (after) => `${product_name} is ${after.active ? 'active' : 'archived'}`,
  });
}
