import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailMessage } from '../../../mail/message.ts';
import { cardText } from '../payment_methods/card/brand_names.ts';

export type RefundMail = {
  /** Of the payment: customers know it from their receipt. */
  payment: string;
  amount: number;
  currency: string;
  /** Of the payment. */
  description?: string | null;
  amount_received: number;
  brand?: string | null;
  last4?: string | null;
  /** Epoch seconds. */
  refunded_at: number;
};

export function refundMessage(refund: RefundMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const { currency, description, payment } = refund;
  const amount = words.money({ amount: refund.amount, currency });
  const date = words.date(refund.refunded_at);
  const card = cardText(refund);
  return {
    subject: words.subject(words.text('refund')),
    preheader: `${words.value(amount)} – ${words.value(date)}`,
    blocks: [
      { kind: 'amount', amount },
      { kind: 'heading', text: words.text('refund') },
      { kind: 'paragraph', text: words.text('refund_time') },
      {
        kind: 'details',
        rows: [
          ...(description ? [{ label: words.document('description'), value: description }] : []),
          { label: words.document('date'), value: date },
          {
            label: words.document('amount_paid'),
            value: words.money({ amount: refund.amount_received, currency }),
          },
          ...(card === '' ? [] : [{ label: words.page('payment_method'), value: card }]),
          { label: words.page('reference'), value: payment },
        ],
      },
    ],
  };
}

export const refundSample: RefundMail = {
  payment: 'py_0QkRtW5z8YbNcVdEfGhJk2',
  amount: 1890,
  currency: 'eur',
  description: 'Espresso beans, 1 kg',
  amount_received: 4890,
  brand: 'visa',
  last4: '4242',
  refunded_at: 1_794_564_000,
};
