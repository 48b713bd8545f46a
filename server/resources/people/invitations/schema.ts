import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { roles } from '../../../operations/role.ts';
import {
  Created,
  MaybeText,
  Moment,
  ObjectKind,
  OneOf,
  Parameters,
  Shown,
  ShownOnce,
  Text,
} from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { Token } from '../sessions/schema.ts';
import { Email, NewPassword, RoleParameter } from '../users/schema.ts';
import type { Owners } from '../users/store.ts';
import { type Invitation, type InvitationStatus, invitationStatuses, statusOf } from './invitation.ts';

export const InvitationInput = Parameters({ email: Email, role: RoleParameter });

const InvitationToken = Token('The token of the link, which stands after the `#`.');

export const PreviewInput = Parameters({ token: InvitationToken });

export const AcceptInput = Parameters({ token: InvitationToken, password: Type.Optional(NewPassword) });

const members = {
  email: Text('Who is invited.'),
  role: OneOf(roles, 'What they may do in the account.'),
  status: OneOf(invitationStatuses, 'Whether it can still be used.'),
  invited_by: MaybeText('The user who made it. Not there for one that the operator made.'),
  expires_at: Moment('When it stops working.'),
  created: Created,
};

export const InvitationOutput = Shown('Invitation', 'invitation', 'An invitation to work in an account.', members);

const serialize = serializer<Invitation & { status: InvitationStatus }, typeof InvitationOutput>(InvitationOutput, {
  created: timeInId,
});

export function serializeInvitation(invitation: Invitation, members: Owners, now: number) {
  return serialize({ ...invitation, status: statusOf(invitation, members, now) });
}

export const NewInvitationOutput = Shown('NewInvitation', 'invitation', 'An invitation that was just made.', {
  ...members,
  url: ShownOnce('The link to send, shown this once. It works once.'),
});
export type NewInvitationShown = Static<typeof NewInvitationOutput>;

export const InvitationPreviewOutput = Type.Object(
  {
    object: ObjectKind('invitation_preview'),
    email: Text('Who is invited.'),
    role: OneOf(roles, 'What they may do in the account.'),
    account: Text('The name of the account.'),
    expires_at: Moment('When it stops working.'),
  },
  { title: 'InvitationPreview', description: 'What an invitation offers, shown to anybody with its link.' },
);
