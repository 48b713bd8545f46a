// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { MemberAccount, User } from './shared.ts';

/** A person who has signed in. */
export type Session = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'session';
  user: User;
  /** The accounts that the user works in. */
  accounts: Array<MemberAccount>;
  /** For the header `X-Tollgate-CSRF` of every POST and DELETE. */
  csrf_token: string;
  /** When the session ends, however much it is used. In UTC epoch seconds. */
  expires_at: number;
};

export type SessionsCreateParameters = {
  /** An email address of up to 254 characters. */
  email?: string | undefined;
  /** The password. */
  password?: string | undefined;
  /** The six digits that the authenticator shows, or a recovery code. */
  code?: string | undefined;
  /** The id of an account. If several users have this email and this password, the one with a role in it signs in. */
  account?: string | undefined;
  /** The token of a sign-in link, in place of email and password. */
  link?: string | undefined;
};
