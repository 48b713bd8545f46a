import { assert } from '../../../base/errors.ts';
import { isId } from '../../../base/id.ts';
import { callerAccount } from '../../../operations/caller.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf, listParameters, Parameters, ShownDeleted } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { apiError } from './errors.ts';
import { MemberOutput, RoleParameter } from './schema.ts';
import {
  dropMembership,
  findMember,
  findMembers,
  type MemberRow,
  type Owners,
  readMembers,
  replaceMembership,
} from './store.ts';
import type { Membership } from './user.ts';

/** The account whose members are meant: that of the headers, or of the command. */
export function accountOf({ caller }: Pick<Context, 'caller'>): string {
  const account = callerAccount(caller);
  assert(account !== null, 'roles are those in an account');
  return account;
}

/** The members at one moment. A caller whose role was taken away a moment ago, on another instance, is refused. */
export async function membersFor(context: Context): Promise<Owners> {
  const { caller, reads } = context;
  const members = await readMembers(reads, accountOf(context));
  if (caller.kind === 'person' && !members.owners.includes(caller.person.user))
    throw apiError('role_missing', { reason: 'Your role in this account was changed. Owners can do this.' });
  return members;
}

async function requireMember(context: Context): Promise<MemberRow> {
  const { reads, id } = context;
  const found = isId('usr', id) ? await findMember(reads, accountOf(context), id) : undefined;
  if (found === undefined) throw apiError('resource_missing', { param: 'id', resource: 'user' });
  return found;
}

function keepOwner({ owners }: Owners, { id }: MemberRow): void {
  if (owners.length === 1 && owners[0] === id) throw apiError('last_owner', { param: 'id' });
}

const serializeMember = serializer<MemberRow, typeof MemberOutput>(MemberOutput, { created: timeInId });

function membershipOf({ account, id, version, role }: MemberRow): Membership {
  return { account, user_id: id, version, role };
}

const forOwners = { home: 'directory', callers: ['person', 'operator'], right: 'people' } as const;

const list = operation({
  ...forOwners,
  name: 'users.list',
  summary: 'List users',
  description: 'Returns the users who have a role in this account, in pages, those who signed up last first.',
  route: 'GET /users',
  input: Parameters(listParameters),
  output: ListOf(MemberOutput),
  async run(context, input) {
    const range = rangeOf(input, 'usr');
    const rows = await findMembers(context.reads, accountOf(context), range);
    return { result: pageOf(range, rows, { url: '/v1/users', serialize: serializeMember }) };
  },
});

const retrieve = operation({
  ...forOwners,
  name: 'users.retrieve',
  summary: 'Retrieve a user',
  description: 'Returns a user who has a role in this account.',
  route: 'GET /users/:id',
  output: MemberOutput,
  async run(context) {
    const member = await requireMember(context);
    return { result: serializeMember(member), objectId: member.id };
  },
});

const update = operation({
  ...forOwners,
  name: 'users.update',
  summary: "Change a user's role",
  description:
    'The role takes effect within a second. The email, the password and the authenticator belong to the user, and nobody else can change them.',
  route: 'POST /users/:id',
  input: Parameters({ role: RoleParameter }),
  output: MemberOutput,
  errors: apiError.codes('last_owner', 'role_missing'),
  async run(context, { role }) {
    const members = await membersFor(context);
    const member = await requireMember(context);
    if (role === member.role) return { result: serializeMember(member), objectId: member.id };
    keepOwner(members, member);
    const after = { ...member, role, version: member.version + 1 };
    return {
      result: serializeMember(after),
      objectId: member.id,
      writes: replaceMembership(membershipOf(after), members),
      audit: [{ action: 'user.role_changed', subject: member.id, details: { from: member.role, to: role } }],
    };
  },
});

const remove = operation({
  ...forOwners,
  name: 'users.remove',
  summary: 'Remove a user from the account',
  description: 'The user loses the role in this account within a second, and stays in other accounts.',
  route: 'DELETE /users/:id',
  output: ShownDeleted('RemovedUser', 'user'),
  errors: apiError.codes('last_owner', 'role_missing'),
  async run(context) {
    const members = await membersFor(context);
    const member = await requireMember(context);
    keepOwner(members, member);
    return {
      result: { id: member.id, object: 'user', deleted: true },
      objectId: member.id,
      writes: dropMembership(membershipOf(member), members),
      audit: [{ action: 'user.removed', subject: member.id, details: { email: member.email, role: member.role } }],
    };
  },
});

export const memberOperations = [list, retrieve, update, remove];
