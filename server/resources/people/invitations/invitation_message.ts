import { isolatedName } from '../../../base/one_line.ts';
import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';
import type { Role } from '../../../operations/role.ts';

export type InvitationMail = {
  account: string;
  /** The email of who invites; null: the operator of the gateway. */
  invited_by: string | null;
  role: Role;
  /** Epoch seconds. */
  expires_at: number;
  url: string;
};

export function invitationMessage({ account, invited_by, role, expires_at, url }: InvitationMail): MailMessage {
  const to = isolatedName(account, 'ltr');
  return {
    subject: `Invitation to ${to}`,
    preheader: `Accept it to sign in as ${role}.`,
    blocks: [
      { kind: 'heading', text: `You are invited to ${to}` },
      { kind: 'paragraph', text: 'Accept the invitation to choose a password and sign in to the dashboard.' },
      {
        kind: 'details',
        rows: [
          ...(invited_by === null ? [] : [{ label: 'Invited by', value: invited_by }]),
          { label: 'Role', value: role },
          { label: 'Valid until', value: momentIn(forPeople, expires_at * 1_000) },
        ],
      },
      { kind: 'button', text: 'Accept invitation', url },
      { kind: 'note', text: 'If you do not know the sender, ignore this mail. Nothing happens until you accept.' },
    ],
  };
}

export const invitationSample: InvitationMail = {
  account: 'Nordlicht Coffee',
  invited_by: 'ada@nordlicht.example',
  role: 'developer',
  expires_at: 1_794_909_600,
  url: 'https://pay.example.com/dashboard#invitation=sample',
};
