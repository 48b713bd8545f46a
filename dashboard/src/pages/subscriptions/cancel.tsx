import { Checkbox, Radio, Stack } from '@mantine/core';
import type { Subscription, SubscriptionsCancelParameters } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { Moment } from '../../kit/moment.tsx';
import { usePrices } from '../../nouns/names.tsx';
import { itemsWords, periodCost } from '../../nouns/price_words.ts';
import { creditSentence, effectOf, useCreditInvoice } from './last_invoice.ts';

type DialogProps = { subscription: Subscription; onClose(): void };

/** Now, or at the end of the period, which can be undone until then. */
export function CancelDialog({ subscription, onClose }: DialogProps) {
  const { id, current_period_end, cancel_at_period_end, status } = subscription;
  const canWait = ['active', 'trialing', 'past_due'].includes(status) && !cancel_at_period_end;
  const [isLater, setLater] = useState(canWait);
  const [isCredited, setCredited] = useState(false);
  const invoice = useCreditInvoice(subscription, isCredited && !isLater);
  const params: SubscriptionsCancelParameters = isLater
    ? { at_period_end: true }
    : isCredited
      ? { proration: 'create' }
      : {};
  return (
    <ActionDialog
      title="Cancel the subscription"
      dismiss="Go back"
      isDangerous
      confirm={confirmOf(isLater, isCredited ? effectOf(invoice) : undefined)}
      params={params}
      preview={isLater ? laterOf(current_period_end) : nowOf(isCredited ? creditSentence(invoice) : undefined)}
      run={(api, sent, options) => api.subscriptions.cancel(id, sent, options)}
      done={({ status: after }) =>
        after === 'canceled' ? 'Subscription canceled' : 'Subscription ends with its period'
      }
      onClose={onClose}
    >
      {canWait && (
        <Radio.Group label="When" value={isLater ? 'later' : 'now'} onChange={(value) => setLater(value === 'later')}>
          <Stack gap={8} mt={6}>
            <Radio
              value="later"
              size="xs"
              label={
                <>
                  At the end of the {status === 'trialing' ? 'trial' : 'period'}, on{' '}
                  <Moment seconds={current_period_end} />
                </>
              }
            />
            <Radio value="now" size="xs" label="Now" />
          </Stack>
        </Radio.Group>
      )}
      {!isLater && ['active', 'past_due'].includes(status) && (
        <Checkbox
          label="Credit the rest of the period to the customer"
          checked={isCredited}
          onChange={(event) => setCredited(event.currentTarget.checked)}
        />
      )}
    </ActionDialog>
  );
}

function confirmOf(isLater: boolean, effect: string | undefined): string {
  if (isLater) return 'Cancel at the end of the period';
  return effect === undefined ? 'Cancel the subscription now' : `Cancel now and ${effect}`;
}

function laterOf(end: number): ReactNode[] {
  return [
    <>
      It continues until <Moment seconds={end} /> and is then canceled. It does not renew.
    </>,
    'Pending items are invoiced then. You can undo this until then.',
    <>
      Your webhook endpoints get <code>subscription.updated</code> now, and <code>subscription.canceled</code> when it
      ends.
    </>,
  ];
}

function nowOf(credit = 'Nothing is credited. Pending items are invoiced now.'): ReactNode[] {
  return [
    'It ends now and cannot be resumed.',
    credit,
    'Its open invoices stay open and can be paid. They are not retried automatically.',
    endpointsGet('subscription.canceled'),
  ];
}

/** The opposite of canceling at the end of the period. */
export function KeepDialog({ subscription, onClose }: DialogProps) {
  const { id, items, current_period_end } = subscription;
  const prices = usePrices(items.map(({ price }) => price));
  return (
    <ActionDialog
      title="Undo the cancellation"
      confirm={`Keep ${itemsWords(items, prices) ?? 'the subscription'}`}
      params={{ cancel_at_period_end: false }}
      preview={[
        <>
          It does not end on <Moment seconds={current_period_end} />: it renews, for{' '}
          {periodCost(items, prices) ?? 'what its items cost'}.
        </>,
        endpointsGet('subscription.updated'),
      ]}
      run={(api, sent, options) => api.subscriptions.update(id, sent, options)}
      done={() => 'Cancellation undone'}
      onClose={onClose}
    />
  );
}
