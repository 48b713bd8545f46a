import type { Id } from '../../../base/id.ts';
import type { Role } from '../../../operations/role.ts';
import type { Owners } from '../users/store.ts';

export type InvitationId = Id<'inv'>;

export type Invitation = {
  id: InvitationId;
  version: number;
  account: string;
  email: string;
  role: Role;
  /** A keyed hash of the token, which only the link has. */
  hash: Buffer;
  /** The link went to the email and was shown to nobody. */
  mailed: boolean;
  /** The user who made it; null for the operator. */
  invited_by: string | null;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
};

export const invitationDays = 7;

export const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** An owner who is one no longer has not invited anybody: otherwise they could come back with an invitation that they had put aside. */
export function statusOf(invitation: Invitation, { owners }: Owners, now: number): InvitationStatus {
  const { accepted_at, revoked_at, invited_by, expires_at } = invitation;
  if (accepted_at !== null) return 'accepted';
  if (revoked_at !== null || (invited_by !== null && !owners.includes(invited_by))) return 'revoked';
  return expires_at.getTime() <= now ? 'expired' : 'pending';
}
