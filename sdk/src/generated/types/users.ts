// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** A user as the owners of an account see it. */
export type Member = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'user';
  /** The email address. */
  email: string;
  /**
   * Whether the operator, or a message to the address, has confirmed the email. Otherwise anybody who was invited
   * may have typed it.
   */
  email_verified: boolean;
  /** What the user may do in this account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
  /** Whether an authenticator is set up. */
  totp_enabled: boolean;
  /** When the user last used the dashboard. Not there for somebody who never has. In UTC epoch seconds. */
  last_seen?: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

/** What is left of a deleted object. */
export type RemovedUser = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'user';
  /** The object is gone. */
  deleted: true;
};

export type UsersUpdateParameters = {
  /** What the user may do in the account. */
  role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer';
};

export type UsersListParameters = ListParameters;
