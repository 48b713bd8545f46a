import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';

export type PasswordResetMail = {
  /** Epoch seconds. */
  expires_at: number;
  /** Using the link also removes the authenticator. */
  clears_totp: boolean;
  /** The address of the visitor who asked for it; null: the operator has made it. */
  asked_from: string | null;
  /** The names of the accounts that the user works in, where the email has several users. */
  accounts: readonly string[];
  url: string;
};

export function passwordResetMessage(mail: PasswordResetMail): MailMessage {
  const { expires_at, clears_totp, asked_from, accounts, url } = mail;
  return {
    subject: 'Choose a new password',
    preheader: `The link works once, until ${momentIn(forPeople, expires_at * 1_000)}.`,
    blocks: [
      { kind: 'heading', text: 'Choose a new password' },
      { kind: 'paragraph', text: 'The link works once. All your sessions end when you use it.' },
      ...(clears_totp
        ? [{ kind: 'paragraph', text: 'Your authenticator is removed as well. Please set it up again.' } as const]
        : []),
      {
        kind: 'details',
        rows: [
          ...accounts.map((account) => ({ label: 'Works in', value: account })),
          { label: 'Valid until', value: momentIn(forPeople, expires_at * 1_000) },
          ...(asked_from === null ? [] : [{ label: 'Asked for from', value: asked_from }]),
        ],
      },
      { kind: 'button', text: 'Choose password', url },
      {
        kind: 'note',
        text:
          asked_from === null
            ? 'If you did not ask for this, do not use the link, and tell the operator of this gateway. Your password stays as it is.'
            : 'If you did not ask for this, ignore this mail. Your password stays as it is.',
      },
    ],
  };
}

export const passwordResetSample: PasswordResetMail = {
  expires_at: 1_794_391_200,
  clears_totp: false,
  asked_from: '203.0.113.7',
  accounts: [],
  url: 'https://pay.example.com/dashboard#reset=sample',
};
