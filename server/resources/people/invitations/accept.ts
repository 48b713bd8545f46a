import type { Secret } from '../../../base/secret.ts';
import type { MemberAccount, PersonCaller, VisitorCaller } from '../../../operations/caller.ts';
import { type Context, type DirectoryOutcome, operation } from '../../../operations/operation.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { begin, serializeSession } from '../sessions/operations.ts';
import { SessionOutput } from '../sessions/schema.ts';
import { looksLikeToken } from '../sessions/session.ts';
import { findAccountAs } from '../sessions/store.ts';
import { newUser } from '../users/operations.ts';
import { checkChosenPassword } from '../users/password.ts';
import {
  addMembership,
  addUser,
  findUser,
  findUsersByEmail,
  hasMember,
  type Owners,
  readMembers,
} from '../users/store.ts';
import type { User } from '../users/user.ts';
import { provenEmail, verifiedFor } from '../users/verify.ts';
import { apiError } from './errors.ts';
import { type Invitation, statusOf } from './invitation.ts';
import { AcceptInput, InvitationPreviewOutput, PreviewInput } from './schema.ts';
import { findInvitationByHash, replaceInvitation } from './store.ts';

const anybody = {
  home: 'directory',
  callers: ['visitor', 'person'],
  right: 'read',
  isPersonal: true,
  ignoresKey: true,
} as const;

/** What there is to accept, and how. */
type Offer = { invitation: Invitation; members: Owners; account: MemberAccount };

const preview = operation({
  ...anybody,
  name: 'invitations.preview',
  summary: 'Look at an invitation',
  description:
    'Returns who is invited to which account. It does not say whether the email has a user already, because the sender of the invitation may have the link too.',
  route: 'POST /invitations/preview',
  input: PreviewInput,
  output: InvitationPreviewOutput,
  errors: apiError.codes('invitation_invalid'),
  async run(context, { token }) {
    const { invitation, account } = await requireOffer(context, token);
    const { email, role, mailed, expires_at } = invitation;
    return {
      result: {
        object: 'invitation_preview',
        email,
        role,
        account: account.name,
        ...(mailed && { mailed }),
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
    'With a password it makes a user and signs in. Somebody who has a user with this email can sign in and accept as it, if the email is verified or the user belongs to the account. A link that was mailed verifies the email, unless it is verified for another user.',
  route: 'POST /invitations/accept',
  input: AcceptInput,
  output: SessionOutput,
  errors: apiError.codes('invitation_invalid', 'parameter_missing', 'parameter_invalid'),
  check: ({ password }) => password && checkChosenPassword(password, 'password'),
  async run(context, { token, password }) {
    const offer = await requireOffer(context, token);
    const { email } = offer.invitation;
    const { caller } = context;
    if (caller.kind === 'person' && caller.person.email !== email)
      throw unusable('it is for another email than the one you are signed in with; sign out, and open the link again');
    if (caller.kind === 'person') return joinAs(context, caller, offer, password);
    if (password === undefined) throw apiError('parameter_missing', { param: 'password' });
    return joinAsNew(context, offer, password);
  },
});

async function joinAs(
  context: Context,
  caller: PersonCaller,
  offer: Offer,
  password: Secret | undefined,
): Promise<DirectoryOutcome> {
  const { user: id, accounts } = caller.person;
  const { invitation, account } = offer;
  if (password !== undefined)
    throw apiError('parameter_invalid', { param: 'password', reason: 'you have a password; leave it out' });
  const user = (await findUser(context.reads, id))!;
  const proof = caller.person.emailVerified || !invitation.mailed ? undefined : await provenEmail(context, user);
  const emailVerified = caller.person.emailVerified || proof !== undefined;
  if (!emailVerified && user.home_account !== invitation.account) throw unusable(unverified);
  const person = { ...caller.person, emailVerified, accounts: [...accounts, account] };
  const { writes, audit, ...rest } = accepted(context, offer, user);
  return {
    result: serializeSession(person),
    ...rest,
    writes: [...(proof?.writes ?? []), ...writes],
    audit: [...audit, ...(proof?.audit ?? [])],
  };
}

const unverified =
  'your email is not verified, so your user belongs to the account that invited it; sign out, open the link again and choose a password';

/**
 * Others who have the email keep what they have: who has a link that its sender has seen may be anybody. A link that was mailed proves the
 * email, and the operator knows whom they invite.
 */
async function joinAsNew(context: Context, offer: Offer, password: Secret): Promise<DirectoryOutcome> {
  const { email, account: home, invited_by, mailed } = offer.invitation;
  const [other] = await findUsersByEmail(context.reads, email);
  const isVerified = (mailed || invited_by === null) && !other?.email_verified;
  const made = await newUser(context, { email, password, other, home });
  const user = { ...made, generation: 1 }; // a password that the user has chosen
  const begun = await begin(context, user, { how: 'invitation' }, { joined: [offer.account], isVerified });
  const { writes, audit, objectId } = accepted(context, offer, user);
  return {
    ...begun,
    objectId,
    writes: [addUser(user), ...(isVerified ? [verifiedFor(user, context.now)] : []), ...begun.writes!, ...writes],
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

const unusable = (reason: string) => apiError('invitation_invalid', { param: 'token', reason });

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
  if (await hasMember(reads, invitation.account, invitation.email))
    throw unusable('somebody with this email has a role in the account already');
  return { invitation, members, account: await findAccountAs(reads, invitation.account, invitation.role) };
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
