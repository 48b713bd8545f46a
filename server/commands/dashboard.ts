import { readConfig } from '../config.ts';
import type { SignInLinkShown } from '../resources/people/sessions/schema.ts';
import type { ShownMember } from '../resources/people/users/schema.ts';
import { devFileOf, readDevFile } from './dev_file.ts';
import { type Operator, withOperator } from './operator.ts';
import { isoTime, print } from './print.ts';
import { MissingError, UsageError } from './usage.ts';

type SignInAddress = { url: string; expires_at: number };

/** The token stands after the #, which browsers do not send: no log has it. */
export async function newSignInLink(operator: Operator, url: string, user: string): Promise<SignInAddress> {
  const { token, expires_at } = await operator.run<SignInLinkShown>('sessions.create_link', { id: user });
  return { url: `${url}#link=${token}`, expires_at };
}

/** Prints a link that signs in the owner of the demo account, in place of the one that `tollgate dev` has printed. */
export async function dashboard(options: { json?: boolean }): Promise<void> {
  const { account, dashboard: known } = readDevFile(devFileOf(readConfig('command').dataDir));
  if (account === undefined || known === undefined)
    throw new UsageError(
      'There is no server of "tollgate dev" here: run this in its folder. In production, "tollgate users create" invites people, and "tollgate users reset" lets one choose a new password',
    );
  const link = await withOperator(async (operator) => {
    const members = await operator.all<ShownMember>('users.list', { account });
    const owner = members.find(({ email }) => email === known.email);
    if (owner === undefined) throw new MissingError(`${known.email} no longer has a role in the demo account`);
    return newSignInLink(operator, known.url, owner.id);
  });
  print(
    options.json,
    { ok: true, ...link },
    () => `${link.url}\n(signs you in once, until ${isoTime(link.expires_at)})`,
  );
}
