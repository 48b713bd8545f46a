// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** An account that a user works in. */
export type MemberAccount = {
  /** The id of the account, for the header `X-Tollgate-Account`. */
  id: string;
  /** Its name. */
  name: string;
  /** Requests for a suspended account are refused. */
  status: 'active' | 'suspended';
  /** What the user may do in it. */
  role: 'owner' | 'developer' | 'support' | 'viewer';
};

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
  /** The token of a sign-in link, in place of email and password. */
  link?: string | undefined;
};

/** Sessions that have ended. */
export type SessionsEnded = {
  /** The kind of object. */
  object: 'sessions_ended';
  /** How many sessions have ended. */
  count: number;
};

/** Somebody who signs in to the dashboard. */
export type User = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'user';
  /** The email address. */
  email: string;
  /** Whether an authenticator is set up. */
  totp_enabled: boolean;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};
