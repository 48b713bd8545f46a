import type { Subscription } from '@tollgate/node';
import type { ReactNode } from 'react';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { addInvoiceItem } from '../../nouns/invoice_item_dialog.tsx';
import { CancelDialog, KeepDialog } from './cancel.tsx';
import { ChangeDialog } from './change.tsx';
import { PauseDialog, ResumeDialog } from './pause.tsx';
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
    { title: 'Change', right: 'change', isPossible: isChangeable, isMain: true, dialog: shows(ChangeDialog) },
    { title: 'Resume', right: 'change', isPossible: is('paused'), isMain: true, dialog: shows(ResumeDialog) },
    {
      title: 'Undo cancellation',
      right: 'change',
      isPossible: isAlive && cancel_at_period_end,
      dialog: shows(KeepDialog),
    },
    { title: 'Cancel', right: 'handle', isPossible: isAlive, dialog: shows(CancelDialog) },
    { title: 'Pause', right: 'change', isPossible: is('active'), isMore: true, dialog: shows(PauseDialog) },
    {
      title: 'Change the trial',
      right: 'change',
      isPossible: is('trialing'),
      isMore: true,
      dialog: shows(TrialDialog),
    },
    { title: 'Change the coupon', right: 'change', isPossible: isAlive, isMore: true, dialog: shows(CouponDialog) },
    {
      title: 'Change the payment method',
      right: 'change',
      isPossible: isAlive,
      isMore: true,
      dialog: shows(MethodDialog),
    },
    {
      title: 'Add a one-off item',
      right: 'change',
      isPossible: isAlive,
      isMore: true,
      dialog: addInvoiceItem(customer, { id, currency }),
    },
    {
      title: 'Edit metadata',
      right: 'change',
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
