import { claim, type DirectoryWrite, type Table, table } from '../../../base/commit/index.ts';
import { nearbyNetworks, networkOf } from '../../../base/ip_range.ts';
import type { Reads } from '../../../base/reads.ts';
import { installation, type VisitorCaller } from '../../../operations/caller.ts';
import type { Context } from '../../../operations/operation.ts';
import type { User, UserId } from '../users/user.ts';
import type { Session } from './session.ts';
import { newSignInMessage } from './sign_in_message.ts';

/** A network from which a user has signed in. */
type KnownNetwork = { user_id: UserId; network: string };

/** Another sign-in may have written the same row. */
const networksTable: Table<KnownNetwork, 'directory'> = table('sign_in_networks', {
  home: 'directory',
  text: 'user_id network',
  key: ['user_id', 'network'],
  identity: [],
});

/**
 * The network of a new session, from now on a known one, and the mail about it where it is new. A claim: of two sessions that begin there
 * at the same moment, one finds that the other was first. The first session in the life of a user is news to nobody.
 */
export async function networkWrites(
  context: Context,
  { id, email }: User,
  session: Session,
): Promise<DirectoryWrite[]> {
  const network = networkOf(session.address);
  const { isKnown, isNear, isFirst } = await findNetwork(context.reads, id, network);
  if (isKnown) return [];
  const known = claim(networksTable, { user_id: id, network });
  if (isNear || isFirst || !context.mail.isSetUp) return [known];
  const { address, browser } = context.caller as VisitorCaller;
  const at = Math.floor(context.now / 1_000);
  const message = newSignInMessage({ at, address, browser, url: `${context.publicUrl()}/dashboard/settings/profile` });
  const mail = { tenant: installation, kind: 'new_sign_in', cause: session.id, to: email, message } as const;
  return [known, ...context.mailToPerson(mail)];
}

async function findNetwork(reads: Reads, user: UserId, network: string) {
  const [found] = await reads.directory.rows<{ isKnown: boolean; isNear: boolean; isFirst: boolean }>(
    `select exists (select from sign_in_networks where user_id = $1 and network = $2) as "isKnown",
            exists (select from sign_in_networks where user_id = $1 and network between $3 and $4) as "isNear",
            not exists (select from sign_in_networks where user_id = $1) as "isFirst"`,
    [user, network, ...nearbyNetworks(network)],
  );
  return found!;
}
