import type { Subscription, SubscriptionsUpdateParameters, UpcomingInvoice } from '@tollgate/node';
import { ResponseError } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { RadioInput } from '../../kit/form_dialog.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useChargedWords } from '../../nouns/charged_method.ts';
import { type Preview, PreviewTable, usePreview } from '../../nouns/invoice_preview.tsx';
import { usePrices } from '../../nouns/names.tsx';
import { periodCost } from '../../nouns/price_words.ts';
import { changesOf, invoicedAt, newItemsOf, type Proration, prorated, rowsOf } from './items.ts';
import { ItemsEditor } from './items_editor.tsx';

const prorations: readonly [Proration, string, string][] = [
  ['create', 'On the next invoice', 'The rest of this period is prorated and added to the next invoice.'],
  ['invoice_now', 'Now', 'The rest of this period is prorated and invoiced now.'],
  ['none', 'Not at all', 'No proration. The new price applies from the next period.'],
];

type Behavior = NonNullable<SubscriptionsUpdateParameters['payment_behavior']>;

const behaviors: readonly [Behavior, string, string][] = [
  ['allow_incomplete', 'Keep the change', 'The subscription becomes past due and the charge is retried on later days.'],
  ['error_if_incomplete', 'Change nothing', 'No invoice is created and the subscription does not change.'],
];

function initialValues({ items }: Subscription) {
  return {
    rows: rowsOf(items),
    proration: 'create' as Proration,
    behavior: 'allow_incomplete' as Behavior,
  };
}

const sentBy = { items: 'rows', payment_behavior: 'behavior' };

type DialogProps = { subscription: Subscription; onClose(): void };

/** Other items, with what they will cost and when. */
export function ChangeDialog({ subscription, onClose }: DialogProps) {
  const { values, input, held } = useDialogForm('change', () => initialValues(subscription), sentBy);
  const { rows, proration, behavior } = values;
  const changes = changesOf(subscription.items, rows);
  const { preview, at } = useChangePreview(subscription, changes?.length ? changes : undefined, proration);
  const charged = useChargedWords(subscription);
  const items = newItemsOf(rows) ?? [];
  const cost = periodCost(items as { price: string; quantity: number }[], usePrices(items.map(({ price }) => price)));
  const isReady = changes !== undefined && changes.length > 0 && preview.isCurrent && isSendable(preview);
  const params: SubscriptionsUpdateParameters | undefined = isReady
    ? {
        items: changes,
        proration,
        ...(at !== undefined && { proration_date: at }),
        ...(isChargedNow(preview, proration) && { payment_behavior: behavior }),
      }
    : undefined;
  return (
    <ActionDialog
      title="Change the subscription"
      {...held}
      isWide
      confirm={confirmOf(preview, proration)}
      params={params}
      preview={
        changes?.length
          ? sentencesOf({ preview, proration, charged, cost, isTrialing: subscription.status === 'trialing' })
          : ['Change a price or a quantity, add an item, or remove one.']
      }
      run={(api, sent, options) => api.subscriptions.update(subscription.id, sent, options)}
      done={() => 'Subscription changed'}
      onClose={onClose}
    >
      <ItemsEditor {...input('rows')} />
      <RadioInput label="Bill the difference" choices={prorations} {...input('proration')} />
      {isChargedNow(preview, proration) && (
        <RadioInput label="If the payment fails" choices={behaviors} {...input('behavior')} />
      )}
      <PreviewTable title={<TitleOf preview={preview} proration={proration} />} preview={preview} />
    </ActionDialog>
  );
}

function isChargedNow({ invoice }: Preview, proration: Proration): boolean {
  return invoice !== undefined && invoice.amount_due > 0 && invoicedAt(invoice, proration) === 'now';
}

/**
 * The first preview says what time it is for the customer, who may live by a test clock. The change is made as of that time, so that it
 * costs what was shown, and so that another try is the same request.
 */
function useChangePreview(
  { id }: Subscription,
  changes: SubscriptionsUpdateParameters['items'] | undefined,
  proration: Proration,
): { preview: Preview; at: number | undefined } {
  const [at, setAt] = useState<number>();
  const dated = at === undefined ? {} : { proration_date: at };
  const preview = usePreview(changes ? { subscription: id, items: changes, proration, ...dated } : undefined);
  if (at === undefined && preview.invoice !== undefined) setAt(preview.invoice.created);
  const isDated = at !== undefined || preview.error !== null;
  return { preview: { ...preview, isCurrent: preview.isCurrent && isDated }, at };
}

/** A change that no invoice follows has no preview, and can be made. The API has the last word. */
function isSendable({ error }: Preview): boolean {
  return error === null || (error instanceof ResponseError && error.code === 'subscription_not_updatable');
}

function confirmOf({ invoice, isCurrent }: Preview, proration: Proration): string {
  if (invoice === undefined || !isCurrent) return 'Change the subscription';
  const { total, amount_due, currency } = invoice;
  if (invoicedAt(invoice, proration) !== 'now') return `Change: next invoice ${formatMoney(amount_due, currency)}`;
  return total < 0
    ? `Change and credit ${formatMoney(-total, currency)}`
    : `Change and charge ${formatMoney(amount_due, currency)}`;
}

function TitleOf({ preview: { invoice }, proration }: { preview: Preview; proration: Proration }) {
  if (invoice === undefined) return 'The invoice';
  const at = invoicedAt(invoice, proration);
  if (at === 'now') return 'The invoice created now';
  return (
    <>
      The next invoice, on <Moment seconds={at} />
    </>
  );
}

type Facts = {
  preview: Preview;
  proration: Proration;
  charged: string | undefined;
  cost: string | undefined;
  isTrialing: boolean;
};

function sentencesOf({ preview: { invoice }, proration, charged, cost, isTrialing }: Facts): ReactNode[] {
  const isNow = invoice !== undefined && invoicedAt(invoice, proration) === 'now';
  return [
    ...(cost === undefined ? [] : [`The items change now. From then on they cost ${cost}, before discounts.`]),
    ...(invoice === undefined ? [] : [billed(invoice, proration, charged)]),
    ...(isTrialing ? ['It is in its trial, so nothing is prorated.'] : []),
    <>
      Your webhook endpoints get <code>subscription.updated</code>
      {isNow && (
        <>
          {' '}
          and the events of the invoice, such as <code>invoice.paid</code>
        </>
      )}
      .
    </>,
  ];
}

function billed(invoice: UpcomingInvoice, proration: Proration, charged = 'the payment method'): ReactNode {
  const { amount_due, total, currency } = invoice;
  const at = invoicedAt(invoice, proration);
  const due = formatMoney(amount_due, currency);
  const rest = prorated(invoice);
  if (at === 'now')
    return total < 0
      ? `${formatMoney(-total, currency)} is added to the customer’s credit now. Nothing is charged.`
      : `${due} is charged now to ${charged}.`;
  return (
    <>
      Nothing is charged now. On <Moment seconds={at} /> {due} is charged to {charged}
      {rest !== 0 && `; ${formatMoney(rest, currency)} of it is for the rest of this period`}.
    </>
  );
}
