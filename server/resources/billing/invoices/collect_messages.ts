import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailBlock, MailMessage } from '../../../mail/message.ts';
import { cardText } from '../../payments/payment_methods/card/brand_names.ts';
import { numberText } from './invoice.ts';

type UnpaidInvoice = {
  number: number;
  amount_due: number;
  currency: string;
  /** What was to be charged. */
  brand?: string | null;
  last4?: string | null;
};

export type FailedPaymentMail = UnpaidInvoice & {
  /** A customer learns no more of a decline. */
  reason: 'declined' | 'expired' | 'other';
  /** When it is tried again, epoch seconds; null: this was the last try. */
  next_attempt: number | null;
  /** Where it can be paid. */
  url?: string | undefined;
};

export type RequiredActionMail = UnpaidInvoice & {
  /** Where the cardholder confirms. */
  url: string;
};

export function failedPaymentMessage(failed: FailedPaymentMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const heading = words.text('payment_failed');
  const amount = amountOf(failed, words);
  const { next_attempt, url } = failed;
  const retry = next_attempt === null ? [] : [{ label: words.text('next_attempt'), value: words.date(next_attempt) }];
  return {
    subject: words.subject(heading),
    preheader: `${words.value(amount)} – ${reasonOf(failed, words)}`,
    blocks: [
      { kind: 'amount', amount },
      { kind: 'heading', text: heading },
      paragraph(reasonOf(failed, words)),
      ...(next_attempt === null ? [paragraph(words.text('no_more_attempts'))] : []),
      ...(url === undefined ? [] : [paragraph(words.page('try_another'))]),
      { kind: 'details', rows: [...retry, ...detailsOf(failed, words)] },
      ...(url === undefined ? [] : [payButton(url, amount, words)]),
    ],
  };
}

export function requiredActionMessage(asked: RequiredActionMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const heading = words.text('confirm_payment');
  const amount = amountOf(asked, words);
  return {
    subject: words.subject(heading),
    preheader: `${words.value(amount)} – ${words.text('bank_asks')}`,
    blocks: [
      { kind: 'amount', amount },
      { kind: 'heading', text: heading },
      { kind: 'paragraph', text: words.text('bank_asks') },
      { kind: 'details', rows: detailsOf(asked, words) },
      { kind: 'button', text: heading, url: asked.url },
    ],
  };
}

const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text });

const amountOf = ({ amount_due, currency }: UnpaidInvoice, words: MailWords) =>
  words.money({ amount: amount_due, currency });

function reasonOf({ reason }: FailedPaymentMail, words: MailWords): string {
  if (reason === 'declined') return words.page('declined');
  return reason === 'expired' ? words.page('card_expired') : words.text('not_completed');
}

function detailsOf(unpaid: UnpaidInvoice, words: MailWords): { label: string; value: string }[] {
  const card = cardText(unpaid);
  return [
    ...(card === '' ? [] : [{ label: words.page('payment_method'), value: card }]),
    { label: words.document('invoice_number'), value: numberText(unpaid.number) },
  ];
}

const payButton = (url: string, amount: string, words: MailWords): MailBlock => ({
  kind: 'button',
  text: words.page('pay', { amount }),
  url,
});

const unpaid = { number: 12, amount_due: 13_000, currency: 'eur', brand: 'visa', last4: '0002' };
const url = 'https://pay.example.com/sample';

export const failedPaymentSample: FailedPaymentMail = {
  ...unpaid,
  reason: 'declined',
  next_attempt: 1_793_750_400,
  url,
};
export const lastFailureSample: FailedPaymentMail = { ...failedPaymentSample, next_attempt: null };
export const requiredActionSample: RequiredActionMail = { ...unpaid, last4: '3220', url };
