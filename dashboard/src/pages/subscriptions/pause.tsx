import type { Subscription } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { formatMoney } from '../../kit/money.ts';
import { usePrices } from '../../kit/names.tsx';
import { itemsWords, periodCost } from '../../kit/price_words.ts';
import { useChargedCard } from './charged_card.ts';
import { useRestCredit } from './rest_credit.ts';

type DialogProps = { subscription: Subscription; onClose(): void };

export function PauseDialog({ subscription, onClose }: DialogProps) {
  const credit = useRestCredit(subscription, true);
  const shown = credit === undefined ? undefined : formatMoney(credit, subscription.currency);
  return (
    <ActionDialog
      title="Pause the subscription"
      confirm={shown === undefined || credit === 0 ? 'Pause the subscription' : `Pause and credit ${shown}`}
      params={{}}
      preview={[
        `${shown === undefined ? 'What was paid for' : `${shown} for`} the rest of the period becomes credit of the customer, which later invoices use.`,
        'There are no invoices until it is resumed.',
        <>
          Your webhook endpoints get <code>subscription.paused</code>.
        </>,
      ]}
      run={(api, sent, options) => api.subscriptions.pause(subscription.id, sent, options)}
      done={() => 'The subscription is paused'}
      onClose={onClose}
    />
  );
}

export function ResumeDialog({ subscription, onClose }: DialogProps) {
  const { id, items } = subscription;
  const prices = usePrices(items.map(({ price }) => price));
  const card = useChargedCard(subscription) ?? 'the payment method';
  return (
    <ActionDialog
      title="Resume the subscription"
      confirm={`Resume ${itemsWords(items, prices) ?? 'the subscription'}`}
      params={{}}
      preview={[
        `A period begins now, and ends when the next one would have begun. Its share of ${periodCost(items, prices) ?? 'the price'} is charged now to ${card}. Credit of the customer is used first.`,
        <>
          Your webhook endpoints get <code>subscription.resumed</code> and the events of the invoice, such as{' '}
          <code>invoice.paid</code>.
        </>,
      ]}
      run={(api, sent, options) => api.subscriptions.resume(id, sent, options)}
      done={({ status }) => `The subscription is ${status.replace('_', ' ')}`}
      onClose={onClose}
    />
  );
}
