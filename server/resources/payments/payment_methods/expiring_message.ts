import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailMessage } from '../../../mail/message.ts';
import { cardText } from './card/brand_names.ts';

export type ExpiringCardMail = {
  brand?: string | null;
  last4?: string | null;
  exp_month: number;
  exp_year: number;
  /** Where another card can be added. */
  url?: string | undefined;
};

export function expiringCardMessage(card: ExpiringCardMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  const heading = words.text('card_expires');
  const name = cardText(card);
  const month = words.month({ year: card.exp_year, month: card.exp_month });
  return {
    subject: words.subject(heading),
    preheader: [name, month]
      .filter(Boolean)
      .map((text) => words.value(text))
      .join(' – '),
    blocks: [
      { kind: 'heading', text: heading },
      { kind: 'paragraph', text: words.text('add_card') },
      {
        kind: 'details',
        rows: [
          ...(name === '' ? [] : [{ label: words.page('payment_method'), value: name }]),
          { label: words.page('expiry'), value: month },
        ],
      },
      ...(card.url === undefined
        ? []
        : [{ kind: 'button', text: words.text('update_method'), url: card.url } as const]),
    ],
  };
}

export const expiringCardSample: ExpiringCardMail = {
  brand: 'mastercard',
  last4: '4444',
  exp_month: 12,
  exp_year: 2026,
  url: 'https://pay.example.com/sample',
};
