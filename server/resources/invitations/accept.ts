import { newId } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import type { PersonCaller, VisitorCaller } from '../caller.ts';
import { type Context, type Outcome, operation } from '../operation.ts';
import { begin, presentSession } from '../sessions/operations.ts';
import { SessionOutput } from '../sessions/schema.ts';
import { looksLikeToken, type MemberAccount } from '../sessions/session.ts';
import { findAccountAs } from '../sessions/store.ts';
import { timestampOf } from '../shapes.ts';
import { newUser } from '../users/operations.ts';
import { checkChosenPassword } from '../users/password.ts';
import { addMembership, addUser, findMember, findUserByEmail, type Owners, readMembers } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { refusal } from './errors.ts';
import { type Invitation, statusOf } from './invitation.ts';
import { AcceptInput, InvitationPreviewOutput, PreviewInput } from './schema.ts';
import { findInvitationByHash, replaceInvitation } from './store.ts';

const anybody = { callers: ['visitor', 'person'], right: 'read', isPersonal: true, ignoresKey: true } as const;

/** What there is to accept, and how. */
type Offer = { invitation: Invitation; members: Owners; account: MemberAccount; user: User | undefined };

const preview = operation({
  ...anybody,
  name: 'invitations.preview',
  summary: 'Look at an invitation',
  description: 'Says who is invited to what, and whether they have to sign in or to choose a password.',
  route: 'POST /invitations/preview',
  input: PreviewInput,
  output: InvitationPreviewOutput,
  errors: refusal.codes('invitation_invalid'),
  async run(context, { token }) {
    const { invitation, account, user } = await requireOffer(context, token);
    const { email, role, expires_at } = invitation;
    return {
      result: {
        object: 'invitation_preview',
        email,
        role,
        account: account.name,
        has_user: user !== undefined,
        expires_at: timestampOf(expires_at),
      },
    };
  },
});

const accept = operation({
  ...anybody,
  name: 'invitations.accept',
  summary: 'Accept an invitation',
  description:
    'For an email that nobody has, it takes a password, makes the user and signs in. For an email that somebody has, they must have signed in.',
  route: 'POST /invitations/accept',
  input: AcceptInput,
  output: SessionOutput,
  errors: refusal.codes('invitation_invalid', 'parameter_missing', 'parameter_invalid'),
  check: ({ password }) => password && checkChosenPassword(password, 'password'),
  async run(context, { token, password }) {
    const offer = await requireOffer(context, token);
    const { email } = offer.invitation;
    const { caller } = context;
    if (caller.kind === 'person' && caller.person.email !== email)
      throw unusable('it is for another email than the one you are signed in with; sign out, and open the link again');
    if (caller.kind === 'person') return joinAs(context, caller, offer, password);
    if (offer.user !== undefined)
      throw unusable(`somebody has this email already; sign in as ${email}, and open the link again`);
    if (password === undefined) throw refusal('parameter_missing', { param: 'password' });
    return joinAsNew(context, offer, password);
  },
});

async function joinAs(
  context: Context,
  caller: PersonCaller,
  offer: Offer,
  password: Secret | undefined,
): Promise<Outcome> {
  const { user: id, accounts } = caller.person;
  const { invitation, account } = offer;
  if (password !== undefined)
    throw refusal('parameter_invalid', { param: 'password', reason: 'you have a password; leave it out' });
  if ((await findMember(context.reads, invitation.account, id)) !== undefined)
    throw unusable('you have a role in this account already');
  const person = { ...caller.person, accounts: [...accounts, account] };
  return { result: presentSession(person), ...accepted(context, offer, { id, email: invitation.email }) };
}

async function joinAsNew(context: Context, offer: Offer, password: Secret): Promise<Outcome> {
  const made = await newUser(newId('usr', context.now), offer.invitation.email, password);
  const user = { ...made, generation: 1 }; // a password that the user has chosen
  const begun = await begin(context, user, { how: 'invitation' }, [offer.account]);
  const { writes, audit, objectId } = accepted(context, offer, user);
  return {
    ...begun,
    objectId,
    writes: [addUser(user), ...begun.writes!, ...writes],
    audit: [...audit, ...begun.audit!],
  };
}

/** The invitation is used up in the commit that gives the role. */
function accepted({ now }: Context, { invitation, members }: Offer, { id, email }: Pick<User, 'id' | 'email'>) {
  const { account, role } = invitation;
  const membership = { account, user_id: id, version: 1, role };
  const entry = { action: 'invitation.accepted', subject: invitation.id, user: id, actor: email, accounts: [account] };
  return {
    objectId: invitation.id,
    writes: [replaceInvitation({ ...invitation, accepted_at: new Date(now) }), ...addMembership(membership, members)],
    audit: [{ ...entry, details: { role } }],
  };
}

const unusable = (reason: string) => refusal('invitation_invalid', { param: 'token', reason });

const words = {
  accepted: 'it was used already',
  revoked: 'it was revoked; ask an owner of the account for a new one',
  expired: 'it has expired; ask an owner of the account for a new one',
} as const;

async function requireOffer(context: Context, token: Secret): Promise<Offer> {
  const { reads, keyring, now } = context;
  const text = token.open();
  const hash = keyring.hmac('invitation', text);
  const invitation = looksLikeToken(text) ? await findInvitationByHash(reads, hash) : undefined;
  if (invitation === undefined) throw unusable('there is none with this token; copy the whole link');
  const members = await readMembers(reads, invitation.account);
  const status = statusOf(invitation, members, now);
  if (status !== 'pending') {
    recordTry(context, invitation, status);
    throw unusable(words[status]);
  }
  const account = await findAccountAs(reads, invitation.account, invitation.role);
  return { invitation, members, account, user: await findUserByEmail(reads, invitation.email) };
}

/** For the owners of the account: somebody has a link that was used, revoked or forgotten. */
function recordTry({ caller, refusedActs, requestId }: Context, invitation: Invitation, status: string): void {
  const { account, id: subject, email } = invitation;
  const { address } = caller as VisitorCaller | PersonCaller;
  const who =
    caller.kind === 'person' ? { actor: caller.person.email, user: caller.person.user } : { actor: 'visitor' };
  refusedActs.add({
    action: 'invitation_invalid',
    ...who,
    account,
    subject,
    address,
    requestId,
    details: { email, status },
  });
}

export const acceptOperations = [preview, accept];
