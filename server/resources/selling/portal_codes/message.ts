import { type MailReader, MailWords } from '../../../locales/mail_wording.ts';
import type { MailMessage } from '../../../mail/message.ts';

/** `email`: of the customer, who may have several. */
export type PortalCodeMail = { code: string; email: string };

/** The code is in no subject and no preview: a screen that is locked shows those. */
export function portalCodeMessage({ code, email }: PortalCodeMail, reader: MailReader): MailMessage {
  const words = new MailWords(reader);
  return {
    subject: words.subject(words.text('sign_in_code')),
    blocks: [
      { kind: 'heading', text: words.text('sign_in_code') },
      { kind: 'amount', amount: code },
      { kind: 'paragraph', text: words.text('code_valid') },
      { kind: 'details', rows: [{ label: words.page('email'), value: email }] },
      { kind: 'note', text: words.text('code_ignored') },
    ],
  };
}

export const portalCodeSample: PortalCodeMail = { code: 'K7QX4M', email: 'ada@example.com' };
