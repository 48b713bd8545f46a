import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailMessage } from '../../../mail/message.ts';
import { cardText } from '../payment_methods/card/brand_names.ts';

export type ReceiptMail = {
  id: string;
  amount_received: number;
  currency: string;
  description?: string | null;
  brand?: string | null;
  last4?: string | null;
  /** Epoch seconds. */
  paid_at: number;
  /** What the statement of the card says. */
  statement_descriptor?: string | null;
};

export function receiptMessage(receipt: ReceiptMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const { id, currency, description, statement_descriptor } = receipt;
  const amount = words.money({ amount: receipt.amount_received, currency });
  const date = words.date(receipt.paid_at);
  const card = cardText(receipt);
  return {
    subject: words.subject(words.document('receipt')),
    preheader: `${words.value(amount)} – ${words.value(date)}`,
    blocks: [
      { kind: 'amount', amount },
      { kind: 'heading', text: words.page('paid') },
      {
        kind: 'details',
        rows: [
          ...(description ? [{ label: words.document('description'), value: description }] : []),
          { label: words.document('paid_on'), value: date },
          ...(card === '' ? [] : [{ label: words.page('payment_method'), value: card }]),
          ...(statement_descriptor ? [{ label: words.text('statement'), value: statement_descriptor }] : []),
          { label: words.page('reference'), value: id },
        ],
      },
    ],
  };
}

export const receiptSample: ReceiptMail = {
  id: 'py_0QkRtW5z8YbNcVdEfGhJk2',
  amount_received: 4890,
  currency: 'eur',
  description: 'Espresso beans, 1 kg',
  brand: 'visa',
  last4: '4242',
  paid_at: 1_794_304_800,
  statement_descriptor: 'NORDLICHT COFFEE',
};
