import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';

export type PasswordResetMail = {
  /** Epoch seconds. */
  expires_at: number;
  /** Using the link also removes the authenticator. */
  clears_totp: boolean;
  url: string;
};

export function passwordResetMessage({ expires_at, clears_totp, url }: PasswordResetMail): MailMessage {
  return {
    subject: 'Choose a new password',
    preheader: `The link works once, until ${momentIn(forPeople, expires_at * 1_000)}.`,
    blocks: [
      { kind: 'heading', text: 'Choose a new password' },
      { kind: 'paragraph', text: 'The link works once. All your sessions end when you use it.' },
      ...(clears_totp
        ? [{ kind: 'paragraph', text: 'Your authenticator is removed as well. Please set it up again.' } as const]
        : []),
      { kind: 'details', rows: [{ label: 'Valid until', value: momentIn(forPeople, expires_at * 1_000) }] },
      { kind: 'button', text: 'Choose password', url },
      {
        kind: 'note',
        text: 'If you did not ask for this, do not use the link, and tell the operator of this gateway. Your password stays as it is.',
      },
    ],
  };
}

export const passwordResetSample: PasswordResetMail = {
  expires_at: 1_794_391_200,
  clears_totp: false,
  url: 'https://pay.example.com/dashboard#reset=sample',
};
