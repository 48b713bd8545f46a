import { assert } from '../../../base/errors.ts';
import type { Secret } from '../../../base/secret.ts';
import type { PersonCaller } from '../../../operations/caller.ts';
import type { Context } from '../../../operations/operation.ts';
import { apiError } from '../sessions/errors.ts';
import { countTry, recordRefused, tryCode } from '../sessions/operations.ts';
import { isPassword } from '../users/password.ts';
import { findUser } from '../users/store.ts';
import type { User } from '../users/user.ts';

export async function ownUser({ caller, reads }: Context): Promise<User> {
  const user = await findUser(reads, (caller as PersonCaller).person.user);
  assert(user, 'a session belongs to a user');
  return user;
}

/** A signed-in browser must not be a way to guess the password: tries count as failed sign-ins do. */
export async function proven(context: Context, proof: { password: Secret; code?: Secret }): Promise<User> {
  const user = await ownUser(context);
  const tried = { email: user.email, address: (context.caller as PersonCaller).address, users: [user.id] };
  await countTry(context, tried, [user]);
  const after = await afterProof(context, user, proof);
  await context.signIns.uncount(tried);
  return after;
}

async function afterProof(context: Context, user: User, { password, code }: { password: Secret; code?: Secret }) {
  if (!(await isPassword(password, user.password))) throw wrong(context, user, 'password', 'it is not your password');
  if (code === undefined) return user;
  const after = await tryCode(context, user, code);
  if (after === undefined) throw wrong(context, user, 'code', 'it is wrong, or it was used before');
  return after;
}

/** As `proven`, and with the code of the authenticator if one is set up. */
export async function provenWithSecondFactor(
  context: Context,
  { password, code }: { password: Secret; code?: Secret | undefined },
): Promise<User> {
  if (code !== undefined) {
    const { totp_secret } = await ownUser(context);
    if (totp_secret === null)
      throw apiError('parameter_invalid', { param: 'code', reason: 'no authenticator is set up; leave it out' });
    return proven(context, { password, code });
  }
  const user = await proven(context, { password });
  if (user.totp_secret !== null) throw apiError('code_required', { param: 'code' });
  return user;
}

export function wrong(context: Context, user: User, param: string, reason: string) {
  recordRefused(context, 'sign_in_failed', [user]);
  return apiError('parameter_invalid', { param, reason });
}
