// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** An invitation to work in an account. */
export type Invitation = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'invitation';
  /** Who is invited. */
  email: string;
  /** What they may do in the account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** Whether it can still be used. */
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Present if the link was mailed to the email, and shown to nobody: accepting it verifies the email. */
  mailed?: boolean;
  mail?: InvitationMail;
  /** The user who made it. Not there for one that the operator made. */
  invited_by?: string;
  /** When it stops working. In UTC epoch seconds. */
  expires_at: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

/** What became of the mail with the link; present if it was mailed. */
export type InvitationMail = {
  /**
   * `queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it. `failed`: no
   * attempt has succeeded. `bounced`: the mail server has refused the address.
   */
  status: 'queued' | 'sent' | 'failed' | 'bounced';
  /** Why the latest attempt has failed. Invite again, or with `link`, to send the link yourself. */
  failure?: string;
  /** When the mail server has taken it. In UTC epoch seconds. */
  sent_at?: number;
};

/** What an invitation offers, shown to anybody with its link. */
export type InvitationPreview = {
  /** The kind of object. */
  object: 'invitation_preview';
  /** Who is invited. */
  email: string;
  /** What they may do in the account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** The name of the account. */
  account: string;
  /** Present if the link was mailed: accepting it verifies the email. */
  mailed?: boolean;
  /** When it stops working. In UTC epoch seconds. */
  expires_at: number;
};

export type InvitationsAcceptParameters = {
  /** The token of the link, which stands after the `#`. */
  token: string;
  /** 12 characters or more, and none of the commonest passwords. */
  password?: string | undefined;
};

export type InvitationsCreateParameters = {
  /** An email address of up to 254 characters. */
  email: string;
  /** What the user may do in the account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** `true`: no mail is sent, and the answer has the link, for you to send. */
  link?: boolean | undefined;
};

export type InvitationsPreviewParameters = {
  /** The token of the link, which stands after the `#`. */
  token: string;
};

export type InvitationsRevokeParameters = Record<string, never>;

/** An invitation that was just made. */
export type NewInvitation = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'invitation';
  /** Who is invited. */
  email: string;
  /** What they may do in the account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** Whether it can still be used. */
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Present if the link was mailed to the email, and shown to nobody: accepting it verifies the email. */
  mailed?: boolean;
  mail?: InvitationMail;
  /** The user who made it. Not there for one that the operator made. */
  invited_by?: string;
  /** When it stops working. In UTC epoch seconds. */
  expires_at: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** The link to send, shown this once. It works once. Absent if it was mailed. */
  url?: string;
};

export type InvitationsListParameters = ListParameters;
