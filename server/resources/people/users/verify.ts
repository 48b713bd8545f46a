import type { Write } from '../../../base/commit/index.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { refusal } from './errors.ts';
import { VerifiedUserOutput } from './schema.ts';
import {
  addVerifiedEmail,
  dropVerifiedEmail,
  findAccountsOf,
  findUser,
  findUsersByEmail,
  findVerifiedEmail,
} from './store.ts';
import { type KnownUser, normalEmail, type User } from './user.ts';

/** The write that verifies the email of a user. A message to the address does the same as the operator's word. */
export const verifiedFor = ({ id, email }: Pick<User, 'id' | 'email'>, now: number): Write =>
  addVerifiedEmail({ email, user_id: id, version: 1, verified_at: new Date(now) });

/** The row of a user. */
export function userOf({ email_verified: _, ...user }: KnownUser): User {
  return user;
}

/** A user by its id, or by an email that one user has, or that is verified for one. */
export async function requireUser({ reads }: Pick<Context, 'reads'>, named: string): Promise<User> {
  if (!named.includes('@')) {
    const user = await findUser(reads, named);
    if (user === undefined) throw refusal('resource_missing', { param: 'id', resource: 'user' });
    return user;
  }
  const [first, ...others] = await findUsersByEmail(reads, normalEmail(named));
  if (first === undefined) throw refusal('resource_missing', { param: 'id', resource: 'user' });
  if (others.length > 0 && !first.email_verified) throw several([first, ...others]);
  return userOf(first);
}

function several(users: readonly KnownUser[]) {
  const listed = users.map(({ id, home_account }) =>
    home_account === null ? id : `${id} (invited by ${home_account})`,
  );
  return refusal('parameter_invalid', {
    param: 'id',
    reason: `several users have this email; name one by its id: ${listed.join(', ')}`,
  });
}

const present = ({ id, email }: User, email_verified: boolean) => ({ id, object: 'user', email, email_verified });

async function changed({ reads }: Context, user: User, action: string, write: Write) {
  const accounts = await findAccountsOf(reads, user.id);
  return {
    objectId: user.id,
    writes: [write],
    audit: [{ action, subject: user.id, accounts, details: { email: user.email } }],
  };
}

const verify = operation({
  callers: ['operator'],
  name: 'users.verify',
  summary: 'Confirm that an email belongs to a user',
  route: 'POST /users/:id/verify',
  output: VerifiedUserOutput,
  async run(context) {
    const user = await requireUser(context, context.id);
    const verified = await findVerifiedEmail(context.reads, user.email);
    if (verified?.user_id === user.id) return { result: present(user, true), objectId: user.id };
    if (verified !== undefined)
      throw refusal('parameter_invalid', {
        param: 'id',
        reason: `the email is verified for ${verified.user_id}; undo that first`,
      });
    const change = await changed(context, user, 'user.verified', verifiedFor(user, context.now));
    return { result: present(user, true), ...change };
  },
});

const unverify = operation({
  callers: ['operator'],
  name: 'users.unverify',
  summary: 'Take back that an email belongs to a user',
  route: 'POST /users/:id/unverify',
  output: VerifiedUserOutput,
  async run(context) {
    const user = await requireUser(context, context.id);
    const verified = await findVerifiedEmail(context.reads, user.email);
    if (verified?.user_id !== user.id) return { result: present(user, false), objectId: user.id };
    const change = await changed(context, user, 'user.unverified', dropVerifiedEmail(verified));
    return { result: present(user, false), ...change };
  },
});

export const verifyOperations = [verify, unverify];
