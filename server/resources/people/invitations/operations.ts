import { isId, newId } from '../../../base/id.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf, listParameters, Parameters, timestampOf } from '../../../operations/schemas.ts';
import { newToken } from '../sessions/session.ts';
import { accountOf, membersFor } from '../users/members.ts';
import { countUp, hasMember, readMembers } from '../users/store.ts';
import { normalEmail } from '../users/user.ts';
import { apiError } from './errors.ts';
import { type Invitation, invitationDays, statusOf } from './invitation.ts';
import { invitationMessage } from './invitation_message.ts';
import {
  InvitationInput,
  InvitationOutput,
  NewInvitationOutput,
  serializeInvitation,
  serializeLinkMail,
} from './schema.ts';
import { addInvitation, findInvitation, findInvitations, findOpenInvitations, replaceInvitation } from './store.ts';

const dayMs = 86_400_000;
const forOwners = { home: 'directory', callers: ['person', 'operator'], right: 'people' } as const;

const create = operation({
  ...forOwners,
  name: 'invitations.create',
  summary: 'Invite somebody',
  description:
    'Where mail is set up, a link is mailed to the email. Elsewhere, and with `link`, the answer has the link to send, which is shown this once. Earlier invitations of the same email stop working.',
  route: 'POST /invitations',
  input: InvitationInput,
  output: NewInvitationOutput,
  errors: apiError.codes('role_missing', 'parameter_invalid'),
  async run(context, { email: sent, role, link = false }) {
    const { reads, now, keyring, caller, publicUrl } = context;
    const email = normalEmail(sent);
    const members = await membersFor(context);
    const { account } = members.set;
    await refuseMember(context, account, email);
    const token = newToken().open();
    const invitation: Invitation = {
      id: newId('inv', now),
      version: 1,
      account,
      email,
      role,
      hash: keyring.hmac('invitation', token),
      // A link that the sender has seen would prove nothing about the address.
      mailed: context.mail.isDelivered && !link,
      invited_by: caller.kind === 'person' ? caller.person.user : null,
      expires_at: new Date(now + invitationDays * dayMs),
      accepted_at: null,
      revoked_at: null,
    };
    const earlier = await findOpenInvitations(reads, account, email);
    const url = `${publicUrl()}/dashboard#invitation=${token}`;
    return {
      result: {
        ...serializeInvitation(invitation, members, now, invitation.mailed ? { status: 'queued' } : null),
        ...(!invitation.mailed && { url }),
      },
      objectId: invitation.id,
      writes: [
        addInvitation(invitation),
        ...earlier.map((one) => revoked(one, now)),
        countUp(members.set),
        ...(invitation.mailed ? await mailWrites(context, invitation, url) : []),
      ],
      audit: [{ action: 'invitation.created', subject: invitation.id, details: { email, role } }],
    };
  },
});

async function mailWrites(context: Context, { id, email, role, expires_at }: Invitation, url: string) {
  const { caller, tenant } = context;
  const message = invitationMessage({
    account: await context.accountName(tenant),
    invited_by: caller.kind === 'person' ? caller.person.email : null,
    role,
    expires_at: timestampOf(expires_at),
    url,
  });
  return context.mailToPerson({ tenant, kind: 'invitation', cause: id, to: email, message });
}

const revoked = (invitation: Invitation, now: number) =>
  replaceInvitation({ ...invitation, revoked_at: new Date(now) });

async function refuseMember({ reads }: Context, account: string, email: string): Promise<void> {
  if (await hasMember(reads, account, email))
    throw apiError('parameter_invalid', {
      param: 'email',
      reason: 'this user has a role in the account already; change the role instead',
    });
}

/** What became of the mails with the links of invitations. */
async function mailsOf({ personMailsOf }: Context, account: string, invitations: readonly Invitation[]) {
  const causes = invitations.filter(({ mailed }) => mailed).map(({ id }) => id);
  const found = await personMailsOf({ account, kind: 'invitation', causes });
  return ({ id }: Invitation) => {
    const mail = found.get(id);
    return mail === undefined ? null : serializeLinkMail(mail);
  };
}

const list = operation({
  ...forOwners,
  name: 'invitations.list',
  summary: 'List invitations',
  description: 'Returns the invitations of this account in pages, newest first.',
  route: 'GET /invitations',
  input: Parameters(listParameters),
  output: ListOf(InvitationOutput),
  async run(context, input) {
    const { reads, now } = context;
    const range = rangeOf(input, 'inv');
    const account = accountOf(context);
    const [members, rows] = await Promise.all([readMembers(reads, account), findInvitations(reads, account, range)]);
    const mails = await mailsOf(context, account, rows);
    const serialize = (row: Invitation) => serializeInvitation(row, members, now, mails(row));
    return { result: pageOf(range, rows, { url: '/v1/invitations', serialize }) };
  },
});

const revoke = operation({
  ...forOwners,
  name: 'invitations.revoke',
  summary: 'Revoke an invitation',
  description: 'Its link stops working immediately. One that was accepted stays: remove the user instead.',
  route: 'POST /invitations/:id/revoke',
  output: InvitationOutput,
  errors: apiError.codes('role_missing', 'invitation_invalid'),
  async run(context) {
    const { reads, id, now } = context;
    const members = await membersFor(context);
    const found = isId('inv', id) ? await findInvitation(reads, members.set.account, id) : undefined;
    if (found === undefined) throw apiError('resource_missing', { param: 'id', resource: 'invitation' });
    if (statusOf(found, members, now) === 'accepted')
      throw apiError('invitation_invalid', { param: 'id', reason: 'it was accepted; remove the user instead' });
    const after = { ...found, revoked_at: found.revoked_at ?? new Date(now) };
    const mails = await mailsOf(context, members.set.account, [after]);
    return {
      result: serializeInvitation(after, members, now, mails(after)),
      objectId: id,
      ...(found.revoked_at === null && {
        writes: [replaceInvitation(after)],
        audit: [{ action: 'invitation.revoked', subject: id, details: { email: found.email } }],
      }),
    };
  },
});

export const invitationOperations = [create, list, revoke];
