import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';

export type EmailCodeMail = {
  code: string;
  /** Epoch seconds. */
  expires_at: number;
  /** Where it is entered. */
  url: string;
};

export function emailCodeMessage({ code, expires_at, url }: EmailCodeMail): MailMessage {
  return {
    subject: 'Your code to verify your email',
    preheader: `It works until ${momentIn(forPeople, expires_at * 1_000)}.`,
    blocks: [
      { kind: 'heading', text: 'Verify your email' },
      { kind: 'paragraph', text: 'Enter this code where you asked for it: in your profile.' },
      { kind: 'amount', amount: code },
      { kind: 'details', rows: [{ label: 'Valid until', value: momentIn(forPeople, expires_at * 1_000) }] },
      { kind: 'button', text: 'Open your profile', url },
      { kind: 'note', text: 'If you did not ask for it, give the code to nobody, and ignore this mail.' },
    ],
  };
}

export const emailCodeSample: EmailCodeMail = {
  code: '7KQ2MX',
  expires_at: 1_794_305_700,
  url: 'https://pay.example.com/dashboard/settings/profile',
};
