import type { PaymentLink } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { counted } from '../../kit/counted.ts';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { form, textField } from '../../kit/form_dialog.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { Conversion } from '../../nouns/conversion.tsx';
import { LinkName, LinkStatus, SoldPrice } from '../../nouns/link_parts.tsx';
import { CouponLink } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { sessionColumns } from '../../nouns/session_columns.tsx';
import { ShareSection } from '../../nouns/share_section.tsx';
import { SoldLines } from '../../nouns/sold_lines.tsx';
import { savingWords } from '../../nouns/sold_params.ts';
import { linkAmount } from '../../nouns/sold_words.ts';
import { limitOf } from './sold.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['payment_links', id], (api, options) => api.paymentLinks.retrieve(id, options));
  return (
    <DetailPage<PaymentLink>
      reading={reading}
      list={{ path: '/payment-links', title: 'Payment links' }}
      id={id}
      headline={(link) => <LinkName link={link} />}
      status={(link) => <LinkStatus link={link} />}
      story={storyOfLink}
      actions={(link) => <Actions link={link} />}
      facts={factsOf}
      aside={({ metadata = {} }) => <Metadata metadata={metadata} />}
    >
      {(link) => (
        <>
          <ShareSection url={link.url} name={`payment-link-${id}`} />
          <Lines link={link} />
          <Conversion link={id} />
          <Sales link={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

function storyOfLink({ active, completed, limit }: PaymentLink): string {
  const sold = completed === 0 ? 'Nothing was sold yet.' : `Sold ${counted(completed, 'time')}.`;
  if (!active) return `Switched off: nobody can pay. ${sold}`;
  if (limit === undefined) return `Everybody who has the address can pay. ${sold}`;
  return completed < limit ? `${sold} ${counted(limit - completed, 'place')} left.` : `Sold out. ${sold}`;
}

const soldWords = { payment: undefined, subscription: 'Subscriptions', setup: 'Nothing: it saves cards' } as const;

function factsOf(link: PaymentLink): Fact[] {
  const { limit, amount_choice: choice, adjustable_quantity: bounds, currency = 'eur', subscription_data } = link;
  const { coupon, trial_days: days } = subscription_data ?? {};
  return [
    ['Sells', soldWords[link.mode]],
    ['Trial', days && counted(days, 'day')],
    ['Card', link.save_payment_method && savingWords[link.save_payment_method]],
    ['Amount', linkAmount(link)],
    ['Coupon', coupon && <CouponLink key="coupon" id={coupon} />],
    ['Suggested', choice?.suggested?.map((amount) => formatMoney(amount, currency)).join(', ')],
    ['Quantity', bounds && `${bounds.min} to ${bounds.max}`],
    ['Sold', link.completed.toLocaleString()],
    ['Limit', limit?.toLocaleString()],
    ['After the payment', link.success_url],
    momentFact('Created', link.created),
  ];
}

function Lines({ link: { line_items = [] } }: { link: PaymentLink }) {
  const lines = line_items.map(({ price, name, unit_amount, currency = 'eur', quantity = 1 }) => ({
    name: price === undefined ? name : <SoldPrice id={price} />,
    quantity,
    cost: unit_amount === undefined ? undefined : formatMoney(unit_amount * quantity, currency),
  }));
  return <SoldLines lines={lines} />;
}

const rowsMax = 10;

/** Sessions that were not paid are on the page of all of them. */
function Sales({ link }: { link: string }) {
  const reading = useRead(['checkout_sessions', 'list', 'sales', link], (api, options) =>
    api.checkoutSessions.list(
      { payment_link: link, status: 'complete', limit: rowsMax, expand: ['customer'] },
      options,
    ),
  );
  return (
    <RelatedList
      title="Sales"
      reading={reading}
      columns={sessionColumns.filter(({ id }) => id !== 'sold')}
      all={{ path: '/checkout-sessions', search: { payment_link: link, status: 'complete' } }}
      empty="None yet."
    />
  );
}

function Actions({ link }: { link: PaymentLink }) {
  const { id, active, metadata } = link;
  const actions: ActionEntry[] = [
    {
      title: active ? 'Switch off' : 'Switch on',
      calls: 'payment_links.update',
      asked: active ? 'switch it off' : 'switch it on',
      dialog: switchLink(link),
    },
    { title: 'Edit', calls: 'payment_links.update', dialog: editLink(link) },
    {
      title: 'Edit metadata',
      calls: 'payment_links.update',
      isMore: true,
      dialog: editMetadata({
        metadata,
        event: 'payment_link.updated',
        run: (api, params, options) => api.paymentLinks.update(id, params, options),
      }),
    },
  ];
  return <ActionButtons actions={actions} />;
}

const updated = endpointsGet('payment_link.updated');

function switchLink({ id, active }: PaymentLink): OpenDialog {
  return confirmation({
    title: active ? 'Switch the link off' : 'Switch the link on',
    confirm: active ? 'Switch it off' : 'Switch it on',
    isDangerous: active,
    preview: [
      active
        ? 'Nobody can pay any more. The page says so. You can switch it on again.'
        : 'Everybody who has the address can pay again.',
      updated,
    ],
    run: (api, options) => api.paymentLinks.update(id, { active: !active }, options),
    done: (link) => (link.active ? 'Payment link switched on' : 'Payment link switched off'),
  });
}

function editLink(link: PaymentLink): OpenDialog {
  const { id, description = '', limit, inactive_message = '' } = link;
  const before = limit === undefined ? '' : String(limit);
  return form({
    title: 'Edit the link',
    fields: {
      description: textField('What is sold', description, { maxLength: 1_000, hasFocus: true }),
      limit: textField('How often it can be sold', before, {
        description: 'Optional',
        inputMode: 'numeric',
        problem: (text) => (text.trim() !== '' && limitOf(text) === undefined ? '1 to 1,000,000' : undefined),
      }),
      inactive_message: textField('What the page says when it does not sell', inactive_message, {
        description: 'Optional',
        maxLength: 500,
      }),
    },
    describe(values) {
      const params = {
        ...(link.line_items === undefined && { description: values.description.trim() }),
        limit: values.limit.trim() === '' ? '' : limitOf(values.limit),
        inactive_message: values.inactive_message.trim(),
      };
      const isRight = params.limit !== undefined;
      return {
        confirm: 'Save',
        params: isRight ? (params as { limit: number }) : undefined,
        preview: ['Pages that are opened from now on show it. Sales that were begun stay as they are.', updated],
        hidden: link.line_items === undefined ? [] : ['description'],
      };
    },
    run: (api, params, options) => api.paymentLinks.update(id, params, options),
    done: () => 'Payment link updated',
  });
}
