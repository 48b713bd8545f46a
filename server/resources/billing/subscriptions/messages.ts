import type { Recurrence } from '../../../locales/formats.ts';
import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailMessage } from '../../../mail/message.ts';

type ShownSubscription = {
  /** What was bought. */
  items: readonly { name: string; quantity: number }[];
};

export type TrialEndingMail = ShownSubscription & {
  /** Of the first period after the trial. */
  amount: number;
  currency: string;
  every: Recurrence;
  /** Epoch seconds. */
  trial_end: number;
  /** There is a method to charge. */
  is_automatic: boolean;
  /** Where a card can be added. */
  url?: string | undefined;
};

export type CanceledSubscriptionMail = ShownSubscription & {
  /** Epoch seconds: when access ends, or has ended. */
  ends_at: number;
  has_ended: boolean;
};

export function trialEndingMessage(trial: TrialEndingMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const heading = words.text('trial_ends');
  const { amount, currency, every, is_automatic, url } = trial;
  const end = words.date(trial.trial_end);
  return {
    subject: words.subject(heading),
    preheader: `${words.text('trial_end')}: ${words.value(end)}`,
    blocks: [
      { kind: 'amount', amount: words.price({ amount, currency }, every) },
      { kind: 'heading', text: heading },
      ...(is_automatic ? [{ kind: 'paragraph', text: words.text('automatic') } as const] : []),
      { kind: 'details', rows: [itemsRow(trial, words), { label: words.text('trial_end'), value: end }] },
      ...(url === undefined ? [] : [{ kind: 'button', text: words.text('update_method'), url } as const]),
    ],
  };
}

export function canceledSubscriptionMessage(canceled: CanceledSubscriptionMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const heading = words.text('canceled');
  const label = words.text(canceled.has_ended ? 'ended_on' : 'access_end');
  const end = words.date(canceled.ends_at);
  return {
    subject: words.subject(heading),
    preheader: `${label}: ${words.value(end)}`,
    blocks: [
      { kind: 'heading', text: heading },
      { kind: 'paragraph', text: words.text('no_more_payments') },
      { kind: 'details', rows: [itemsRow(canceled, words), { label, value: end }] },
    ],
  };
}

/** A subscription can have many items. */
const itemsMax = 5;

function itemsRow({ items }: ShownSubscription, words: MailWords): { label: string; value: string } {
  const shown = items.slice(0, itemsMax).map(({ name, quantity }) => {
    return quantity === 1 ? name : `${name} × ${words.number(quantity)}`;
  });
  const value = [...shown, ...(items.length > itemsMax ? ['…'] : [])].join(' + ');
  return { label: words.text('subscription'), value };
}

export const trialEndingSample: TrialEndingMail = {
  items: [{ name: 'Team plan', quantity: 1 }],
  amount: 9900,
  currency: 'eur',
  every: { interval: 'month', count: 1 },
  trial_end: 1_794_564_000,
  is_automatic: true,
  url: 'https://pay.example.com/sample',
};

export const canceledSubscriptionSample: CanceledSubscriptionMail = {
  items: [
    { name: 'Team plan', quantity: 1 },
    { name: 'Further seat', quantity: 2 },
  ],
  ends_at: 1_796_083_200,
  has_ended: false,
};
