import type { NewInvitationShown } from '../resources/people/invitations/schema.ts';
import type { ResetLinkShown } from '../resources/people/me/schema.ts';
import type { ShownMember, VerifiedUserShown } from '../resources/people/users/schema.ts';
import { type Operator, operationCommand, withOperator } from './operator.ts';
import { isoTime, print, table } from './print.ts';
import { MissingError } from './usage.ts';

function linkInWords({ email, url, expires_at }: NewInvitationShown | ResetLinkShown): string {
  const expires = `Expires  ${isoTime(expires_at)}`;
  return url === undefined
    ? `Mailed   to ${email}\n${expires}\n\nThe link works once. If the mail does not arrive, make another link with --link, and send it yourself.`
    : `Link     ${url}\n${expires}\n\nThe link is shown this once, and works once. Send it to ${email}.`;
}

const missing = (user: string) =>
  new MissingError(`there is no user ${user}; "tollgate users list" shows those of an account`);

/** A person chooses the password, so what is made here is an invitation. */
export const create = operationCommand('invitations.create', { text: linkInWords });
export const reset = operationCommand('me.create_reset_link', { text: linkInWords, missing });

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

const confirm = operationCommand<VerifiedUserShown>('users.verify', {
  text: ({ id, email }) => `${email} is verified for ${id}.`,
  missing,
});
const takeBack = operationCommand<VerifiedUserShown>('users.unverify', {
  text: ({ id, email }) => `${email} is no longer verified for ${id}.`,
  missing,
});

/** Whether an email belongs to a user is the operator's word, as long as no message to it has proved it. */
export async function verify(user: string, { undo, ...options }: { undo?: boolean; json?: boolean }): Promise<void> {
  await (undo ? takeBack : confirm)(user, options);
}
