import type { NewInvitationShown } from '../resources/people/invitations/schema.ts';
import type { ResetLinkShown } from '../resources/people/me/schema.ts';
import type { ShownMember, VerifiedUserShown } from '../resources/people/users/schema.ts';
import { type Operator, RefusedCommand, withOperator } from './operator.ts';
import { isoTime, print, table } from './print.ts';
import { MissingError } from './usage.ts';

type InviteOptions = { account: string; email: string; role: string; json?: boolean };

/** A person chooses the password, so what is made here is an invitation. */
export async function create({ account, email, role, json }: InviteOptions): Promise<void> {
  const made = await withOperator((operator) =>
    operator.run<NewInvitationShown>('invitations.create', { account, parameters: { email, role } }),
  );
  const { url, expires_at } = made;
  print(
    json,
    made,
    () =>
      `Link     ${url}\nExpires  ${isoTime(expires_at)}\n\nThe link is shown this once, and works once. Send it to ${made.email}.`,
  );
}

export async function list({ account, json }: { account: string; json?: boolean }): Promise<void> {
  const users = await withOperator((operator) => operator.all<ShownMember>('users.list', { account }));
  print(json, users, () =>
    table(['id', 'email', 'verified', 'role', 'authenticator', 'last seen'], users.map(cellsOf)),
  );
}

function cellsOf({ id, email, email_verified, role, totp_enabled, last_seen }: ShownMember): string[] {
  return [
    id,
    email,
    email_verified ? 'yes' : 'no',
    role,
    totp_enabled ? 'yes' : 'no',
    last_seen === undefined ? 'never' : isoTime(last_seen),
  ];
}

export async function remove(user: string, { account, json }: { account: string; json?: boolean }): Promise<void> {
  const removed = await withOperator(async (operator) => {
    const { id } = await memberOf(operator, account, user);
    return operator.run('users.remove', { account, id });
  });
  print(json, removed, () => `${user} no longer has a role in ${account}.`);
}

async function memberOf(operator: Operator, account: string, user: string): Promise<ShownMember> {
  const members = await operator.all<ShownMember>('users.list', { account });
  const found = members.find(({ id, email }) => id === user || email === user.trim().toLowerCase());
  if (found === undefined)
    throw new MissingError(
      `account ${account} has no user ${user}; "tollgate users list --account ${account}" shows them`,
    );
  return found;
}

export async function reset(user: string, { clearTotp, json }: { clearTotp?: boolean; json?: boolean }): Promise<void> {
  const made = await withOperator((operator) =>
    onUser<ResetLinkShown>(operator, 'me.create_reset_link', user, { clear_totp: clearTotp ?? false }),
  );
  const { email, url, expires_at } = made;
  print(
    json,
    made,
    () =>
      `Link     ${url}\nExpires  ${isoTime(expires_at)}\n\nThe link is shown this once, and works once. Send it to ${email}.`,
  );
}

/** Whether an email belongs to a user is the operator's word, as long as no message to it has proved it. */
export async function verify(user: string, { undo, json }: { undo?: boolean; json?: boolean }): Promise<void> {
  const name = undo ? 'users.unverify' : 'users.verify';
  const verified = await withOperator((operator) => onUser<VerifiedUserShown>(operator, name, user));
  const { id, email } = verified;
  print(json, verified, () => `${email} is ${undo ? 'no longer verified' : 'verified'} for ${id}.`);
}

async function onUser<Result>(operator: Operator, name: string, user: string, parameters = {}): Promise<Result> {
  try {
    return await operator.run<Result>(name, { id: user, parameters });
  } catch (error) {
    if (!(error instanceof RefusedCommand && error.code === 'resource_missing')) throw error;
    throw new MissingError(`there is no user ${user}; "tollgate users list" shows those of an account`);
  }
}
