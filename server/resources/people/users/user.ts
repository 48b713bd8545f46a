import type { Id } from '../../../base/id.ts';
import type { Role } from '../../../operations/role.ts';

export type UserId = Id<'usr'>;

/** Somebody who signs in to the dashboard. A user may work in several accounts, with a role in each. */
export type User = {
  id: UserId;
  version: number;
  /** In lower case. Several users may have one email; for one of them it may be verified. */
  email: string;
  /** An argon2id hash in the usual form, with its parameters and its salt. */
  password: string;
  /** Sealed; null while no authenticator is set up. */
  totp_secret: Buffer | null;
  /** The step of the code that was used last. Each code works once. */
  totp_step: number | null;
  /** Keyed hashes of the codes that are left. */
  recovery_codes: readonly string[];
  /** Counts the passwords that the user has chosen. A session of an earlier one is over. */
  generation: number;
  /** The account whose invitation made the user; null for a user of the operator. Until the email is verified, the user belongs to it. */
  home_account: string | null;
};

/** Verified users first. */
export type KnownUser = User & { email_verified: boolean };

/** For which of its users an email is verified: the operator says so, or a message to the address has proved it. */
export type VerifiedEmail = { email: string; user_id: UserId; version: number; verified_at: Date };

/** The role of a user in an account. */
export type Membership = { account: string; user_id: UserId; version: number; role: Role };

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Counts up with every change of a role in the account. A decision on the owners names the version that it is based on. */
export type MemberSet = { account: string; version: number };

/** A user with another password: all sessions are over that began with the one before. */
export function withPassword(user: User, password: string): User {
  return { ...user, generation: user.generation + 1, password };
}
