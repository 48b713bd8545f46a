import type { Subscription } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { useChargedCard } from '../../nouns/charged_card.ts';
import { usePrices } from '../../nouns/names.tsx';
import { itemsWords, periodCost } from '../../nouns/price_words.ts';
import { creditSentence, effectOf, useCreditInvoice } from './last_invoice.ts';

type DialogProps = { subscription: Subscription; onClose(): void };

export function PauseDialog({ subscription, onClose }: DialogProps) {
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
        `A period starts now and ends when the next one would have started. Its share of ${periodCost(items, prices) ?? 'the price'} is charged now to ${card}, after customer credit.`,
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
