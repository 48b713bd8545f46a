import type { Subscription } from '@tollgate/node';
import type { ReactNode } from 'react';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { ActionDialog, type OpenDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { statusInWords } from '../../kit/tones.ts';
import { useChargedWords } from '../../nouns/charged_method.ts';
import { addInvoiceItem } from '../../nouns/invoice_item_dialog.tsx';
import { usePrices } from '../../nouns/names.tsx';
import { itemsWords, periodCost } from '../../nouns/price_words.ts';
import { CancelDialog, KeepDialog } from './cancel.tsx';
import { ChangeDialog } from './change.tsx';
import { creditSentence, effectOf, useCreditInvoice } from './last_invoice.ts';
import { CouponDialog, MethodDialog, TrialDialog } from './settings.tsx';

/** What the status allows, and the role. */
export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const { id, customer, currency, status, cancel_at_period_end, metadata } = subscription;
  const is = (...statuses: Subscription['status'][]) => statuses.includes(status);
  const isAlive = !is('canceled');
  const isChangeable = is('trialing', 'active', 'past_due');
  const shows =
    (Dialog: (props: { subscription: Subscription; onClose(): void }) => ReactNode): OpenDialog =>
    (onClose) => <Dialog subscription={subscription} onClose={onClose} />;
  const actions: ActionEntry[] = [
    {
      title: 'Change',
      calls: 'subscriptions.update',
      asked: 'change it',
      isPossible: isChangeable,
      isMain: true,
      dialog: shows(ChangeDialog),
    },
    {
      title: 'Resume',
      calls: 'subscriptions.resume',
      asked: 'resume it',
      isPossible: is('paused'),
      isMain: true,
      dialog: shows(ResumeDialog),
    },
    {
      title: 'Undo cancellation',
      calls: 'subscriptions.update(cancel_at_period_end)',
      isPossible: isAlive && cancel_at_period_end,
      dialog: shows(KeepDialog),
    },
    {
      title: 'Cancel',
      calls: 'subscriptions.cancel',
      asked: 'cancel it',
      isPossible: isAlive,
      dialog: shows(CancelDialog),
    },
    {
      title: 'Pause',
      calls: 'subscriptions.pause',
      isPossible: is('active'),
      isMore: true,
      dialog: shows(PauseDialog),
    },
    {
      title: 'Change the trial',
      calls: 'subscriptions.update',
      isPossible: is('trialing'),
      isMore: true,
      dialog: shows(TrialDialog),
    },
    {
      title: 'Change the coupon',
      calls: 'subscriptions.update',
      isPossible: isAlive,
      isMore: true,
      dialog: shows(CouponDialog),
    },
    {
      title: 'Change the payment method',
      calls: 'subscriptions.update',
      isPossible: isAlive,
      isMore: true,
      dialog: shows(MethodDialog),
    },
    {
      title: 'Add a one-off item',
      calls: 'invoice_items.create',
      isPossible: isAlive,
      isMore: true,
      dialog: addInvoiceItem(customer, { id, currency }),
    },
    {
      title: 'Edit metadata',
      calls: 'subscriptions.update',
      isMore: true,
      dialog: editMetadata({
        metadata,
        event: 'subscription.updated',
        run: (api, params, options) => api.subscriptions.update(id, params, options),
      }),
    },
  ];
  return <ActionButtons actions={actions} />;
}

type DialogProps = { subscription: Subscription; onClose(): void };

function PauseDialog({ subscription, onClose }: DialogProps) {
  const invoice = useCreditInvoice(subscription, true);
  const effect = effectOf(invoice);
  return (
    <ActionDialog
      title="Pause the subscription"
      confirm={effect === undefined ? 'Pause the subscription' : `Pause and ${effect}`}
      params={{}}
      preview={[
        creditSentence(invoice),
        'No invoices are created until it is resumed.',
        endpointsGet('subscription.paused'),
      ]}
      run={(api, sent, options) => api.subscriptions.pause(subscription.id, sent, options)}
      done={() => 'Subscription paused'}
      onClose={onClose}
    />
  );
}

function ResumeDialog({ subscription, onClose }: DialogProps) {
  const { id, items } = subscription;
  const prices = usePrices(items.map(({ price }) => price));
  const charged = useChargedWords(subscription) ?? 'the payment method';
  return (
    <ActionDialog
      title="Resume the subscription"
      confirm={`Resume ${itemsWords(items, prices) ?? 'the subscription'}`}
      params={{}}
      preview={[
        `A period starts now and ends when the next one would have started. Its share of ${periodCost(items, prices) ?? 'the price'} is charged now to ${charged}, after customer credit.`,
        <>
          Your webhook endpoints get <code>subscription.resumed</code> and the events of the invoice, such as{' '}
          <code>invoice.paid</code>.
        </>,
      ]}
      run={(api, sent, options) => api.subscriptions.resume(id, sent, options)}
      done={({ status }) => `The subscription is ${statusInWords(status)}`}
      onClose={onClose}
    />
  );
}
