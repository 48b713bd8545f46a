import type { Id } from '../base/id.ts';
import { networkOf } from '../base/ip_range.ts';
import type { Mode, ReadOwner, Tenant } from '../base/reads.ts';
import { installation } from '../base/tenant.ts';
import { apiError } from './errors.ts';
import { permits, type Right, type Role, rightToRead, rolesWith } from './role.ts';
import { allows, type Scope } from './scope.ts';

/** What a key may do, and for how long. */
export type KeyRights = {
  name: string;
  /** Null: a secret key, which may do everything. */
  scopes: string[] | null;
  /** Addresses or ranges; null: from anywhere. */
  allowed_ips: string[] | null;
  signature_required: boolean;
  expires_at: Date | null;
};

/** What authentication needs to know: the key and its account. */
export type KeyWithAccount = KeyRights & {
  tenant: Tenant;
  id: Id<'key'>;
  /** The last characters of the key, so that people can tell keys apart. */
  hint: string;
  /** The key works until this moment, which lies in the future while a key that was rolled overlaps with its successor. */
  revoked_at: Date | null;
  rolled_to: Id<'key'> | null;
  account: Id<'acct'>;
  mode: Mode;
  tier: string;
  rate_limit: number | null;
  account_status: 'active' | 'suspended';
  /** By the database's clock. */
  expired: boolean;
  revoked: boolean;
};

/** An account that a person works in. */
export type MemberAccount = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  role: Role;
  /** Whether a member without an authenticator can do nothing in it. */
  totp_required: boolean;
  tenants: Record<Mode, Tenant>;
};

/** Somebody with a role in the account of a tenant, as of now, for mails. */
export type MemberNow = {
  email: string;
  account: MemberAccount;
  mode: Mode;
  role: Role;
  /** Whether they may be written to about the account, and could work in it: the email is verified, an authenticator set up where one is required. */
  canWork: boolean;
};

/** A person who has signed in, as a request needs to know it. */
export type SignedIn = {
  session: Id<'ses'>;
  user: Id<'usr'>;
  email: string;
  emailVerified: boolean;
  totpEnabled: boolean;
  expiresAt: number;
  accounts: readonly MemberAccount[];
  csrfToken: string;
};

/**
 * Who calls an operation. Authentication makes a caller of a key, of a person who has signed in, or of a visitor who has not; the worker
 * makes jobs, and the command line makes operators. The audit log and the request log name the caller.
 */
export type Caller =
  | { kind: 'key'; tenant: Tenant; mode: Mode; key: KeyWithAccount }
  | {
      kind: 'person';
      tenant: Tenant;
      mode: Mode;
      person: SignedIn;
      /** Null in what concerns the person alone. */
      account: string | null;
      role: Role | null;
      address: string;
    }
  | { kind: 'visitor'; tenant: Tenant; mode: Mode; address: string; browser: string | null }
  /** Somebody on a page, whose address names what may be done there. */
  | { kind: 'shopper'; tenant: Tenant; mode: Mode; name: string; address: string }
  /** A customer who has signed in to the portal: it reaches what is its own, and nothing else (`customer_access.ts`). */
  | { kind: 'customer'; tenant: Tenant; mode: Mode; account: string; customer: string; address: string }
  | { kind: 'job'; tenant: Tenant; mode: Mode; name: string }
  | {
      kind: 'operator';
      tenant: Tenant;
      mode: Mode;
      /** Null for what concerns the whole installation. */
      account: string | null;
      name: string;
    };

export type CallerKind = Caller['kind'];
export type PersonCaller = Extract<Caller, { kind: 'person' }>;
export type VisitorCaller = Extract<Caller, { kind: 'visitor' }>;
export type CustomerCaller = Extract<Caller, { kind: 'customer' }>;

export { installation };

export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return caller.key.id;
    case 'person':
      return caller.person.email;
    case 'visitor':
      return 'visitor';
    case 'customer':
      return 'the customer';
    default:
      return caller.name;
  }
}

/** Whose share of the reads a caller uses. People who act in no account and visitors must not wait for each other. */
export function readOwnerOf(caller: Caller): ReadOwner {
  if (caller.kind === 'visitor' || caller.kind === 'shopper' || caller.kind === 'customer')
    return { visitor: networkOf(caller.address) };
  return caller.kind === 'person' && caller.account === null ? { person: caller.person.user } : caller.tenant;
}

/** The account that a caller acts for; null for jobs, and for work on the whole installation. */
export function callerAccount(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.key.account;
  return caller.kind === 'job' || caller.kind === 'visitor' || caller.kind === 'shopper' ? null : caller.account;
}

/** Whether a caller may see the objects of a scope: a key by its scopes, a person by its role. */
export function mayRead(caller: Caller, scope: Scope): boolean {
  return caller.kind === 'key' ? allows(caller.key.scopes, scope) : hasRight(caller, rightToRead(scope));
}

/** Refuses a caller that may not see the objects of a scope. */
export function refuseReading(caller: Caller, scope: Scope): void {
  if (mayRead(caller, scope)) return;
  if (caller.kind === 'key') throw apiError('scope_missing', { scope });
  refuseWithout(caller, rightToRead(scope));
}

/** Whether the role of a person permits something. What others may do does not follow from a role. */
export function hasRight(caller: Caller, right: Right): boolean {
  return caller.kind !== 'person' || caller.role === null || permits(caller.role, caller.mode, right);
}

/** Refuses a person whose role does not permit something, and says whose does. */
export function refuseWithout(caller: Caller, right: Right): void {
  if (hasRight(caller, right)) return;
  const { role, mode } = caller as PersonCaller;
  const able = rolesWith(mode, right).join(', ');
  throw apiError('role_missing', {
    reason: `Your role, ${role}, cannot do this in ${mode} mode. Roles that can: ${able}.`,
  });
}
