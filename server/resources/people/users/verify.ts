import type { DirectoryWrite } from '../../../base/commit/index.ts';
import { type AuditEntry, type Context, operation } from '../../../operations/operation.ts';
import { apiError } from './errors.ts';
import { VerifiedUserOutput } from './schema.ts';
import {
  addVerifiedEmail,
  dropVerifiedEmail,
  findAccountsOf,
  findUser,
  findUsersByEmail,
  findVerifiedEmail,
} from './store.ts';
import { type KnownUser, normalEmail, type User, type VerifiedEmail } from './user.ts';

/** The write that verifies the email of a user. A message to the address does the same as the operator's word. */
export const verifiedFor = ({ id, email }: Pick<User, 'id' | 'email'>, now: number): DirectoryWrite =>
  addVerifiedEmail({ email, user_id: id, version: 1, verified_at: new Date(now) });

/**
 * What is written when somebody has shown that they read the mails of a user's email: undefined where it is verified already, for this user
 * or for another one.
 */
export async function provenEmail(
  { reads, now }: Pick<Context, 'reads' | 'now'>,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<{ writes: DirectoryWrite[]; audit: AuditEntry[] } | undefined> {
  if ((await findVerifiedEmail(reads, email)) !== undefined) return undefined;
  const accounts = await findAccountsOf(reads, id);
  const entry = {
    action: 'user.verified',
    subject: id,
    user: id,
    actor: email,
    accounts,
    details: { email, by: 'mail' },
  };
  return { writes: [verifiedFor({ id, email }, now)], audit: [entry] };
}

/** The row of a user. */
export function userOf({ email_verified: _, ...user }: KnownUser): User {
  return user;
}

/** A user by its id, or by an email that one user has, or that is verified for one. */
export async function requireUser({ reads }: Pick<Context, 'reads'>, named: string): Promise<User> {
  if (!named.includes('@')) {
    const user = await findUser(reads, named);
    if (user === undefined) throw apiError('resource_missing', { param: 'id', resource: 'user' });
    return user;
  }
  const [first, ...others] = await findUsersByEmail(reads, normalEmail(named));
  if (first === undefined) throw apiError('resource_missing', { param: 'id', resource: 'user' });
  if (others.length > 0 && !first.email_verified) throw several([first, ...others]);
  return userOf(first);
}

function several(users: readonly KnownUser[]) {
  const listed = users.map(({ id, home_account }) =>
    home_account === null ? id : `${id} (invited by ${home_account})`,
  );
  return apiError('parameter_invalid', {
    param: 'id',
    reason: `several users have this email; name one by its id: ${listed.join(', ')}`,
  });
}

/** The email of a user, which is verified for that user, for another one, or for nobody. */
type Claim = { user: User; verified: VerifiedEmail | undefined; now: number };

/** What the operator says about an email. `change` has nothing to write where that is known already. */
function defineVerification(
  facts: { name: string; route: `POST ${string}`; summary: string; action: string; isVerified: boolean },
  change: (claim: Claim) => DirectoryWrite | undefined,
) {
  const { action, isVerified: email_verified, ...described } = facts;
  return operation({
    home: 'directory',
    ...described,
    callers: ['operator'],
    output: VerifiedUserOutput,
    async run(context) {
      const { reads, now } = context;
      const user = await requireUser(context, context.id);
      const write = change({ user, verified: await findVerifiedEmail(reads, user.email), now });
      const { id, email } = user;
      const outcome = { result: { id, object: 'user', email, email_verified }, objectId: id };
      if (write === undefined) return outcome;
      const accounts = await findAccountsOf(reads, id);
      return { ...outcome, writes: [write], audit: [{ action, subject: id, accounts, details: { email } }] };
    },
  });
}

const verify = defineVerification(
  {
    name: 'users.verify',
    route: 'POST /users/:id/verify',
    summary: 'Confirm that an email belongs to a user',
    action: 'user.verified',
    isVerified: true,
  },
  ({ user, verified, now }) => {
    if (verified?.user_id === user.id) return undefined;
    if (verified === undefined) return verifiedFor(user, now);
    throw apiError('parameter_invalid', {
      param: 'id',
      reason: `the email is verified for ${verified.user_id}; undo that first`,
    });
  },
);

const unverify = defineVerification(
  {
    name: 'users.unverify',
    route: 'POST /users/:id/unverify',
    summary: 'Take back that an email belongs to a user',
    action: 'user.unverified',
    isVerified: false,
  },
  ({ user, verified }) => (verified?.user_id === user.id ? dropVerifiedEmail(verified) : undefined),
);

export const verifyOperations = [verify, unverify];
