import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { roles } from '../../../operations/role.ts';
import {
  Created,
  MaybeFlag,
  MaybeMoment,
  MaybeText,
  Moment,
  ObjectKind,
  OneOf,
  Parameters,
  Shown,
  ShownOnce,
  Text,
  timestampOf,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { Token } from '../sessions/schema.ts';
import { Email, NewPassword, RoleParameter } from '../users/schema.ts';
import type { Owners } from '../users/store.ts';
import { type Invitation, type InvitationStatus, invitationStatuses, statusOf } from './invitation.ts';

export const InvitationInput = Parameters({
  email: Email,
  role: RoleParameter,
  link: Type.Optional(
    Type.Boolean({ description: '`true`: no mail is sent, and the answer has the link, for you to send.' }),
  ),
});

const InvitationToken = Token('The token of the link, which stands after the `#`.');

export const PreviewInput = Parameters({ token: InvitationToken });

export const AcceptInput = Parameters({ token: InvitationToken, password: Type.Optional(NewPassword) });

const InvitationMail = Type.Object(
  {
    status: OneOf(
      ['queued', 'sent', 'failed', 'bounced'],
      '`queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it. `failed`: no attempt has succeeded. `bounced`: the mail server has refused the address.',
    ),
    failure: MaybeText('Why the latest attempt has failed. Invite again, or with `link`, to send the link yourself.'),
    sent_at: MaybeMoment('When the mail server has taken it.'),
  },
  { title: 'InvitationMail', description: 'What became of the mail with the link; present if it was mailed.' },
);

const members = {
  email: Text('Who is invited.'),
  role: OneOf(roles, 'What they may do in the account.'),
  status: OneOf(invitationStatuses, 'Whether it can still be used.'),
  mailed: MaybeFlag(
    'Present if the link was mailed to the email, and shown to nobody: accepting it verifies the email.',
  ),
  mail: Type.Optional(InvitationMail),
  invited_by: MaybeText('The user who made it. Not there for one that the operator made.'),
  expires_at: Moment('When it stops working.'),
  created: Created,
};

export const InvitationOutput = Shown('Invitation', 'invitation', 'An invitation to work in an account.', members);

type LinkMail = Static<typeof InvitationMail>;
type ShownInvitation = Invitation & { status: InvitationStatus; mail: LinkMail | null };

const serialize = serializer<ShownInvitation, typeof InvitationOutput>(InvitationOutput, {
  created: timeInId,
  mailed: from(['mailed'], ({ mailed }: { mailed: boolean }) => mailed || null),
  mail: from(['mail'], ({ mail }: { mail: LinkMail | null }) => mail),
});

/** `mail`: what became of the mail with its link. */
export function serializeInvitation(invitation: Invitation, members: Owners, now: number, mail: LinkMail | null) {
  return serialize({ ...invitation, status: statusOf(invitation, members, now), mail });
}

type LinkMailRow = { status: LinkMail['status']; failure: string | null; sent_at: Date | null };

export function serializeLinkMail({ status, failure, sent_at }: LinkMailRow): LinkMail {
  return { status, ...(failure !== null && { failure }), ...(sent_at && { sent_at: timestampOf(sent_at) }) };
}

export const NewInvitationOutput = Shown('NewInvitation', 'invitation', 'An invitation that was just made.', {
  ...members,
  url: Type.Optional(ShownOnce('The link to send, shown this once. It works once. Absent if it was mailed.')),
});
export type NewInvitationShown = Static<typeof NewInvitationOutput>;

export const InvitationPreviewOutput = Type.Object(
  {
    object: ObjectKind('invitation_preview'),
    email: Text('Who is invited.'),
    role: OneOf(roles, 'What they may do in the account.'),
    account: Text('The name of the account.'),
    mailed: MaybeFlag('Present if the link was mailed: accepting it verifies the email.'),
    expires_at: Moment('When it stops working.'),
  },
  { title: 'InvitationPreview', description: 'What an invitation offers, shown to anybody with its link.' },
);
